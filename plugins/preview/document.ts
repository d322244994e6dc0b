import { createHash } from 'node:crypto'
import { html, raw, toMarkup, type Html } from '../content/markup.ts'
import { loadRenderer } from '../site/port.ts'

/** The renderer of pages, for the files that only the first link loads. */
export const { renderPage, contentSecurityPolicy } = await loadRenderer()

/** A page of this service itself, with the policy that lets in its style, its frames, and nothing else. */
export function documentOf({ title, body }: { readonly title: string; readonly body: Html }): { readonly markup: string; readonly policy: string } {
  const markup = toMarkup(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${raw(style)}</style>
</head>
<body>
${body}
</body>
</html>
`)
  return { markup, policy }
}

const style = `
:root { color-scheme: light dark; --line: light-dark(#d5d9e0, #3c424c); --soft: light-dark(#f4f6f9, #22262d); --added: light-dark(#dff5e3, #17402a); --removed: light-dark(#fde3e3, #4d2124) }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 1rem; max-width: 110rem; font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
h1 { font-size: 1.4rem; margin: .2rem 0 .6rem }
h2 { font-size: 1.05rem; margin: 0 0 .5rem }
h3 { font-size: 1rem; margin: 1rem 0 .3rem }
.sides { display: grid; gap: 1rem; margin: 1rem 0 }
section { display: grid; grid-template-rows: subgrid; grid-row: span 3; gap: .3rem }
h2 + p { margin: 0 }
@media (min-width: 60rem) { .sides { grid-template-columns: 1fr 1fr } }
iframe { display: block; width: 100%; height: min(75vh, 60rem); border: 1px solid var(--line); border-radius: .4rem; background: Canvas }
table { border-collapse: collapse; width: 100%; table-layout: fixed }
th, td { text-align: left; vertical-align: top; padding: .35rem .5rem; border: 1px solid var(--line) }
th { background: var(--soft); font-weight: 600 }
td { white-space: pre-wrap }
.before { background: var(--removed) }
.after { background: var(--added) }
@media (max-width: 40rem) {
  thead { position: absolute; clip-path: inset(50%); height: 1px; overflow: hidden }
  tr, th, td { display: block; border-width: 0 0 1px }
  td::before { content: attr(data-side) ': '; display: block; font-size: .85rem; opacity: .75 }
  tbody tr { border: 1px solid var(--line); margin-bottom: .6rem }
}
`

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  'img-src data:',
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')
