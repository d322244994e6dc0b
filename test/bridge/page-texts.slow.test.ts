import { chromium as browsers, type Browser } from 'playwright-core'
import t, { type Test } from 'tap'
import type { Page } from '../../plugins/content/port.ts'
import { createPlaces } from '../../plugins/page-texts/port.ts'
import { pageTextsScript } from '../../plugins/site/port.ts'
import { chromium, inBrowser } from '../helpers/chromium.ts'
import { filePage } from '../helpers/file-pages.ts'
import { startSite } from '../helpers/upstream.ts'
import { Editor, pause, serveHost } from './editor.ts'

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

const pageOf = (body: string): string =>
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

const html = pageOf(`<main><article><h1>Boats</h1>
<p id="first">We build <em>fast</em> boats with <a href="https://example.com">a guide</a>, in <strong>all</strong> sizes.</p>
<p id="second">Another long paragraph of this document, with some “words” in it.</p>
<ul><li id="one">One item</li><li id="two">Another <code>item</code></li></ul>
<p><img src="/img/boat.png" width="100" height="50" alt="A boat"></p>
<p id="computed">Read in 3 minutes</p><p id="shared">Shared</p></article></main><footer><p id="rights">All rights reserved</p></footer>`)

const website = (t: Test) => startWebsite(t, () => html, [post, footer, other, third])

type Site = Awaited<ReturnType<typeof website>>

/** Opens a page, and waits for its marks. */
async function open({ editor, origin }: Site, path = '/'): Promise<void> {
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

/** Selects a text, begins to type in it, and puts the caret behind a piece of it. */
async function typeBehind({ editor }: Pick<Site, 'editor'>, selector: string, piece: string): Promise<void> {
  await editor.frame.dblclick(selector)
  await editor.frame.waitForSelector(`${selector}[contenteditable]`)
  await editor.frame.evaluate(
    ([selector = '', piece = '']) => {
      const walker = document.createTreeWalker(
        document.querySelector(selector) ?? document,
        NodeFilter.SHOW_TEXT,
      )
      while (walker.nextNode()) {
        const at = (walker.currentNode.nodeValue ?? '').indexOf(piece)
        if (at !== -1) return void getSelection()?.collapse(walker.currentNode, at + piece.length)
      }
      throw new Error(`no ${piece}`)
    },
    [selector, piece],
  )
}

const typed = async ({ editor, host }: Site, selector: string, piece: string, keys: readonly string[]) => {
  await typeBehind({ editor }, selector, piece)
  for (const key of keys)
    await (key.length > 1 && /^[A-Z]\w+$/.test(key) ? host.keyboard.press(key) : host.keyboard.type(key))
  await host.keyboard.press('Enter')
  const { payload } = await editor.next('inlineTextCommitted')
  return payload['value']
}

t.test('what is typed changes the characters of its source, and marks stay', inBrowser, async (t) => {
  const site = await website(t)
  await open(site)
  const nodesOf = () =>
    site.editor.frame.evaluate(() => {
      const known = window as unknown as { known?: readonly Node[] }
      const now = [...(document.querySelector('#first')?.childNodes ?? [])]
      const isSame = known.known === undefined || now.every((node, n) => node === known.known?.[n])
      known.known = now
      return [isSame, now.length]
    })
  await nodesOf()
  t.equal(
    await typed(site, '#first', 'fas', ['te']),
    'We build *fastet* boats with [a guide](https://example.com), in **all** sizes.',
  )
  t.strictSame(await nodesOf(), [true, 7], 'the nodes are those of the page')
  t.end()
})

t.test('a mark goes with its text, and what Markdown would read is escaped', inBrowser, async (t) => {
  const site = await website(t)
  await open(site)
  const backspaces = (count: number) => Array.from({ length: count }, () => 'Backspace')
  t.equal(
    await typed(site, '#first', 'all', backspaces(3)),
    'We build *fast* boats with [a guide](https://example.com), in  sizes.',
  )
  t.equal(await typed(site, '#one', 'One', [' *new*']), String.raw`- One \*new\* item` + '\n- Another `item`')
  t.equal(await typed(site, '#two', 'item', ['s*']), '- One item\n- Another `items*`')
  t.equal(
    await typed(site, '#second', 'some', [' [big]']),
    String.raw`Another long paragraph of this document, with some \[big] "words" in it.`,
  )
  t.equal(await typed(site, '#rights', 'All', [' <b>']), 'All <b> rights reserved')
  t.end()
})

t.test('a text at several places, and a computed one, say so when they are clicked', inBrowser, async (t) => {
  const site = await website(t)
  await open(site)
  const { frame } = site.editor
  const note = async (selector: string) => {
    await frame.click(selector)
    return frame.locator('editor-overlay .note .tag').allTextContents()
  }
  t.strictSame(await note('#shared'), [
    'This text is at several places. Edit it in its file:',
    'other.md – text',
    'third.md – text',
  ])
  t.match((await note('#computed')).join('\n'), /made by code.*\nblog\/boats.md – title/s)
  t.strictSame(await note('#second'), [])
  t.end()
})

t.test(
  'marks come again after the page has replaced its elements, without asking again',
  inBrowser,
  async (t) => {
    const site = await website(t)
    await open(site)
    const { frame } = site.editor
    const count = site.reports.length
    await frame.evaluate(() => {
      const article = document.querySelector('article')
      if (!article) return
      const copy = article.cloneNode(true) as Element
      for (const each of copy.querySelectorAll('*'))
        for (const { name } of [...each.attributes]) if (name.startsWith('data-')) each.removeAttribute(name)
      article.replaceWith(copy)
    })
    await frame.waitForSelector('#first[data-block-id]')
    t.equal(site.reports.length, count)
    await pause(1500)
    t.equal(
      await frame.evaluate(
        () => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/places')).length,
      ),
      count,
    )
    t.end()
  },
)
