/** Text, links, buttons, and the width and spacing that blocks share. */
export const base = `
*, *::before, *::after { box-sizing: border-box }
html { scroll-behavior: smooth; scroll-padding-top: 5rem; -webkit-text-size-adjust: 100% }
body {
  display: flex; flex-direction: column; min-height: 100vh; margin: 0;
  background: var(--page); color: var(--text); overflow-wrap: break-word;
  font: 400 1.0625rem/1.65 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
main { flex: 1 }
h1, h2, h3, h4, h5, h6 { margin: 0; line-height: 1.2; letter-spacing: -.015em; text-wrap: balance }
h1 { font-size: clamp(2.25rem, 1.6rem + 3vw, 3.75rem); line-height: 1.08; letter-spacing: -.03em }
h2 { font-size: clamp(1.6rem, 1.3rem + 1.3vw, 2.25rem) }
h3 { font-size: 1.2rem }
h4, h5, h6 { font-size: 1rem }
p, ul, ol, dl, figure, blockquote { margin: 0 }
ul, ol { padding-left: 1.25em }
img, video, iframe { display: block; max-width: 100% }
a { color: var(--accent); text-underline-offset: .2em }
a:hover { color: var(--accent-hover) }
summary { cursor: pointer }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; border-radius: 4px }
.muted { color: var(--muted) }
.lead { max-width: 60ch; color: var(--muted); font-size: clamp(1.1rem, 1rem + .4vw, 1.3rem) }
.unseen, .skip:not(:focus) {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
}
.skip:focus {
  position: fixed; top: .75rem; left: .75rem; z-index: 30; padding: .6rem 1rem;
  background: var(--page); border-radius: 8px; box-shadow: var(--shade);
}
.actions { display: flex; flex-wrap: wrap; gap: .75rem }
.button {
  display: inline-block; padding: .7rem 1.3rem; border: 1px solid var(--accent); border-radius: 10px;
  font-weight: 600; line-height: 1.3; text-decoration: none; transition: background .15s, color .15s;
}
.primary { background: var(--accent); color: var(--on-accent) }
.primary:hover { background: var(--accent-hover); border-color: var(--accent-hover); color: var(--on-accent) }
.secondary { border-color: var(--line); color: var(--accent) }
.secondary:hover { background: var(--tint) }
.block {
  width: min(100% - 2.5rem, 70rem); margin-inline: auto; padding: clamp(2rem, 1.2rem + 2.6vw, 3.75rem) 0;
}
.block:empty { display: none }
.block > :is(h1, h2, h3, h4, h5, h6) { margin-bottom: 1.5rem }
.block > :is(h1, h2, h3, h4, h5, h6):has(+ .lead) { margin-bottom: .5rem }
.block > .lead { margin-bottom: 1.75rem }
.narrow { max-width: 46rem; margin-inline: auto }
.narrow > :is(h1, h2, h3, h4, h5, h6) { margin-bottom: 1.25rem }
.prose > * + * { margin-top: 1rem }
.prose > * + :is(h2, h3, h4, h5, h6) { margin-top: 2rem }
.prose li + li { margin-top: .35rem }
.grid {
  display: grid; gap: 1.5rem; padding: 0; list-style: none;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, var(--least)), 1fr));
}
.columns-2 { --least: 22rem }
.columns-3 { --least: 17rem }
.columns-4 { --least: 13rem }
@media (prefers-reduced-motion: reduce) {
  html { scroll-behavior: auto }
  * { transition: none !important }
}
`
