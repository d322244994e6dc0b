/** `edit`: what a person types and chooses on the page, and what of it is in the files. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FrameLocator, Locator, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { png } from '../helpers/media-files.ts'
import { eventually, inBrowser, openBrowser, openTab } from '../studio/browser.ts'
import { changedLines, edited, git } from './edited.ts'

/** A development server that makes a page of Markdown with front matter and data, and loads it again after a change. */
const devServer = `
import { createServer } from 'node:http'
import { readFileSync, watch } from 'node:fs'
const streams = new Set()
for (const folder of ['content', 'data'])
  watch(folder, () => { for (const each of streams) each.write('data: changed\\n\\n') })
const found = (text, form) => form.exec(text)?.[1] ?? ''
createServer((request, response) => {
  if (request.url === '/changes') {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    return streams.add(response)
  }
  try {
    if (request.url.startsWith('/assets/')) return response.end(readFileSync('.' + request.url))
    if (request.url.startsWith('/img/')) return response.end(readFileSync('public' + request.url))
    const text = readFileSync('content/index.md', 'utf8')
    const [, front, body] = text.split('---\\n')
    const team = readFileSync('data/team.yaml', 'utf8')
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<!doctype html><html><head><title>Boats</title></head><body><main><h1>' + found(front, /title: (.*)/) + '</h1>'
      + '<p>By <b id="author">' + found(front, /name: (.*?),/) + '</b></p>'
      + '<ul>' + found(front, /tags: \\[(.*?)\\]/).split(', ').map((tag, n) => '<li id="tag' + n + '">' + tag + '</li>').join('') + '</ul>'
      + '<img width="200" height="100" src="' + found(front, /cover: (.*)/) + '" alt="' + found(front, /coverAlt: (.*)/) + '">'
      + '<img id="photo" width="200" height="100" src="' + found(front, /photo: \\.\\.(.*)/) + '" alt="">'
      + '<p id="role">' + found(team, /role: (.*)/) + '</p><p id="shared">Made by hand</p>'
      + body.trim().split('\\n\\n').map((part) => '<p>' + part.replace(/\\*(.+?)\\*/g, '<em>$1</em>') + '</p>').join('')
      + '</main><script>new EventSource("/changes").onmessage = () => location.reload()</script></body></html>')
  } catch { response.writeHead(404).end() }
}).listen(process.env.PORT)
`
const files = {
  'boats/package.json': JSON.stringify({ name: 'boats', private: true, scripts: { dev: 'node dev.mjs' } }),
  'boats/dev.mjs': devServer,
  'boats/.gitignore': 'node_modules\n',
  'boats/content/index.md': `---
title: Boats
author: { name: Jane Doe,   mail: jane@example.com }   # who wrote it
tags: [oak,   elm tree]
cover: /img/oak.png
coverAlt: A boat of oak
photo: ../assets/ash.png
---
We build *wooden* boats for people who sail on lakes and on rivers.

Each one takes a winter, and is oiled by hand in the spring of the year.
`,
  'boats/content/oak.md': '---\ntitle: Oak\n---\nOak is heavy.\n\nMade by hand\n',
  'boats/content/elm.md': '---\ntitle: Elm\nhow: Made by hand\n---\nElm does not split.\n',
  'boats/pages/about.html': '<html><body><h1>About boats</h1><p>We build boats by hand.</p></body></html>\n',
  ...Object.fromEntries(
    ['team', 'menu', 'other'].map((name) => [
      `boats/data/${name}.yaml`,
      `people:\n  - name: ${name} one   # first\n    role: Builder of ${name}\n`,
    ]),
  ),
}

/** Opens the website in the studio, with its pictures. */
async function open(t: Test) {
  const site = await edited(t, { ...files, 'boats/public/img/.gitkeep': '' })
  const browser = await openBrowser(t)
  const { page } = await openTab(await browser.newContext(), site.studio, { width: 2100, height: 1100 })
  const frame = page.frameLocator('iframe.frame')
  await frame.locator('html[data-editor-selection-mode]').waitFor()
  return { ...site, page, frame }
}

/** Clicks a text of the page, again, and types at its end. */
async function typeAtEnd(page: Page, text: Locator, words: string): Promise<void> {
  await text.click()
  await page.waitForTimeout(600)
  await text.click()
  await text.and(text.page().locator('[contenteditable]')).or(text).waitFor()
  await page.keyboard.press('End')
  await page.keyboard.type(words)
  await page.keyboard.press('Enter')
}

const says = (page: Page, words: RegExp) =>
  page.locator('.toast').filter({ hasText: words }).first().waitFor()
const marked = (frame: FrameLocator, id: string) => frame.locator(`#${id}[data-editable-target]`)

