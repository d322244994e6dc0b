/** The bridge between an editor and the page in its frame, in a real browser. */
import t, { type Test } from 'tap'
import { inBrowser } from '../helpers/chromium.ts'
import { serveDemo } from '../helpers/serve-demo.ts'
import { fifteenSteps, ownRules, sixRefusals } from './acceptance.ts'
import { Editor, serveHost } from './editor.ts'
import { prepareRun } from './run.ts'

const secret = 'a secret for drafts, 32 characters'

/** Starts the demo site, and an editor at the loopback name of the run. */
async function start(t: Test, host = 'localhost') {
  const editorOrigin = (await serveHost(t)).replace('127.0.0.1', host)
  const { origin } = await serveDemo(t, { DRAFT_MODE_SECRET: secret, EDITOR_CORS_ORIGINS: editorOrigin })
  const { sites } = (await (await fetch(`${origin}/sites`)).json()) as { sites: { previewUrl: string }[] }
  const site = sites[0]?.previewUrl ?? ''
  const website = { origin: site, orchestrator: origin, siteId: 'demo', secret, admits: 'secret' } as const
  return prepareRun(t, website, editorOrigin)
}

t.test('an existing editor works with the demo site, unmodified', inBrowser, async (t) => {
  await fifteenSteps(t, await start(t))
})

t.test('so does one at the other loopback name, admitted by the secret', inBrowser, async (t) => {
  await fifteenSteps(t, await start(t, '127.0.0.1'))
})

t.test('hostile messages and strangers change nothing', inBrowser, async (t) => {
  const run = await start(t)
  await sixRefusals(t, run, await run.open((await serveHost(t)).replace('127.0.0.1', 'localhost')))
})

t.test('an editor that confirms the nonce of a document owns the channel', inBrowser, async (t) => {
  await ownRules(t, await start(t))
})

t.test(
  'a text that was taken away keeps its place for an editor that confirms the nonce',
  inBrowser,
  async (t) => {
    const { page, address, editorOrigin, edit } = await start(t)
    await edit([{ op: 'update_props', pageSlug: '/', blockId: 'b_hero', patch: { heading: '' } }])
    const editor = new Editor(page)
    await editor.open(address('/', editorOrigin), { mode: true })
    const heading = editor.frame.locator('[data-block-id="b_hero"] [data-editable-target="heading"]')
    await editor.frame.locator('html[data-editor-selection-mode]').waitFor()
    t.equal(await heading.isVisible(), false, 'other editors see the page as visitors do')
    const ribbon = editor.frame.locator('.ribbon')
    t.equal(await ribbon.isVisible(), true, 'with the mark of a draft')
    await editor.frame.click('[data-block-id="b_hero"]', { position: { x: 4, y: 4 } })
    await page.keyboard.press('Enter')
    const typed = editor.frame.locator('.editor-inline-editing')
    t.equal(await typed.getAttribute('data-editable-target'), 'subheading', 'the first text that is there')
    await page.keyboard.press('Escape')

    await editor.news()
    await editor.open(address('/', editorOrigin), { answers: false })
    const { payload } = await editor.next('routeChanged')
    const { nonce } = payload['bridge'] as { readonly nonce: string }
    await editor.send('hello', { nonce, version: '1.1' })
    await editor.send('setSelectionMode', { enabled: true }, { nonce })
    await heading.click()
    t.equal(await ribbon.isVisible(), false, 'which this one replaces by its own')
    t.match((await editor.next('blockClicked')).payload, { blockId: 'b_hero', editablePath: 'heading' })
    await heading.dblclick()
    await page.keyboard.type('New')
    await page.keyboard.press('Enter')
    const committed = await editor.next('inlineTextCommitted')
    t.match(committed.payload, { editablePath: 'heading', value: 'New', initialValue: '' })

    // Tab goes on to the next text, and Shift Tab back.
    const inText = (path: string) =>
      editor.frame.locator(`[data-editable-target="${path}"].editor-inline-editing`).first()
    await heading.dblclick()
    await inText('heading').waitFor()
    await page.keyboard.press('Tab')
    await inText('subheading').waitFor()
    t.match((await editor.next('blockClicked')).payload, { blockId: 'b_hero' })
    await page.keyboard.press('Shift+Tab')
    await inText('heading').waitFor()
    await page.keyboard.press('Escape')
  },
)

