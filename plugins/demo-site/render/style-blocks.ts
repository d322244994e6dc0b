/** Styles of blocks: texts first, then cards, figures, images and films. */
export const blockStyles = `
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
.hero-full picture { position: absolute; inset: 0 }
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
figcaption > picture { flex: none }
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

.feature { padding: 1.5rem; border: 1px solid var(--line); border-radius: 16px; background: var(--surface) }
.feature p { margin-top: .4rem }
.icon {
  display: grid; place-items: center; width: 2.75rem; height: 2.75rem; margin-bottom: 1rem;
  border-radius: 12px; background: var(--tint); color: var(--accent); font-size: 1.35rem; line-height: 1; letter-spacing: 0;
}
.icon img, .icon svg { width: 1.5rem; height: 1.5rem; object-fit: contain }
.card {
  display: flex; flex-direction: column; height: 100%; overflow: hidden;
  border: 1px solid var(--line); border-radius: 16px; background: var(--surface); box-shadow: var(--shade);
}
.card > picture > img { width: 100%; aspect-ratio: 3 / 2; object-fit: cover }
.card-text { display: flex; flex: 1; flex-direction: column; gap: .6rem; padding: 1.5rem }
.card-text .actions { margin-top: auto; padding-top: .6rem }
.card-full-bleed:has(> picture) { position: relative; justify-content: flex-end; min-height: 20rem; border: 0 }
.card-full-bleed > picture { position: absolute; inset: 0 }
.card-full-bleed > picture > img { height: 100%; aspect-ratio: auto }
.card-full-bleed:has(> picture) .card-text {
  position: relative; justify-content: flex-end;
  color: #fff; background: linear-gradient(#061a1800, #061a18e6 55%);
}
.card-full-bleed:has(> picture) .muted { color: #e6f2f0 }
.card-full-bleed:has(> picture) .actions { margin-top: 0 }
.stats { display: grid; gap: 1.5rem; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)) }
.stats > div {
  display: grid; gap: .15rem; align-content: start; padding: 1.5rem;
  border: 1px solid var(--line); border-radius: 16px; background: var(--surface);
}
.stats dt { order: 1; font-weight: 600 }
.stats dd { order: 2; margin: 0; font-size: .95rem }
.stats .value {
  order: 0; color: var(--accent);
  font-size: clamp(2rem, 1.6rem + 1.6vw, 2.75rem); font-weight: 700; line-height: 1.15; letter-spacing: -.03em;
}
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 14px }
table { width: 100%; border-collapse: collapse; font-size: 1rem }
th, td { padding: .8rem 1.1rem; text-align: left; vertical-align: top }
th { background: var(--surface); font-weight: 600; white-space: nowrap }
td { border-top: 1px solid var(--line) }
.striped tbody tr:nth-child(even) { background: var(--surface) }
.two-column { display: grid; gap: clamp(1.75rem, 4vw, 3.5rem); align-items: center }
.two-column-accent { padding: clamp(1.5rem, 4vw, 3.5rem); border-radius: 24px; background: var(--tint) }
.column { display: grid; gap: 1.1rem }
.column picture { width: 100% }
.column img, .film { width: 100%; border-radius: 16px; box-shadow: var(--shade) }
@media (min-width: 48rem) {
  .two-column { grid-template-columns: 1fr 1fr }
}
.gallery img { width: 100%; aspect-ratio: 4 / 3; object-fit: cover; border-radius: 14px }
.gallery figcaption { margin-top: .5rem; font-size: .92rem }
.slides { overflow-x: auto; border-radius: 20px; scroll-snap-type: x mandatory; scrollbar-width: thin }
.slides ul { display: flex; gap: 1rem; padding: 0 0 .75rem; list-style: none }
.slide {
  flex: 0 0 min(100%, 52rem); overflow: hidden; scroll-snap-align: start;
  border: 1px solid var(--line); border-radius: 20px; background: var(--surface);
}
.slide > picture > img { width: 100%; aspect-ratio: 2 / 1; object-fit: cover }
.slide-text { display: grid; gap: .6rem; padding: 1.25rem 1.5rem 1.5rem }
.slide-text:not(:has(*)) { display: none }
.embed { width: 100%; border: 0; border-radius: 16px; background: var(--surface) }
.ratio-16-9, .film { aspect-ratio: 16 / 9 }
.ratio-4-3 { aspect-ratio: 4 / 3 }
.ratio-1-1 { aspect-ratio: 1 }
.film { background: #000 }
`