t.test(
  'values inside of front matter and data are typed on the page, and in the panel',
  inBrowser,
  async (t) => {
    const { folder, page, frame, call } = await open(t)
    for (const [id, words, wanted] of [
      ['author', ' Smith', 'Jane Doe Smith'],
      ['tag1', ' from here', 'elm tree from here'],
      ['role', ' and more', 'Builder of team and more'],
    ] as const) {
      await marked(frame, id).waitFor()
      await typeAtEnd(page, frame.locator(`#${id}`), words)
      await says(page, /saved/)
      await frame.locator(`#${id}`).filter({ hasText: wanted }).waitFor()
    }
    const tags = page.getByRole('textbox', { name: 'tags' })
    await eventually(async () => {
      // The page may be loaded again under the click.
      await frame.locator('#author').click()
      return tags.waitFor({ timeout: 3_000 }).then(
        () => true,
        () => false,
      )
    })
    t.equal(await tags.inputValue(), 'oak\nelm tree from here', 'a list has a line for each entry')
    await page.getByTitle('Choose cover').waitFor()
    const mail = page.getByLabel('author: mail')
    await mail.fill('jane@example.org')
    await mail.press('Enter')
    await says(page, /author: mail saved/)
    await page.locator('.rail').getByRole('button', { name: 'History' }).click()
    await page.locator('.page-then .card', { hasText: 'jane@example' }).waitFor()
    t.equal(await page.locator('.page-then iframe').count(), 0, 'no other program shows a document as it was')
    t.match(await call('/publish', { siteId: 'boats', session: 'dev' }), { status: 'ready' })
    t.strictSame(changedLines(folder), [
      '-author: { name: Jane Doe,   mail: jane@example.com }   # who wrote it',
      '-tags: [oak,   elm tree]',
      '+author: { name: Jane Doe Smith,   mail: jane@example.org }   # who wrote it',
      '+tags: [oak,   elm tree from here]',
      '-    role: Builder of team',
      '+    role: Builder of team and more',
    ])
  },
)

t.test(
  'a text of several files is that of the one that is chosen, by file and line',
  inBrowser,
  async (t) => {
    const { folder, page, frame, call } = await open(t)
    await marked(frame, 'author').waitFor()
    await frame.locator('#shared').click()
    const dialog = page.getByRole('dialog', { name: 'This text is at several places' })
    await dialog.waitFor()
    t.match(await dialog.textContent(), /content\/elm\.md, line 3.*content\/oak\.md, line 6/s)
    await dialog.getByText('content/elm.md, line 3').click()
    await marked(frame, 'shared').waitFor()
    await typeAtEnd(page, frame.locator('#shared'), ' in spring')
    await says(page, /saved/)
    t.match(await call('/publish', { siteId: 'boats', session: 'dev' }), { status: 'ready' })
    t.strictSame(changedLines(folder), ['-how: Made by hand', '+how: Made by hand in spring'])
  },
)

t.test('data is not moved, copied or deleted, as code uses it; documents are', inBrowser, async (t) => {
  const { page, studio } = await open(t)
  const actions = page.getByRole('button', {
    name: /^(?:Move the file|Copy this page|Delete|\+ Add a block)/,
  })
  for (const [file, count] of [
    ['content/oak.md', 4],
    ['data/team.yaml', 0],
  ] as const) {
    await page.goto(`${studio}?slug=/~${file}`)
    await page.getByRole('heading', { name: `Document ${file}` }).waitFor()
    t.equal(await actions.count(), count, file)
  }
  await page.goto(`${studio}?slug=/~content/oak.md`)
  await actions.filter({ hasText: 'Copy this page' }).click()
  await page.getByRole('heading', { name: 'Document content/oak-copy.md' }).waitFor()
})

t.test('a text of a template is offered nothing that its file refuses', inBrowser, async (t) => {
  const { page, studio } = await open(t)
  await page.goto(`${studio}?slug=/~pages/about.html`)
  const outline = page.getByRole('tree', { name: 'Blocks' })
  await outline.getByRole('treeitem', { name: /^Texts/ }).click()
  await page.locator('.fields').getByText('We build boats by hand').click()
  await page.locator('.fields').getByRole('textbox').waitFor()
  await outline.getByRole('treeitem', { name: /^Texts/ }).focus()
  const offered = () => outline.getByRole('menuitem', { includeHidden: true }).allTextContents()
  t.strictSame(await offered(), ['Edit Enter'])
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  t.strictSame(await offered(), ['Edit Enter'])
  t.equal(await page.getByRole('button', { name: /^(?:Move|Copy|Delete|\+ Add)/ }).count(), 0)
  await page.keyboard.press('ControlOrMeta+d')
  await says(page, /^About boats stays where it is\.$/)

  await page.goto(`${studio}?slug=/~content/oak.md`)
  await page.getByRole('button', { name: '+ Add a block' }).click()
  const types = page.getByRole('dialog', { name: /^Add a block/ }).getByRole('option')
  await types.first().waitFor()
  const names = (await types.allTextContents()).join()
  t.match(names, 'Paragraph')
  t.notMatch(names, /Component|Source|Texts|Data/)
})