t.test('a page of Next.js is changed only once React has taken it over', inBrowser, async (t) => {
  const { page, address, editorOrigin } = await start(t)
  const shown = address('/', editorOrigin)
  await page.route('**/_next/app.js', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: `setTimeout(() => {
        const html = document.documentElement
        const marks = html.getAttributeNames().filter((name) => name.startsWith('data-editor'))
        window.found = [...marks, ...document.querySelectorAll('editor-overlay, .editor-highlight')].length
        html.__reactFiber$1 = {}
      }, 600)`,
    }),
  )
  await page.route(
    (url) => url.origin === new URL(shown).origin && url.pathname === '/',
    async (route) => {
      const response = await route.fetch()
      const { 'content-security-policy': _, ...headers } = response.headers()
      const next = '<script async src="/_next/app.js"></script></head>'
      await route.fulfill({ headers, body: (await response.text()).replace('</head>', next) })
    },
  )
  const editor = new Editor(page)
  await editor.open(shown, { mode: true })
  await editor.frame.locator('html[data-editor-active][data-editor-selection-mode]').waitFor()
  t.equal(await editor.frame.evaluate('window.found'), 0, 'nothing is added before')
})

t.test('a skeleton has a box', inBrowser, async (t) => {
  const { page, address, editorOrigin, edit } = await start(t)
  await edit([{ op: 'create_page', page: { slug: '/blank', title: 'Blank', blocks: [] } }])
  const editor = new Editor(page)
  for (const [slug, afterBlockId] of [
    ['/', 'b_hero'],
    ['/', null],
    ['/blank', null],
  ] as const) {
    await editor.open(address(slug, editorOrigin), { mode: true })
    await editor.frame.locator('html[data-editor-selection-mode]').waitFor()
    await editor.send('showSkeleton', { afterBlockId, blockType: 'CTA' })
    const skeleton = editor.frame.locator('editor-overlay .skeleton')
    await skeleton.waitFor()
    t.ok(await skeleton.evaluate((element) => element.getBoundingClientRect().width > 100), slug)
  }
})

t.test('a mark has a box, and what is under a resting pointer is shown at once', inBrowser, async (t) => {
  const { page, address, editorOrigin } = await start(t)
  const editor = new Editor(page)
  await editor.open(address('/', editorOrigin), { mode: true })
  const { frame } = editor
  await frame.locator('html[data-editor-selection-mode]').waitFor()
  const field = (path: string) => frame.locator(`[data-block-id="b_hero"] [data-editable-target="${path}"]`)
  const mark = await field('imageUrl').boundingBox()
  t.strictSame(
    mark,
    await field('imageUrl').locator('img').boundingBox(),
    'that of a picture is as large as it',
  )

  const hover = frame.locator('editor-overlay .hover')
  const heading = field('heading')
  const around = await heading.boundingBox()
  await heading.evaluate((element) => {
    const inner = document.createElement('span')
    inner.append(...element.childNodes)
    inner.style.display = 'block'
    element.append(inner)
    element.style.display = 'contents'
  })
  await heading.locator('span').hover()
  await hover.waitFor()
  t.equal((await hover.boundingBox())?.width, around?.width, 'one without a box has that of its content')

  await editor.send('setNestedLabelsVisibility', { visible: true })
  await hover.locator('.tag').waitFor()
  t.match(await hover.locator('.tag').textContent(), /heading/i, 'its label needs no move of the pointer')
  await editor.send('setNestedLabelsVisibility', { visible: false })
  await hover.locator('.tag').waitFor({ state: 'detached' })
  await editor.setMode(false)
  await hover.waitFor({ state: 'detached' })
  await editor.setMode(true)
  await hover.waitFor()
  t.pass('nor does the selection mode')
  await editor.frame.locator('html').dispatchEvent('pointerleave')
  await hover.waitFor({ state: 'detached' })
  t.pass('and nothing is outlined once the pointer has left the page')
})

