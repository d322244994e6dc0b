import { createHash } from 'node:crypto'
import { script } from './script.ts'

/** The style sheet of the page. The colours of the browser follow light and dark mode. */
export const style = `
:root {
  color-scheme: light dark;
  --panel: color-mix(in srgb, CanvasText 4%, Canvas);
  --line: color-mix(in srgb, CanvasText 15%, Canvas);
  --faint: color-mix(in srgb, CanvasText 65%, Canvas);
  --link: light-dark(#0b5cad, #7fb8f5);
  --change: light-dark(#1a7036, #6fcf8d);
}
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: break-word; }
code, pre, .method, .status { font: 0.875rem/1.55 ui-monospace, Menlo, Consolas, monospace; }
h1, h2, ul, ol { margin: 0; padding: 0; list-style: none; }
h3 { font-size: 0.8125rem; margin: 1.5rem 0 0.4rem; }
p { margin: 0.4rem 0; }
h3, section > p, .version, .count, .what, .gate, .rule, .fields p, .choices p { color: var(--faint); }
.frame { display: grid; grid-template-columns: 14rem minmax(0, 1fr); gap: 3rem; max-width: 76rem; margin: 0 auto; padding: 0 1.5rem; }
nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 2rem 0; }
nav a { display: flex; justify-content: space-between; padding: 0.15rem 0; color: inherit; text-decoration: none; }
nav input { width: 100%; margin-bottom: 0.75rem; padding: 0.3rem 0.5rem; font: inherit; }
main, section { padding-top: 2.25rem; min-width: 0; }
.cards { margin-top: 0.75rem; border: 1px solid var(--line); border-radius: 0.5rem; overflow: clip; }
.cards > details > summary {
  display: grid; grid-template-columns: 4rem minmax(0, 1fr) auto; align-items: baseline; gap: 0 0.75rem; padding: 0.6rem 1rem;
}
.cards > details > summary:hover, .cards > details[open] > summary, pre { background: var(--panel); }
.method, .path, .name, .status { font-weight: 600; }
a, button, .get { color: var(--link); } .post, .put, .patch, .delete { color: var(--change); }
.what { grid-column: 2 / -1; }
.inside { padding: 0.25rem 1rem 1.25rem; border-top: 1px solid var(--line); scroll-margin-top: 5rem; }
pre { margin: 0; padding: 0.75rem 1rem; border: 1px solid var(--line); overflow-x: auto; border-radius: 0.375rem; }
summary, button { cursor: pointer; }
button { float: right; font: inherit; font-size: 0.8125rem; background: none; border: 0; }
.cards > details, .fold { border-bottom: 1px solid var(--line); }
.fold { padding: 0.4rem 0; }
.fields > li, .choices > li { padding: 0.3rem 0; }
.fields .fields, .choices { margin-left: 0.2rem; padding-left: 0.9rem; border-left: 2px solid var(--line); }
@media (max-width: 52rem) {
  .frame { display: block; }
  nav { position: static; padding: 1.25rem 0 0; }
}
`

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Allows only this style sheet and this script; the page loads nothing else. */
export const contentSecurityPolicy =
  `default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(script)}; ` +
  `base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
