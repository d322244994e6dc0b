/** Blocks that are mostly words. */
export const words = `
.hero { display: grid; gap: clamp(1.75rem, 4vw, 4rem); align-items: center }
.hero-text { display: grid; gap: 1.25rem; justify-items: start }
.align-center .hero-text { justify-items: center; text-align: center }
.align-center .actions { justify-content: center }
.hero-image img {
  width: 100%; aspect-ratio: 3 / 2; object-fit: cover; border-radius: 20px; box-shadow: var(--shade);
}
.eyebrow {
  color: var(--accent); font-size: .9rem; font-weight: 600; letter-spacing: .06em; text-transform: uppercase;
}
@media (min-width: 56rem) {
  .hero-right, .hero-left { grid-template-columns: 1.05fr 1fr }
  .hero-left .hero-image { order: -1 }
}
.hero-full {
  position: relative; min-height: 30rem; align-items: stretch;
  border-radius: 24px; overflow: hidden; box-shadow: var(--shade);
}
.hero-full img {
  position: absolute; inset: 0; height: 100%; aspect-ratio: auto; border-radius: 0; box-shadow: none;
}
.hero-full .hero-text {
  z-index: 1; align-content: center; padding: clamp(1.5rem, 5vw, 4rem);
  color: #fff; background: linear-gradient(90deg, #061a18d9, #061a1880);
}
.hero-full .hero-image { position: absolute; inset: 0 }
.hero-full .lead { color: #e6f2f0 }
.hero-full .eyebrow { color: #7fe7da }
.hero-full .secondary { border-color: #ffffff80; color: #fff }
.hero-full .secondary:hover { background: #ffffff26 }
.cta {
  display: grid; gap: 1.1rem; justify-items: center; padding: clamp(2rem, 6vw, 4rem) 1.5rem;
  border-radius: 24px; background: var(--tint); text-align: center;
}
.cta .actions { justify-content: center }
.banner { padding: .9rem 1.25rem; border-radius: 12px; font-weight: 500; text-align: center }
.banner a { margin-left: .5em; color: inherit; font-weight: 700; white-space: nowrap }
.banner-info { background: var(--info); color: var(--info-text) }
.banner-success { background: var(--success); color: var(--success-text) }
.banner-warning { background: var(--warning); color: var(--warning-text) }
.block:has(> .banner) { padding-block: 1rem }
.testimonial {
  display: flex; flex-direction: column; gap: 1.25rem; height: 100%; padding: 1.75rem;
  border: 1px solid var(--line); border-radius: 16px; background: var(--surface);
}
.testimonial blockquote { flex: 1; font-size: 1.1rem }
.quote {
  display: grid; gap: 1.25rem; max-width: 46rem; margin-inline: auto;
  padding-left: 1.75rem; border-left: 4px solid var(--accent);
}
.quote blockquote {
  font-size: clamp(1.25rem, 1.1rem + .8vw, 1.6rem); line-height: 1.45; letter-spacing: -.01em;
}
figcaption { display: flex; align-items: center; gap: .8rem; font-size: .95rem }
figcaption span > * { display: block }
figcaption img { width: 3rem; height: 3rem; border-radius: 50%; object-fit: cover }
.question { border-top: 1px solid var(--line) }
.question:last-of-type { border-bottom: 1px solid var(--line) }
.question summary {
  display: flex; justify-content: space-between; align-items: center; gap: 1rem;
  padding: 1.1rem 0; list-style: none;
}
.question summary::-webkit-details-marker { display: none }
.question summary > * { font-size: 1.1rem }
.question summary::after { content: "+"; color: var(--accent); font-size: 1.5rem; line-height: 1 }
.question[open] summary::after { content: "–" }
.question .prose { padding: 0 2.5rem 1.4rem 0; color: var(--muted) }
.tabs { overflow: hidden; border: 1px solid var(--line); border-radius: 16px }
.tabs summary { padding: .9rem 1.25rem; font-weight: 600 }
.tabs details + details { border-top: 1px solid var(--line) }
.tabs .prose { padding: .25rem 1.25rem 1.5rem }
@supports selector(::details-content) {
  @media (min-width: 48rem) {
    .tabs { display: grid; grid-template-columns: repeat(11, auto) 1fr }
    .tabs details { display: contents }
    .tabs details::details-content { grid-row: 2; grid-column: 1 / -1; border-top: 1px solid var(--line) }
    .tabs summary {
      grid-row: 1; padding: 1rem 1.4rem; border-bottom: 3px solid transparent;
      color: var(--muted); list-style: none;
    }
    .tabs summary:hover { color: var(--text) }
    .tabs summary:focus-visible { outline-offset: -4px }
    .tabs [open] > summary { border-color: var(--accent); color: var(--accent) }
    .tabs .prose { padding: 1.5rem 1.4rem }
  }
}
`
