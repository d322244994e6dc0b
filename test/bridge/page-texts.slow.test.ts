import { chromium as browsers, type Browser } from 'playwright-core'
import t, { type Test } from 'tap'
import type { Page } from '../../plugins/content/port.ts'
import { createPlaces } from '../../plugins/page-texts/port.ts'
import { pageTextsScript } from '../../plugins/site/port.ts'
import { chromium, inBrowser } from '../helpers/chromium.ts'
import { filePage } from '../helpers/file-pages.ts'
import { startSite } from '../helpers/upstream.ts'
import { Editor, serveHost } from './editor.ts'

let browser: Browser
t.before(async () => {
  if (chromium) browser = await browsers.launch({ executablePath: chromium, args: ['--no-sandbox'] })
})
t.teardown(() => browser?.close())

/** A website whose pages carry no marks, and whose service answers from the pages of content. */
async function startWebsite(t: Test, html: (path: string) => string, pages: readonly Page[]) {
  const hostOrigin = await serveHost(t)
  const places = createPlaces(pages)
  const reports: string[] = []
  const config = { siteId: 'files', session: 'dev', editorOrigin: hostOrigin }
  const { origin, seen } = await startSite(t, (request, response) => {
    const { url = '/' } = request
    if (url === '/~editor/places') {
      const { body } = seen.at(-1) ?? { body: '' }
      reports.push(body)
      response.setHeader('content-type', 'application/json')
      return void response.end(JSON.stringify(places.place(JSON.parse(body))))
    }
    if (url === '/~editor/config') return void response.end(JSON.stringify(config))
    if (url === '/~editor/page.js')
      return void response.setHeader('content-type', 'text/javascript').end(pageTextsScript())
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(html(url).replace('<head>', '<head><script src="/~editor/page.js"></script>'))
  })
  const host = await browser.newPage({ viewport: { width: 1040, height: 700 } })
  t.teardown(() => host.close())
  const errors: string[] = []
  host.on('pageerror', (error) => errors.push(String(error)))
  await host.goto(hostOrigin)
  const editor = new Editor(host)
  return { origin, host, editor, places, reports, errors }
}

const document = (body: string): string =>
  `<!doctype html><html><head><title>Boats</title></head><body>${body}</body></html>`

const post = filePage(
  'blog/boats.md',
  `---
title: Boats
---
We build *fast* boats with [a guide](https://example.com), in **all** sizes.

Another long paragraph of this document, with some "words" in it.

- One item
- Another \`item\`

![A boat](./boat.png)
`,
)
const footer = filePage('parts/footer.html', '<footer><p>All rights reserved</p></footer>')
const other = filePage('other.md', '# Other\n\nShared\n')
const third = filePage('third.md', '# Third\n\nShared\n')

const html = document(`<main><article><h1>Boats</h1>
<p id="first">We build <em>fast</em> boats with <a href="https://example.com">a guide</a>, in <strong>all</strong> sizes.</p>
<p id="second">Another long paragraph of this document, with some “words” in it.</p>
<ul><li id="one">One item</li><li id="two">Another <code>item</code></li></ul>
<p><img src="/img/boat.png" width="100" height="50" alt="A boat"></p>
<p id="computed">Read in 3 minutes</p><p id="shared">Shared</p></article></main><footer><p id="rights">All rights reserved</p></footer>`)

const website = (t: Test) => startWebsite(t, () => html, [post, footer, other, third])

/** Opens a page, and waits for its marks. */
async function open({ editor, origin }: Awaited<ReturnType<typeof website>>, path = '/'): Promise<void> {
  await editor.open(`${origin}${path}`, { mode: true })
  await editor.frame.waitForSelector('[data-block-id]')
}

t.test('texts of a page without marks are selected as the values of their files', inBrowser, async (t) => {
  const site = await website(t)
  const { editor, errors } = site
  await open(site)
  t.equal((await editor.next('routeChanged')).payload['slug'], post.slug)
  const clicked = async (selector: string) => {
    await editor.frame.click(selector)
    const { payload } = await editor.next('blockClicked')
    return [payload['slug'], payload['blockId'], payload['blockType'], payload['editablePath']]
  }
  t.strictSame(await clicked('h1'), [post.slug, 'blog/boats.md', 'Page', 'title'])
  t.strictSame(await clicked('#first em'), [post.slug, 'blog/boats.md#1', 'Paragraph', 'text'])
  t.strictSame(await clicked('#two'), [post.slug, 'blog/boats.md#3', 'List', 'text'])
  t.strictSame(await clicked('img'), [post.slug, 'blog/boats.md#4', 'Image', 'src'])
  t.strictSame(await clicked('#rights'), [footer.slug, 'parts/footer.html#0', 'Texts', 'texts[0].text'])
  t.strictSame(errors, [])
})
