import { fileURLToPath } from 'node:url'
import { chromium as browsers, type Browser } from 'playwright-core'
import { build as rolldown } from 'rolldown'
import t, { type Test } from 'tap'
import type { Page } from '../../plugins/content/port.ts'
import { createPlaces } from '../../plugins/page-texts/port.ts'
import { pageTextsScripts } from '../../plugins/site/port.ts'
import { chromium, inBrowser } from '../helpers/chromium.ts'
import { filePage } from '../helpers/file-pages.ts'
import { patienceMs, until } from '../helpers/until.ts'
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
    if (url === '/~editor/lines')
      return void response.end(JSON.stringify(JSON.parse(seen.at(-1)?.body ?? '').map(() => 3)))
    const script = pageTextsScripts()[url.replace('/~editor/', '')]
    if (script !== undefined) return void response.setHeader('content-type', 'text/javascript').end(script)
    response.setHeader('content-type', 'text/html; charset=utf-8')
    const scripts = `<script>${pageTextsScripts()['early.js']}</script><script type="module" src="/~editor/texts.js"></script>`
    response.end(html(url).replace('<head>', () => `<head>${scripts}`))
  })
  const host = await browser.newPage({ viewport: { width: 1040, height: 700 } })
  t.teardown(() => host.close())
  const errors: string[] = []
  host.on('pageerror', (error) => errors.push(String(error)))
  await host.goto(hostOrigin)
  const editor = new Editor(host)
  return { origin, host, editor, places, reports, errors, seen }
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
  const fixed = await editor.frame.locator('[data-block-fixed]').allTextContents()
  t.strictSame(fixed, ['Boats', 'All rights reserved'], 'no tool moves, copies or deletes these')
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

t.test('what is typed stays where the page hears each input first', inBrowser, async (t) => {
  const listens =
    "<script>for (const type of ['beforeinput', 'input']) addEventListener(type, () => {}, true)</script>"
  const site = await startWebsite(t, () => html.replace('</head>', `${listens}</head>`), [post])
  await open(site)
  t.equal(
    await typed(site, '#first', 'We build', [' ten']),
    'We build ten *fast* boats with [a guide](https://example.com), in **all** sizes.',
  )
  t.strictSame(site.errors, [])
})

t.test('what is typed beside a reference to a footnote leaves it there', inBrowser, async (t) => {
  const page = filePage(
    'a.md',
    'Oak[^1] is *heavy*[^2].\n\nElm[^1] is light.\n\n[^1]: A tree.\n\n[^2]: It is.\n',
  )
  const reference = (n: number) => `<sup><a href="#fn${n}" data-footnote-ref>${n}</a></sup>`
  const body = `<p id="oak">Oak${reference(1)} is <em>heavy</em>${reference(2)}.</p><p id="elm">Elm${reference(1)} is light.</p>`
  const site = await startWebsite(t, () => pageOf(body), [page])
  await open(site)
  t.equal(await typed(site, '#oak', 'heavy', [' wood']), 'Oak[^1] is *heavy wood*[^2].')
  t.equal(await typed(site, '#elm', 'Elm', ['s']), 'Elms[^1] is light.')
})

t.test('a space is typed in a button and in a summary, and does nothing else', inBrowser, async (t) => {
  const page = filePage(
    'a.html',
    '<button>Send it</button><details><summary>More of it</summary>All</details>',
  )
  const body = `<button id="button" onclick="document.title = 'Sent'">Send it</button>
<details><summary id="summary">More of it</summary>All</details>`
  const site = await startWebsite(t, () => pageOf(body), [page])
  await open(site)
  t.equal(await typed(site, '#button', 'Send', [' all', ' of']), 'Send all of it')
  t.equal(await typed(site, '#summary', 'More', [' still']), 'More still of it')
  const [title, isOpen] = await site.editor.frame.evaluate(() => [
    document.title,
    document.querySelector('details')?.open,
  ])
  t.strictSame([title, isOpen], ['Boats', false])
})

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
  await pause(1000)
  const routes = (await site.editor.all()).filter(({ type }) => type === 'routeChanged')
  t.strictSame(
    [...new Set(routes.map(({ payload }) => payload['slug']))],
    [post.slug],
    'it stays the page that it is',
  )
  t.end()
})

