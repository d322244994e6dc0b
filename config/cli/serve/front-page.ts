import type { Fallback } from '../../../kernel/fallback.ts'
import { notFound, packageVersion, type MountedRoute } from '../../../kernel/index.ts'
import { html, raw, toMarkup } from '../../../plugins/content/markup.ts'
import { hasDocs } from './announce.ts'

const style = `:root { color-scheme: light dark } body { max-width: 34rem; margin: 12vh auto; padding: 0 1.25rem; font: 1.05rem/1.6 system-ui, sans-serif }
h1 { font-size: 1.5rem } h1 small { font-weight: 400; opacity: .7 } dt { margin-top: 1rem; font-weight: 600 } dd { margin: 0 } a { overflow-wrap: anywhere }`
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Answers the root: a browser gets a page of links, every other client is redirected to the API docs. */
export const createFrontPage =
  (demoSite: string | undefined) =>
  (routes: readonly MountedRoute[]): Fallback => ({
    takes: (path) => path === '/' && hasDocs(routes),
    async answer({ method, search, header }) {
      if (method !== 'GET' && method !== 'HEAD') throw notFound()
      // Relative, for proxies that add a prefix. The query may contain the token for the docs.
      const docs = search === '' ? './docs' : `./docs?${search}`
      const common = { 'cache-control': 'no-store', vary: 'Accept, Origin' }
      const accepted = header('accept') ?? ''
      if (!accepted.includes('text/html') || accepted.includes('json')) {
        return { status: 302, headers: { ...common, location: docs }, body: new Uint8Array() }
      }
      const headers = {
        ...common,
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy,
        'referrer-policy': 'no-referrer',
      }
      return { status: 200, headers, body: Buffer.from(frontPage(docs, demoSite)) }
    },
  })

function frontPage(docs: string, demoSite: string | undefined): string {
  return toMarkup(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>content-orchestrator</title>
<link rel="icon" href="./favicon.ico">
<style>${raw(style)}</style>
</head>
<body>
<h1>content-orchestrator <small>${packageVersion}</small></h1>
<p>This service is running. It changes the content of websites by operations and in words.</p>
<dl>
${
  demoSite !== undefined &&
  html`<dt><a href="${demoSite}/draft">Draft of the demo site</a></dt>
<dd>Its pages with every edit, as it is made.</dd>
<dt><a href="${demoSite}">Demo site</a></dt>
<dd>The published pages, as visitors see them.</dd>
`
}<dt><a href="${docs}">API docs</a></dt>
<dd>Every route, with an example to paste into a terminal.</dd>
</dl>
</body>
</html>
`)
}
