/** Blocks of cards, figures, pictures and films. */
export const pictures = `
.feature { padding: 1.5rem; border: 1px solid var(--line); border-radius: 16px; background: var(--surface) }
.feature p { margin-top: .4rem }
.icon {
  display: grid; place-items: center; width: 2.75rem; height: 2.75rem; margin-bottom: 1rem;
  border-radius: 12px; background: var(--tint); font-size: 1.35rem; line-height: 1; letter-spacing: 0;
}
.icon img { width: 1.5rem; height: 1.5rem; object-fit: contain }
.card {
  display: flex; flex-direction: column; height: 100%; overflow: hidden;
  border: 1px solid var(--line); border-radius: 16px; background: var(--surface); box-shadow: var(--shade);
}
.card > img { width: 100%; aspect-ratio: 3 / 2; object-fit: cover }
.card-text { display: flex; flex: 1; flex-direction: column; gap: .6rem; padding: 1.5rem }
.card-text .actions { margin-top: auto; padding-top: .6rem }
.card-full-bleed:has(> img) { position: relative; justify-content: flex-end; min-height: 20rem; border: 0 }
.card-full-bleed > img { position: absolute; inset: 0; height: 100%; aspect-ratio: auto }
.card-full-bleed:has(> img) .card-text {
  position: relative; justify-content: flex-end;
  color: #fff; background: linear-gradient(#061a1800, #061a18e6 55%);
}
.card-full-bleed:has(> img) .muted { color: #e6f2f0 }
.card-full-bleed:has(> img) .actions { margin-top: 0 }
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
.slide > img { width: 100%; aspect-ratio: 2 / 1; object-fit: cover }
.slide-text { display: grid; gap: .6rem; padding: 1.25rem 1.5rem 1.5rem }
.slide-text:not(:has(*)) { display: none }
.embed { width: 100%; border: 0; border-radius: 16px; background: var(--surface) }
.ratio-16-9, .film { aspect-ratio: 16 / 9 }
.ratio-4-3 { aspect-ratio: 4 / 3 }
.ratio-1-1 { aspect-ratio: 1 }
.film { background: #000 }
`
