import { createHash } from 'node:crypto'
import { script } from './script.ts'

/** The style sheet of the page, with colours for light and dark mode. */
export const style = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#ffffff, #14171c);
  --panel: light-dark(#f6f7f9, #1b1f26);
  --line: light-dark(#dfe3e8, #313742);
  --ink: light-dark(#1c2127, #e4e8ee);
  --faint: light-dark(#5b6570, #9aa5b1);
  --link: light-dark(#0b5cad, #7fb8f5);
  --get: light-dark(#0b5cad, #7fb8f5);
  --post: light-dark(#1a7036, #6fcf8d);
  --put: light-dark(#8a5300, #e5b567);
  --patch: light-dark(#6b3fa0, #c3a1f0);
  --delete: light-dark(#b3261e, #f2928b);
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace;
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;
}
a { color: var(--link); text-underline-offset: 0.15em; }
code, pre { font-family: var(--mono); font-size: 0.875em; }
pre code { font-size: inherit; }
h1 { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 0.6rem; font-size: 1.75rem; line-height: 1.2; margin: 0; }
h2 { font-size: 1.25rem; margin: 0; }
h3 { font-size: 0.8125rem; margin: 1.5rem 0 0.4rem; color: var(--faint); font-weight: 600; letter-spacing: 0.02em; }
p { margin: 0.4rem 0; max-width: 44rem; }
ul, ol { margin: 0; padding: 0; list-style: none; }
.frame { display: grid; grid-template-columns: 14rem minmax(0, 1fr); gap: 3rem; max-width: 76rem; margin: 0 auto; padding: 0 1.5rem; }
nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 2.25rem 0; font-size: 0.9375rem; }
nav a { display: flex; justify-content: space-between; gap: 0.75rem; padding: 0.2rem 0; color: inherit; text-decoration: none; }
nav a:hover { color: var(--link); }
nav .count { color: var(--faint); font-variant-numeric: tabular-nums; }
nav input {
  width: 100%; margin-bottom: 0.75rem; padding: 0.3rem 0.5rem; font: inherit;
  color: inherit; background: var(--panel); border: 1px solid var(--line); border-radius: 0.375rem;
}
nav output { display: block; color: var(--faint); }
main { padding: 2rem 0 6rem; min-width: 0; }
header { padding-bottom: 1.5rem; }
.version { color: var(--faint); font-size: 1rem; font-weight: 400; }
section { padding-top: 2.25rem; }
section > p { color: var(--faint); margin-top: 0.1rem; }
.cards { margin-top: 0.75rem; border: 1px solid var(--line); border-radius: 0.5rem; overflow: clip; }
.cards > details + details { border-top: 1px solid var(--line); }
summary { cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
button:focus-visible,
input:focus-visible,
summary:focus-visible,
a:focus-visible { outline: 2px solid var(--link); outline-offset: -2px; }
.cards > details > summary {
  display: grid; grid-template-columns: 4rem minmax(0, 1fr) auto; align-items: baseline;
  gap: 0 0.75rem; padding: 0.6rem 1rem;
}
.cards > details > summary:hover, .cards > details[open] > summary { background: var(--panel); }
.method { font: 700 0.75rem/1.5 var(--mono); color: var(--accent); }
.get { --accent: var(--get); } .post { --accent: var(--post); } .put { --accent: var(--put); }
.patch { --accent: var(--patch); } .delete { --accent: var(--delete); }
.path { font-size: 0.9375rem; font-weight: 600; overflow-wrap: anywhere; }
.what { grid-column: 2 / -1; color: var(--faint); font-size: 0.9375rem; }
.gate {
  border: 1px solid var(--line); border-radius: 1rem; padding: 0 0.55rem;
  font-size: 0.75rem; color: var(--faint); white-space: nowrap;
}
.inside { padding: 0.25rem 1rem 1.25rem; border-top: 1px solid var(--line); scroll-margin-top: 5rem; }
.name { font-weight: 600; }
pre {
  margin: 0; padding: 0.75rem 1rem; overflow-x: auto; line-height: 1.5;
  background: var(--panel); border: 1px solid var(--line); border-radius: 0.375rem;
}
button {
  float: right; margin-left: 0.5rem; padding: 0.2rem 0.6rem; font: inherit; font-size: 0.8125rem; cursor: pointer;
  color: var(--link); background: var(--paper); border: 1px solid var(--line); border-radius: 0.375rem;
}
.fold { border-top: 1px solid var(--line); }
.fold:last-child { border-bottom: 1px solid var(--line); }
.fold > summary { padding: 0.4rem 0 0.4rem 1.1rem; position: relative; overflow-wrap: anywhere; }
.fold > summary::before {
  content: ''; position: absolute; left: 0.1rem; top: 0.95rem;
  border: 0.27rem solid transparent; border-left: 0.36rem solid var(--faint);
}
.fold[open] > summary::before {
  top: 1.05rem; left: 0;
  border: 0.27rem solid transparent; border-top: 0.36rem solid var(--faint);
}
.fold > div { padding: 0 0 0.75rem 1.1rem; }
.status { font: 600 0.875rem/1.5 var(--mono); }
.fields > li { padding: 0.3rem 0; }
.fields p, .choices p { font-size: 0.9375rem; color: var(--faint); margin: 0.1rem 0; }
.fields .fields, .choices { margin-left: 0.2rem; padding-left: 0.9rem; border-left: 2px solid var(--line); }
.choices > li { padding: 0.3rem 0; }
.choices > li + li { border-top: 1px dashed var(--line); }
.type, .rule { font-size: 0.875rem; }
.rule { color: var(--faint); overflow-wrap: anywhere; }
.rule::before { content: '· '; }
.link { margin-top: 1rem; font-size: 0.8125rem; }
.link a { color: var(--faint); text-decoration: none; }
@media (max-width: 52rem) {
  .frame { display: block; padding: 0 1rem; }
  nav { position: static; max-height: none; padding: 1.25rem 0 0; }
  nav ul { display: flex; flex-wrap: wrap; gap: 0.4rem; }
  nav a { padding: 0.1rem 0.65rem; gap: 0.4rem; font-size: 0.875rem; border: 1px solid var(--line); border-radius: 1rem; }
  h1 { font-size: 1.4rem; }
  main { padding-top: 1.5rem; }
  .cards > details > summary { grid-template-columns: minmax(0, 1fr) auto; padding: 0.6rem 0.75rem; }
  .path { grid-column: 1 / -1; }
  .what { grid-column: 1 / -1; }
  .gate { grid-column: 2; grid-row: 1; }
  .inside { padding: 0.25rem 0.75rem 1rem; }
}
@media print { nav, button { display: none; } .frame { display: block; } }
`

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Allows only this style sheet and this script; the page loads nothing else. */
export const contentSecurityPolicy =
  `default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(script)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