t.test(
  'what is typed behind a heading with a link of its theme belongs to the heading',
  inBrowser,
  async (t) => {
    const link = '<a class="header-anchor" href="#use" style="position: absolute; left: 0">\u200B</a>'
    const page = pageOf(`<main><h1>Boats</h1><h2 id="use">How to use ${link}</h2></main>`)
    const site = await startWebsite(t, () => page, [filePage('a.md', '# Boats\n\n## How to use\n')])
    const { editor, host } = site
    await open(site)
    await editor.frame.dblclick('#use', { position: { x: 12, y: 12 } })
    await editor.frame.waitForSelector('#use[contenteditable]')
    await host.keyboard.press('ControlOrMeta+End')
    await host.keyboard.type(' them')
    await host.keyboard.press('Enter')
    t.equal((await editor.next('inlineTextCommitted')).payload['value'], 'How to use them')
    t.equal(await editor.frame.textContent('#use a'), '\u200B')
  },
)

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

t.test('a brace is typed in MDX as the character that it is', inBrowser, async (t) => {
  const pages = ['a.mdx', 'b.md'].map((path) => filePage(path, `The *name* of ${path}\n`))
  const body = pages.map(({ id }) => `<p id="${id.charAt(0)}">The <em>name</em> of ${id}</p>`).join('')
  const site = await startWebsite(t, () => pageOf(body), pages)
  await open(site)
  t.equal(await typed(site, '#a', 'name', [' {x}']), String.raw`The *name \{x}* of a.mdx`)
  t.equal(await typed(site, '#b', 'name', [' {x}']), 'The *name {x}* of b.md')
})

t.test('a text at several places, and a computed one, say so when they are clicked', inBrowser, async (t) => {
  const site = await website(t)
  await open(site)
  const { frame } = site.editor
  const note = async (selector: string) => {
    await frame.click(selector)
    return frame.locator('editor-overlay .note .tag').allTextContents()
  }
  t.strictSame(await note('#shared'), ['This text is at several places. Choose one of them.'])
  t.match((await note('#computed')).join('\n'), /made by code.*\nblog\/boats.md – title/s)
  t.strictSame(await note('#second'), [])
  t.end()
})

t.test('a text at several places is the one that the person has chosen', inBrowser, async (t) => {
  const site = await website(t)
  await open(site)
  const { editor, host } = site
  await editor.frame.click('#shared')
  const { payload } = await editor.next('placesOffered')
  const candidate = { blockId: 'other.md#1', blockType: 'Paragraph', path: 'text', line: 3 }
  t.strictSame(payload, {
    slug: post.slug,
    text: 'Shared',
    places: [
      { ...candidate, slug: other.slug, file: 'other.md' },
      { ...candidate, slug: third.slug, file: 'third.md', blockId: 'third.md#1' },
    ],
  })
  await editor.send('choosePlace', { slug: third.slug, blockId: 'third.md#1', path: 'text' })
  await editor.frame.waitForSelector('#shared[data-block-id="third.md#1"]')
  await typeBehind(site, '#shared', 'Shared')
  await host.keyboard.type(' by two')
  await host.keyboard.press('Enter')
  const committed = (await editor.next('inlineTextCommitted')).payload
  t.strictSame([committed['slug'], committed['value']], [third.slug, 'Shared by two'])
  await reload(site)
  await editor.frame.waitForSelector('#shared[data-block-id="third.md#1"]')
  t.strictSame(site.errors, [])
})

t.test('what edits a page is loaded once an editor answers', inBrowser, async (t) => {
  const site = await website(t)
  const { editor, origin, seen } = site
  const later = Object.keys(pageTextsScripts()).filter((name) => !['early.js', 'texts.js'].includes(name))
  const asked = () =>
    seen.map(({ url = '' }) => url).filter((url) => later.some((each) => url.endsWith(each)))
  await editor.open(`${origin}/`, { answers: false })
  await until(() => site.reports.length > 0, 'the report')
  await pause(500)
  t.strictSame(asked(), [])
  await editor.send('setSelectionMode', { enabled: true })
  await editor.frame.waitForSelector('#first[data-editable-marked]')
  await editor.frame.waitForSelector('editor-overlay', { state: 'attached' })
  t.strictSame(asked().length, later.length)
  t.strictSame(site.errors, [])
})

