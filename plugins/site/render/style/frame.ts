/** What stands around the blocks of a page: header, menu, footer, the ribbon of a draft, and a notice for developers. */
export const frame = `
.site-header {
  position: relative; z-index: 20; border-bottom: 1px solid var(--line);
  background: color-mix(in srgb, var(--page) 88%, transparent); backdrop-filter: blur(12px);
}
.bar {
  display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .25rem 1.5rem;
  width: min(100% - 2.5rem, 70rem); margin-inline: auto; padding: .75rem 0;
}
.brand {
  display: flex; align-items: center; gap: .6rem; color: var(--text);
  font-size: 1.1rem; font-weight: 700; letter-spacing: -.01em; text-decoration: none;
}
.brand img { width: auto; height: 1.9rem }
nav { margin-inline: -.6rem }
nav ul { display: flex; flex-wrap: wrap; gap: .15rem; margin: 0; padding: 0; list-style: none }
nav a, nav summary {
  display: block; padding: .4rem .6rem; border-radius: 8px;
  color: var(--muted); font-size: .98rem; text-decoration: none;
}
nav a:hover, nav summary:hover { background: var(--surface); color: var(--text) }
nav [aria-current], nav .active { color: var(--accent); font-weight: 600 }
nav details { position: relative }
nav summary { list-style: none }
nav summary::-webkit-details-marker { display: none }
nav summary::after {
  content: ""; display: inline-block; margin-left: .45em; padding: 2.5px;
  border: solid; border-width: 0 1.5px 1.5px 0; transform: rotate(45deg) translate(-2px, -2px);
}
nav details ul {
  position: absolute; top: calc(100% + .3rem); left: 0;
  flex-direction: column; min-width: 12rem; padding: .4rem;
  background: var(--page); border: 1px solid var(--line); border-radius: 12px; box-shadow: var(--shade);
}
@media (min-width: 48rem) {
  .site-header { position: sticky; top: 0 }
  nav > ul > li:last-child details ul { left: auto; right: 0 }
}
.site-footer {
  margin-top: 2rem; padding: 2.5rem max(1.25rem, (100% - 70rem) / 2);
  background: var(--surface); border-top: 1px solid var(--line); font-size: .95rem;
}
.footer-columns {
  display: grid; gap: 2rem; margin-bottom: 2rem; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr));
}
.footer-columns ul { margin-top: .6rem; padding: 0; list-style: none }
.footer-columns a { color: var(--muted); line-height: 2; text-decoration: none }
.footer-columns a:hover { color: var(--accent); text-decoration: underline }
.ribbon {
  position: fixed; right: 1rem; bottom: 1rem; z-index: 30; padding: .2rem .8rem; border-radius: 99px;
  background: var(--warning); color: var(--warning-text); box-shadow: var(--shade);
  font-size: .8rem; font-weight: 600; letter-spacing: .02em; pointer-events: none;
}
.notice { margin: 0; padding: .6rem 1.25rem; background: var(--warning); color: var(--warning-text); font-size: .9rem }
`