t.test('what the editor scrolls to is in sight, whatever the page does meanwhile', inBrowser, async (t) => {
  const { page, site, address, editorOrigin, edit } = await start(t)
  const editor = new Editor(page)
  await editor.open(address('/', editorOrigin), { mode: true })
  const { frame } = editor
  await frame.locator('html[data-editor-selection-mode]').waitFor()
  const highlight = (blockId: string | null) => ({
    protocol: 'site-editor/v1',
    type: 'highlightBlock',
    payload: { blockId, editablePath: blockId && 'title', scrollIntoView: true },
  })
  const atTop = async (): Promise<void> => {
    await editor.post(highlight(null))
    await frame.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
  }
  /** The place of the title in the window, once the page rests. */
  const place = async () => {
    await frame.waitForFunction((last: { at?: number; since?: number }) => {
      if (last.at !== scrollY) Object.assign(last, { at: scrollY, since: performance.now() })
      return performance.now() - (last.since ?? 0) > 500
    }, {})
    return frame.locator('[data-block-id="b_cards"] h2').evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect()
      return { top: Math.round(top), isIn: top >= 0 && Math.floor(bottom) <= innerHeight }
    })
  }
  await editor.post(highlight('b_cards'))
  const wanted = await place()
  t.equal(wanted.isIn, true)

  for (const [what, heading] of [
    ['the page is shown again', 'Another'],
    ['it becomes longer above', 'Another and a much longer one '.repeat(30)],
  ] as const) {
    await atTop()
    const begun = Promise.withResolvers<void>()
    await page.route(`${site}/?*`, async (route) => {
      const response = await route.fetch()
      await begun.promise
      await route.fulfill({ response })
    })
    const asked = page.waitForRequest(`${site}/?*`)
    await edit([{ op: 'update_props', pageSlug: '/', blockId: 'b_hero', patch: { heading } }])
    await asked
    await editor.post(highlight('b_cards'))
    setTimeout(begun.resolve, 100)
    await frame.getByText(heading.trim()).waitFor()
    t.ok(Math.abs((await place()).top - wanted.top) <= 1, what)
    await page.unroute(`${site}/?*`)
  }

  for (const isByPerson of [false, true]) {
    await atTop()
    await page.evaluate(() => (document.querySelector('iframe')!.style.height = '600px'))
    await editor.post(highlight('b_cards'))
    if (isByPerson) await frame.evaluate(() => dispatchEvent(new WheelEvent('wheel')))
    await page.evaluate(() => (document.querySelector('iframe')!.style.height = '160px'))
    t.equal((await place()).isIn, !isByPerson, 'its frame becomes less high, unless the person scrolls')
  }
})

t.test('an editor learns why no draft is shown', inBrowser, async (t) => {
  const { page, site, editorOrigin } = await start(t)
  const editor = new Editor(page)
  const query = new URLSearchParams({ session: 'other', siteId: 'demo', editorOrigin, __editor: '1' })
  await editor.open(`${site}/?${query}`)
  const { payload } = await editor.next('previewStatus')
  t.strictSame(payload, { slug: '/', state: 'published', reason: 'not_let_in' })
  t.strictSame(await editor.silence(), [], 'a published page says nothing else')
})

t.test('an editor learns that the draft was left, and the page keeps it in sight', inBrowser, async (t) => {
  const { page, site, address, editorOrigin, edit } = await start(t)
  const editor = new Editor(page)
  await editor.open(address('/', editorOrigin), { mode: true })
  await editor.frame.locator('html[data-editor-selection-mode]').waitFor()
  const query = new URLSearchParams({ session: 'bridge', siteId: 'demo', editorOrigin, __editor: '1' })
  const published = await (await fetch(`${site}/?${query}`)).text()
  const answerWith = async (body: string): Promise<void> => {
    await page.unroute(`${site}/?*`)
    await page.route(`${site}/?*`, (route) => route.fulfill({ body, contentType: 'text/html' }))
  }
  const change = (patch: object) => edit([{ op: 'update_props', pageSlug: '/', blockId: 'b_hero', patch }])
  await editor.news()
  await answerWith(published)
  await change({ heading: 'Later' })
  const { payload } = await editor.next('previewStatus')
  t.strictSame(payload, { slug: '/', state: 'published', reason: 'not_let_in' })
  t.equal(await editor.frame.locator('[data-block-id="b_hero"]').count(), 1)

  await answerWith(published.replace('"reason":"not_let_in"', '"reason":"orchestrator_unreachable"'))
  await change({ heading: 'Last' })
  t.strictSame(await editor.silence(), [], 'a service that is away for a moment ends nothing')

  await page.unroute(`${site}/?*`)
  await page.route(`${site}/?*`, (route) => route.fulfill({ status: 502, body: '<h1>502 Bad Gateway</h1>' }))
  const looked = () => page.waitForResponse(`${site}/?*`)
  await Promise.all([looked(), change({ heading: 'Unseen' })])
  await looked()
  t.equal(await editor.frame.locator('[data-block-id="b_hero"]').count(), 1, 'nor does the answer of a proxy')

  const heading = editor.frame.locator('[data-block-id="b_hero"] h1')
  await heading.dblclick()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Typed')
  await editor.next('blockClicked')
  await answerWith(published)
  await Promise.all([looked(), change({ subheading: 'Meanwhile' })])
  t.strictSame(await editor.silence(), [], 'a page in which a text is typed is not left')
  await page.keyboard.press('Enter')
  t.equal((await editor.next('inlineTextCommitted')).payload['value'], 'Typed')
  await editor.next('previewStatus')
  await page.unroute(`${site}/?*`)
  await change({ heading: 'Last' })
  await change({ subheading: 'Back' })
  await editor.frame.getByRole('heading', { name: 'Last' }).waitFor()
})
