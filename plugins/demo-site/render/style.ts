import { hash } from 'node:crypto'
import { blockStyles } from './style-blocks.ts'

/** Colours, once for light screens and once for dark ones. */
const colours = `
:root {
  color-scheme: light dark;
  --page: #fff; --surface: #f3f7f6; --text: #10201e; --muted: #4d5f5c; --line: #d9e3e1;
  --accent: #0f766e; --accent-hover: #0b5d56; --on-accent: #fff; --tint: #e3f4f1;
  --shade: 0 1px 2px #10201e14, 0 10px 28px -14px #10201e33;
  --info: #e3f0fb; --info-text: #123b5d;
  --success: #e2f5e6; --success-text: #14491f;
  --warning: #fdf0d2; --warning-text: #553a05;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0c1312; --surface: #141e1c; --text: #e8f0ee; --muted: #a3b5b1; --line: #263533;
    --accent: #2dd4bf; --accent-hover: #5eead4; --on-accent: #04211d; --tint: #10302c;
    --shade: 0 1px 2px #0006, 0 12px 30px -14px #000a;
    --info: #12293d; --info-text: #cfe6fa;
    --success: #12301a; --success-text: #cdf2d6;
    --warning: #3a2a08; --warning-text: #fbe6b4;
  }
}
`

/** Text, links, buttons, and the common width and spacing of blocks. */
const base = `
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
img, video, iframe, picture { display: block; max-width: 100% }
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
:root:not([data-editor-placeholders]) [data-editable-target]:is(h1, h2, h3, h4, h5, h6, p):empty { display: none }
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

/** The frame around the blocks of a page: header, menu, footer, the ribbon of a draft, and a notice for developers. */
const frame = `
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
  font-size: .8rem; font-weight: 600; letter-spacing: .02em;
}
p.ribbon { pointer-events: none }
a.ribbon { display: flex; align-items: center; gap: .3rem; text-decoration: none }
a.ribbon:hover { text-decoration: underline }
[data-editor-bound] .ribbon { display: none }
.ribbon svg { width: .9rem; height: .9rem }
.notice { margin: 0; padding: .6rem 1.25rem; background: var(--warning); color: var(--warning-text); font-size: .9rem }
`

/** The complete style of the pages: light and dark, from small screens up, without requests. */
export const stylesheet = [colours, base, frame, blockStyles].join('')

/** Returns a text as a source that a content security policy allows. */
const sourceOf = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`

/**
 * The content security policy of rendered pages without a script: no script at all, and no styles but their own.
 *
 * Style attributes are allowed because banners have their own colours. The server of the pages adds `frame-ancestors`.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src-elem ${sourceOf(stylesheet)}`,
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' http: https: data:",
  "media-src 'self' http: https:",
  'frame-src http: https:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** Returns the policy of a page with one script, which may call the site itself and `origin`. */
export function withScript(text: string, origin: string): string {
  return `${contentSecurityPolicy}; script-src ${sourceOf(text)}; connect-src 'self' ${origin}`
}