t.test('what Markdown cannot spell beside a mark is left out, and that is said', inBrowser, async (t) => {
  const site = await website(t)
  await open(site)
  t.equal(
    await typed(site, '#first', 'fast', [' ', '*']),
    String.raw`We build *fast \** boats with [a guide](https://example.com), in **all** sizes.`,
  )
  t.equal(await typed(site, '#two', 'item', ['s', '`']), '- One item\n- Another `items`')
  const refused = (await site.editor.all()).filter(({ type }) => type === 'textRefused')
  t.strictSame(
    refused.map(({ payload }) => payload['file']),
    ['blog/boats.md'],
  )
  t.equal(await site.editor.frame.textContent('#two'), 'Another items')
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
        for (const name of each.getAttributeNames()) if (name.startsWith('data-')) each.removeAttribute(name)
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

/** A page that React renders from a text, and again when it is told a new one. */
const app = `
import { createElement as h, useState } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
function Page() {
  const [state, set] = useState({ text: 'First words of a text', key: 1, mark: 'bold' })
  window.render = (next) => flushSync(() => set((before) => ({ ...before, ...next })))
  return h('main', null, h('h1', null, 'Boats'),
    h('p', { id: 'text', key: state.key }, state.text),
    h('p', { id: 'marked' }, 'A ', h('strong', null, state.mark), ' word in a text'))
}
createRoot(document.getElementById('root')).render(h(Page))`

async function startReact(t: Test) {
  const built = await rolldown({
    input: 'app.js',
    platform: 'browser',
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    transform: { define: { 'process.env.NODE_ENV': '"development"' } },
    plugins: [
      {
        name: 'app',
        resolveId: (id) => (id === 'app.js' ? fileURLToPath(new URL('../../app.js', import.meta.url)) : null),
        load: (id) => (id.endsWith('/app.js') ? app : null),
      },
    ],
    write: false,
    output: { format: 'iife' },
  })
  const [{ code }] = built.output
  const page = filePage('a.md', '# Boats\n\nFirst words of a text\n\nA **bold** word in a text\n')
  const site = await startWebsite(
    t,
    () =>
      pageOf(`<div id="root"></div><script>${code.replaceAll('</script', String.raw`<\/script`)}</script>`),
    [page],
  )
  const render = (next: object) =>
    site.editor.frame.evaluate(
      (value) => (window as unknown as { render: (next: object) => void }).render(value),
      next,
    )
  const textOf = (selector: string) => site.editor.frame.textContent(selector)
  return { ...site, render, textOf }
}

t.test('React renders what was typed, also while it is typed', inBrowser, async (t) => {
  const site = await startReact(t)
  const { editor, host, render, textOf } = site
  await open(site)
  await typeBehind(site, '#text', 'First')
  await host.keyboard.type(' two')
  await render({ text: 'First two words of a text' })
  await host.keyboard.type(' or three')
  t.equal(await textOf('#text'), 'First two or three words of a text', 'the caret stays')
  await render({ text: 'First two words of a text, rendered late' })
  await host.keyboard.type('!')
  t.equal(await textOf('#text'), 'First two or three! words of a text', 'what is typed stays')
  await host.keyboard.press('Enter')
  t.equal((await editor.next('inlineTextCommitted')).payload['value'], 'First two or three! words of a text')
  await render({ text: 'Later words' })
  t.equal(await textOf('#text'), 'Later words', 'React still renders the text')

  await typeBehind(site, '#marked', 'bold')
  for (let n = 0; n < 4; n += 1) await host.keyboard.press('Backspace')
  await host.keyboard.press('Enter')
  t.equal((await editor.next('inlineTextCommitted')).payload['value'], 'A  word in a text')
  await render({ mark: 'fine' })
  t.equal(await textOf('#marked'), 'A fine word in a text')
  t.strictSame(site.errors, [])
})

t.test('typing goes on in the element that React puts in place of another one', inBrowser, async (t) => {
  const site = await startReact(t)
  const { editor, host, render, textOf } = site
  await open(site)
  await typeBehind(site, '#text', 'First')
  await host.keyboard.type(' two')
  await render({ key: 2 })
  await host.keyboard.type(' or fourx')
  await host.keyboard.press('Backspace')
  await editor.frame.waitForSelector('#text[contenteditable]')
  await host.keyboard.type(' three')
  await host.keyboard.press('Enter')
  const wanted = 'First two or four three words of a text'
  t.equal(await textOf('#text'), wanted)
  t.equal(await lastValue(site, 'inlineTextCommitted', wanted), wanted)
  t.strictSame(site.errors, [])
})

t.test('typing goes on in an element that is made again as the server has it', inBrowser, async (t) => {
  const site = await startReact(t)
  const { editor, host, textOf } = site
  await open(site)
  await typeBehind(site, '#text', 'First')
  await host.keyboard.type(' two')
  await editor.frame.evaluate(() => {
    const text = document.querySelector('#text')
    for (const name of text?.getAttributeNames() ?? []) if (name !== 'id') text?.removeAttribute(name)
    if (text?.firstChild) text.firstChild.nodeValue = 'First words of a text'
  })
  await host.keyboard.type(' or three')
  await host.keyboard.press('Enter')
  const wanted = 'First two or three words of a text'
  t.equal(await textOf('#text'), wanted)
  const { payload } = await editor.next('inlineTextCommitted')
  t.strictSame([payload['blockId'], payload['value']], ['a.md#1', wanted])
  t.strictSame(site.errors, [])
})

/** Waits until the last message of a type has a value. */
async function lastValue({ editor }: Pick<Site, 'editor'>, type: string, wanted: string): Promise<unknown> {
  const last = async () => (await editor.all()).findLast((each) => each.type === type)?.payload['value']
  for (let n = 0; n < 100 && (await last()) !== wanted; n += 1) await pause(50)
  return last()
}

/** Plays a browser that does not know the Navigation API, in which a page cannot hold a reload. */
const withoutNavigation = ({ host }: Pick<Site, 'host'>) =>
  host.addInitScript("Object.defineProperty(window, 'navigation', { value: undefined })")

/** Loads the page in the frame again. */
async function reload({ editor }: Pick<Site, 'editor'>): Promise<void> {
  await editor.frame.evaluate(() => {
    document.documentElement.dataset['old'] = ''
    location.reload()
  })
  await editor.frame.waitForSelector('html:not([data-old])', { state: 'attached' })
}

/** Lets the host answer each page like the studio: by its nonce, with the selection mode on. */
async function bind({ host }: Pick<Site, 'host'>): Promise<void> {
  await host.evaluate(() => {
    const own = window as unknown as { post: (message: object) => void; reply: (data: unknown) => object }
    own.reply = (data) => {
      const { nonce } = (data as { payload: { bridge: { nonce: string } } }).payload.bridge
      const protocol = 'site-editor/v1'
      own.post({ protocol, type: 'hello', payload: { nonce, version: '1.1', sendsChanges: true } })
      return { protocol, nonce, type: 'setSelectionMode', payload: { enabled: true } }
    }
  })
}

t.test(
  'the studio is sent each key, also where the page replaces the element or is loaded again',
  inBrowser,
  async (t) => {
    const site = await startReact(t)
    const { editor, host, render } = site
    await withoutNavigation(site)
    await editor.open(`${site.origin}/`, { mode: true })
    await bind(site)
    await reload(site)
    await editor.frame.waitForSelector('[data-editor-bound] #text[data-editable-marked]')
    await typeBehind(site, '#text', 'First')
    await host.keyboard.type(' one')
    await render({ key: 2 })
    await editor.frame.waitForSelector('#text[contenteditable]')
    await host.keyboard.type(' two')
    await reload(site)
    await host.keyboard.type(' or')
    await editor.frame.waitForSelector('#text[contenteditable]')
    await host.keyboard.type(' three')
    await host.keyboard.press('Enter')
    const wanted = 'First one two or three words of a text'
    t.equal(await lastValue(site, 'inlineTextCommitted', wanted), wanted)
    const texts = (await editor.all())
      .filter(({ type }) => type === 'inlineTextTyped')
      .map(({ payload }) => payload['value'])
    t.equal(texts.at(-1), wanted)
    t.equal(texts.filter((text) => !String(text).startsWith('First')).length, 0)
    const last = (await editor.all())
      .filter(({ type }) => type === 'inlineTextCommitted' || type === 'inlineEditing')
      .at(-1)
    t.strictSame([last?.type, last?.payload['isOn']], ['inlineEditing', false])
    t.strictSame(site.errors, [])
  },
)

t.test('a text that was left stays as it is rendered later', inBrowser, async (t) => {
  const site = await startReact(t)
  const { editor, host, render, textOf, places } = site
  const [before, after] = ['First words of a text', 'First two words of a text']
  await editor.open(`${site.origin}/`, { mode: true })
  await bind(site)
  await reload(site)
  await editor.frame.waitForSelector('[data-editor-bound] #text[data-editable-marked]')
  await typeBehind(site, '#text', 'First')
  await host.keyboard.type(' two')
  await host.keyboard.press('Enter')
  t.equal(await lastValue(site, 'inlineTextCommitted', after), after)
  const sent = async () => (await editor.all()).filter(({ type }) => type.startsWith('inline')).length
  const count = await sent()
  for (const text of [after, before]) {
    places.update(filePage('a.md', `# Boats\n\n${text}\n\nA **bold** word in a text\n`))
    await render({ text })
    await editor.frame.waitForSelector('#text[data-editable-marked]')
    await pause(1000)
  }
  t.equal(await textOf('#text'), before, 'such as by an undo')
  t.equal(await editor.frame.locator('[contenteditable]').count(), 0)
  t.equal(await sent(), count)
})

t.test('a reload keeps the place, what is selected, and the caret', inBrowser, async (t) => {
  const filler = Array.from({ length: 60 }, (_, n) => `<p>Line ${n}</p>`).join('')
  const site = await startWebsite(t, () => html.replace('<main>', `<main>${filler}`), [post, footer])
  const { editor, host } = site
  await withoutNavigation(site)
  await open(site)
  await editor.frame.click('#second')
  const top = await editor.frame.evaluate(() => window.scrollY)
  t.ok(top > 100, 'the page is scrolled')
  await typeBehind(site, '#second', 'Another')
  await host.keyboard.type(' quite')
  await reload(site)
  await editor.frame.waitForSelector('#second[contenteditable]')
  await host.keyboard.type(' new')
  await host.keyboard.press('Enter')
  const wanted = 'Another quite new long paragraph of this document, with some "words" in it.'
  t.equal(await lastValue(site, 'inlineTextCommitted', wanted), wanted)
  t.equal(await editor.frame.evaluate(() => window.scrollY), top)
})

/** Types on in a page that is to be loaded again, which it is once the text is left, with all that was typed. */
async function typesOn(t: Test, site: Awaited<ReturnType<typeof website>>): Promise<void> {
  const { editor, host } = site
  await host.keyboard.type(' new')
  await editor.frame.waitForSelector('html[data-old] #second[contenteditable]', { state: 'attached' })
  await host.keyboard.press('Enter')
  const wanted = 'Another quite new long paragraph of this document, with some "words" in it.'
  t.equal(await lastValue(site, 'inlineTextCommitted', wanted), wanted)
  await editor.frame.waitForSelector('html:not([data-old])', { state: 'attached' })
  t.strictSame(site.errors, [])
}

t.test('a page in which a text is typed is loaded again once that is left', inBrowser, async (t) => {
  const site = await website(t)
  const { editor, host } = site
  await open(site)
  const again = () =>
    editor.frame.evaluate(() => {
      document.documentElement.dataset['old'] = ''
      location.reload()
    })
  await typeBehind(site, '#second', 'Another')
  await host.keyboard.type(' quite')
  await again()
  await pause(1500)
  await typesOn(t, site)
})

t.test('a page that has replaced the typed text is loaded again once that is left', inBrowser, async (t) => {
  const site = await website(t)
  const { editor, host } = site
  await open(site)
  await typeBehind(site, '#second', 'Another')
  await host.keyboard.type(' quite')
  await editor.frame.evaluate(
    (shown) => {
      document.documentElement.dataset['old'] = ''
      document.querySelector('#second')?.remove()
      location.reload()
      const again = (): void => document.querySelector('#first')?.insertAdjacentHTML('afterend', shown)
      setTimeout(again, 300)
    },
    /<p id="second">.*<\/p>/.exec(html)?.[0] ?? '',
  )
  // A document hears no key before it has an element.
  await typesOn(t, site)
})

t.test('typing goes on in the same item of a list, not in one that has its place', inBrowser, async (t) => {
  const site = await website(t)
  const { editor, host, places } = site
  await open(site)
  await typeBehind(site, '#one', 'One')
  await host.keyboard.type(' more')
  await editor.frame.evaluate(() => {
    const list = document.querySelector('ul')
    if (list)
      list.outerHTML = '<ul><li id="one">One item here</li><li id="two">Another <code>item</code></li></ul>'
  })
  await editor.frame.waitForSelector('#two[data-editable-marked]')
  await host.keyboard.type(' or')
  await pause(500)
  t.equal(await editor.frame.textContent('#two'), 'Another item')
  const blocks = post.blocks.map((block) =>
    block.type === 'List' ? { ...block, props: { text: '- One item here\n- Another `item`' } } : block,
  )
  places.update({ ...post, blocks })
  await editor.send('draftChanged', { event: { type: 'draft' } })
  await editor.frame.waitForSelector('#one[contenteditable]')
  await host.keyboard.type(' so')
  await host.keyboard.press('Enter')
  const wanted = '- One more or so item here\n- Another `item`'
  t.equal(await lastValue(site, 'inlineTextCommitted', wanted), wanted)
})

t.test('a text that is gone after a reload is said with the keys that were pressed', inBrowser, async (t) => {
  let shown = html
  const site = await startWebsite(t, () => shown, [post, footer])
  const { editor, host } = site
  await withoutNavigation(site)
  await open(site)
  await typeBehind(site, '#second', 'Another')
  await host.keyboard.type(' quite')
  shown = html.replace(/<p id="second">.*/, '')
  await reload(site)
  await host.keyboard.type(' new')
  const said = async () => (await editor.all()).find(({ type }) => type === 'textLeft')?.payload
  await until(async () => (await said()) !== undefined, 'the message')
  t.match(await said(), {
    blockId: 'blog/boats.md#2',
    editablePath: 'text',
    value: /^Another quite new long paragraph/,
  })
})

t.test('a text that the site does not show is said after the page was loaded again', inBrowser, async (t) => {
  const site = await website(t)
  await open(site)
  await typed(site, '#one', 'One', [' more'])
  const changed = {
    ...post,
    blocks: post.blocks.map((block) =>
      block.type === 'List' ? { ...block, props: { text: '- One more item\n- Another `item`' } } : block,
    ),
  }
  site.places.update(changed)
  await site.editor.frame.waitForFunction(
    () => performance.getEntriesByType('navigation')[0]?.toJSON().type === 'reload',
    undefined,
    { timeout: patienceMs },
  )
  const said = async () => (await site.editor.all()).find(({ type }) => type === 'notShown')?.payload
  await until(async () => (await said()) !== undefined, 'the message')
  t.strictSame(await said(), { slug: post.slug, blockId: 'blog/boats.md#3', file: 'blog/boats.md' })
})

t.test(
  'a page that its site does not render after a change of the draft is loaded again',
  inBrowser,
  async (t) => {
    let item = 'One item'
    const site = await startWebsite(t, () => html.replace('One item', item), [post, footer])
    await open(site)
    item = 'One more item'
    const blocks = post.blocks.map((block) =>
      block.type === 'List' ? { ...block, props: { text: `- ${item}\n- Another \`item\`` } } : block,
    )
    await site.editor.send('draftChanged', { event: { type: 'draft', slugs: [post.slug] } })
    site.places.update({ ...post, blocks })
    await until(
      async () => (await site.editor.frame.textContent('#one').catch(() => '')) === item,
      'the change',
    )
    await site.editor.frame.waitForSelector('#one[data-editable-marked]')
  },
)

t.test('a page of Next.js has its marks once React has taken over what gets them', inBrowser, async (t) => {
  const script = `<script src="/_next/page.js" type="text/plain"></script><script>
    const take = (each) => (each.__reactProps$x = {})
    document.querySelectorAll('html, head, body').forEach(take)
    window.late = () => document.querySelectorAll('main, main *').forEach(take)
    window.early = []
    new MutationObserver((all) => window.early.push(...all.map((each) => each.attributeName)))
      .observe(document.querySelector('main'), { subtree: true, attributes: true })
  </script>`
  const { editor, origin, errors } = await startWebsite(
    t,
    () => html.replace('</body>', `${script}</body>`).replace(/<footer>.*<\/footer>/, ''),
    [post, footer, other, third],
  )
  await editor.open(`${origin}/`, { mode: true })
  t.equal((await editor.next('routeChanged')).payload['slug'], post.slug)
  await pause(1_000)
  t.strictSame(await editor.frame.evaluate('window.early.splice(0)'), [])
  await editor.frame.evaluate('window.late()')
  await editor.frame.waitForSelector('#first[data-block-id]')
  t.strictSame(errors, [])
})