t.test('a picture is exchanged for another one of the website', inBrowser, async (t) => {
  const { folder, page, frame, call } = await open(t)
  mkdirSync(join(folder, 'assets'))
  for (const path of ['public/img/oak', 'public/img/elm', 'assets/ash', 'assets/yew'])
    writeFileSync(join(folder, `${path}.png`), png(8, 8))
  git(folder, 'add', '.')
  const picture = frame.locator('img[data-editable-target=cover]')
  await picture.waitFor()
  await picture.click()
  await page.waitForTimeout(600)
  await picture.click()
  const dialog = page.getByRole('dialog', { name: /^Choose a picture/ })
  await dialog.getByTitle('elm.png').click()
  await dialog.getByLabel('Image description').fill('A boat of elm')
  await dialog.getByRole('button', { name: 'Use this picture' }).click()
  await says(page, /saved/)
  await frame.locator('img[src="/img/elm.png"]').waitFor()

  const photo = frame.locator('#photo[data-editable-target]')
  await photo.waitFor()
  await photo.click()
  await page.waitForTimeout(600)
  await photo.click()
  await dialog.getByTitle('yew.png').click()
  await dialog.getByRole('button', { name: 'Use this picture' }).click()
  await frame.locator('img[src="/assets/yew.png"]').waitFor()
  t.match(await call('/publish', { siteId: 'boats', session: 'dev' }), { status: 'ready' })
  t.strictSame(
    changedLines(folder).filter((line) => /cover|photo/.test(line)),
    [
      '-cover: /img/oak.png',
      '-coverAlt: A boat of oak',
      '-photo: ../assets/ash.png',
      '+cover: /img/elm.png',
      '+coverAlt: A boat of elm',
      '+photo: ../assets/yew.png',
    ],
  )
  await page.locator('.rail').getByRole('button', { name: 'Media' }).click()
  await page.getByRole('group', { name: 'Source' }).getByText('Website').click()
  await page.locator('.shelf').getByTitle('yew.png').waitFor()
})

t.test(
  'a picture of this machine is in the draft at once, and in the website with its publish',
  inBrowser,
  async (t) => {
    const { folder, page, frame, call } = await open(t)
    mkdirSync(join(folder, 'assets'))
    for (const path of ['public/img/oak', 'assets/ash']) writeFileSync(join(folder, `${path}.png`), png(8, 8))
    git(folder, 'add', '.')
    git(folder, 'commit', '--quiet', '--message', 'Oak')
    const state = () => git(folder, 'status', '--porcelain', '-uall')
    const shown = frame.locator('img[src="/img/a-boat-of-elm.png"]')
    const widthOf = (picture: Locator) =>
      picture.evaluate((each) => (each instanceof HTMLImageElement ? each.naturalWidth : 0))
    const upload = async (field: string, words: string, shown: Locator) => {
      const picture = frame.locator(`img[data-editable-target=${field}]`)
      await picture.waitFor()
      const dialog = page.getByRole('dialog', { name: /^Choose a picture/ })
      await picture.click()
      await page.waitForTimeout(600)
      if (!(await dialog.isVisible())) await picture.click()
      const buffer = png(64, 32)
      await dialog
        .locator('input[type=file]')
        .setInputFiles({ name: 'IMG 1.png', mimeType: 'image/png', buffer })
      if (words !== '') await dialog.getByLabel('Image description').fill(words)
      await dialog.getByRole('button', { name: 'Use this picture' }).click()
      await says(page, /saved/)
      await shown.waitFor()
      await eventually(async () => (await widthOf(shown)) === 64)
    }
    await upload('cover', 'A boat of elm', shown)
    const field = page.locator('.choose-picture img').first()
    await eventually(async () => (await widthOf(field)) === 64)
    t.equal(state(), '', 'nothing is in the folder')
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
    await frame.locator('img[src="/img/oak.png"]').waitFor()
    t.match(await call('/publish', { siteId: 'boats', session: 'dev' }), { status: 'ready' })
    t.equal(state(), '', 'nor after a publish of what was undone')

    await upload('cover', 'A boat of elm', shown)
    t.match(await call('/publish/files?siteId=boats&session=dev'), {
      files: [{ path: 'content/index.md' }, { path: 'public/img/a-boat-of-elm.png' }],
    })
    t.match(await call('/publish', { siteId: 'boats', session: 'dev' }), { status: 'ready' })
    t.equal(state(), ' M content/index.md\n?? public/img/a-boat-of-elm.png\n')
    t.strictSame(changedLines(folder), [
      '-cover: /img/oak.png',
      '-coverAlt: A boat of oak',
      '+cover: /img/a-boat-of-elm.png',
      '+coverAlt: A boat of elm',
    ])
    await eventually(async () => (await widthOf(shown)) === 64)

    await upload('photo', '', frame.locator('img[src="/assets/img-1.png"]'))
    const beside = page.locator('.choose-picture img[src$="/~editor/files/assets/img-1.png"]')
    await eventually(async () => (await widthOf(beside)) === 64)
    t.match(await call('/publish', { siteId: 'boats', session: 'dev' }), { status: 'ready' })
    t.match(state(), /\n\?\? assets\/img-1\.png\n/)
    t.match(changedLines(folder), { 5: '+photo: ../assets/img-1.png' })
  },
)
