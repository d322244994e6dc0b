import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { Editor, pause } from './editor.ts'

/** The draft of the run. */
export const pages = [
  {
    id: 'p_home',
    slug: '/',
    title: 'Home',
    updatedAt: '2026-01-01T12:00:00.000Z',
    blocks: [
      {
        id: 'b_hero',
        type: 'Hero',
        props: {
          heading: 'First heading',
          subheading: 'First sub',
          ctaText: 'More',
          ctaHref: '/about',
          imageUrl: '/a.png',
        },
      },
      {
        id: 'b_cards',
        type: 'CardGrid',
        props: {
          title: 'Cards',
          cards: [1, 2, 3].map((n) => ({
            title: `Card ${n}`,
            description: `Text ${n}`,
            ctaText: 'Go',
            ctaHref: '#',
          })),
        },
      },
      {
        id: 'b_text',
        type: 'RichText',
        props: { body: Array.from({ length: 60 }, (_, n) => `Paragraph ${n}`).join('\n\n') },
      },
    ],
  },
  {
    id: 'p_about',
    slug: '/about',
    title: 'About',
    updatedAt: '2026-01-01T12:00:00.000Z',
    blocks: [
      { id: 'b_about', type: 'RichText', props: { body: 'About us' } },
      { id: 'b_cta', type: 'CTA', props: { title: 'Back', ctaText: 'Home', ctaHref: '/' } },
    ],
  },
]

export interface Run {
  /** The host page of a listed origin. */
  readonly page: Page
  /** The origin of the site. */
  readonly site: string
  /** Returns the address of a draft page for an editor at an origin. */
  readonly address: (slug: string, editorOrigin: string) => string
  readonly editorOrigin: string
  /** Applies operations to the draft. */
  readonly edit: (ops: readonly object[]) => Promise<void>
}

const selected = '.editor-highlight'
const field = (block: string, path: string): string =>
  `[data-block-id="${block}"] [data-editable-target="${path}"]`

/** Fifteen steps of an existing editor, which knows no handshake. */
export async function fifteenSteps(t: Test, { page, site, address, editorOrigin, edit }: Run): Promise<void> {
  const editor = new Editor(page)
  const isSelected = (id: string) =>
    editor.frame.evaluate(
      ([selected, id]) => document.querySelector(selected ?? '')?.getAttribute('data-block-id') === id,
      [selected, id],
    )
  const shown = async (block: string, path: string, text: string): Promise<boolean> => {
    const found = editor.frame.locator(field(block, path)).filter({ hasText: text })
    return found.waitFor({ timeout: 20_000 }).then(
      () => true,
      () => false,
    )
  }

  await editor.open(address('/', editorOrigin))
  const first = await editor.next('routeChanged')
  t.match(first, { payload: { slug: '/' }, origin: site, isOfFrame: true }, '1: the page announces itself')
  await pause(500)
  t.strictSame(
    (await editor.all()).filter(({ type }) => type !== 'routeChanged'),
    [],
    '1: and says nothing else',
  )
  await editor.news()

  await editor.frame.click(field('b_hero', 'subheading'))
  t.strictSame(await editor.silence(), [], '2: a click says nothing while the mode is off')

  const selects = () => editor.frame.locator('html[data-editor-selection-mode]').waitFor()
  await editor.setMode(true)
  await selects()
  await editor.frame.click(field('b_hero', 'subheading'))
  const clicked = await editor.next('blockClicked')
  const { anchorRect, ...named } = clicked.payload
  t.strictSame(
    named,
    { slug: '/', blockId: 'b_hero', blockType: 'Hero', editablePath: 'subheading', editableValue: null },
    '3: a click selects',
  )
  t.ok(Object.values(anchorRect as object).every(Number.isFinite), '3: with its place')

  const nothing = { blockId: null, blockType: null, editablePath: null, anchorRect: null }
  await pause(600)
  await editor.frame.click(field('b_hero', 'subheading'))
  t.match((await editor.next('blockClicked')).payload, nothing, '4: another click clears')
  await pause(600)
  await editor.frame.click(field('b_hero', 'subheading'))
  await editor.next('blockClicked')
  await editor.frame.evaluate(() =>
    document
      .querySelector('main')
      ?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true })),
  )
  t.match((await editor.next('blockClicked')).payload, nothing, '4: so does one beside all blocks')

  await editor.news()
  await editor.send('highlightBlock', { blockId: 'b_text', editablePath: null, scrollIntoView: true })
  await editor.frame.locator(`[data-block-id="b_text"]${selected}`).waitFor()
  await editor.frame.waitForFunction(() => {
    const area = document.querySelector('[data-block-id="b_text"]')?.getBoundingClientRect()
    return area !== undefined && area.top < innerHeight && area.bottom > 0
  })
  t.pass('5: the editor selects and scrolls')
  t.strictSame(await editor.silence(), [], '5: without an echo')

  await editor.send('highlightBlock', { blockId: 'b_cards', editablePath: null, scrollIntoView: true })
  await editor.frame.locator(`[data-block-id="b_cards"]${selected}`).waitFor()
  await editor.tool('move-down').click()
  t.match(
    (await editor.next('blockReordered')).payload,
    { blockId: 'b_cards', afterBlockId: 'b_text' },
    '6: down',
  )
  await editor.tool('move-up').click()
  t.match((await editor.next('blockReordered')).payload, { blockId: 'b_cards', afterBlockId: null }, '6: up')
  await editor.frame.locator('body').press('Alt+ArrowDown')
  t.match((await editor.next('blockReordered')).payload, { afterBlockId: 'b_text' }, '6: by key')

  await editor.send('highlightBlock', { blockId: 'b_hero', editablePath: null, scrollIntoView: true })
  await editor.frame.locator(`[data-block-id="b_hero"]${selected}`).waitFor()
  await editor.tool('add-above').click()
  t.strictSame((await editor.next('blockAddRequested')).payload, { slug: '/', beforeBlockId: 'b_hero' }, '7')
  await editor.tool('add-below').click()
  t.strictSame((await editor.next('blockAddRequested')).payload, { slug: '/', afterBlockId: 'b_hero' }, '7')

  await editor.tool('delete').click()
  t.strictSame(await editor.silence(), [], '8: a deletion waits for a confirmation')
  await editor.tool('confirm').click()
  t.match((await editor.next('blockDeleteRequested')).payload, { blockId: 'b_hero', blockType: 'Hero' }, '8')

  await editor.send('highlightBlock', { blockId: 'b_cards', editablePath: null, scrollIntoView: true })
  await editor.frame.locator(`[data-block-id="b_cards"]${selected}`).waitFor()
  const row = (action: string, at: number) => editor.tool(action, `[data-list="cards"][data-row="${at}"]`)
  const of = { blockId: 'b_cards', blockType: 'CardGrid', listKey: 'cards' }
  await row('row-move-down', 0).click()
  t.match((await editor.next('listItemMoveRequested')).payload, { ...of, index: 0, afterIndex: 0 }, '9: down')
  await row('row-move-up', 1).click()
  const up = await editor.next('listItemMoveRequested')
  t.strictSame(up.payload, { slug: '/', ...of, index: 1 }, '9: up to the first place')
  await row('row-add', 2).click()
  t.match((await editor.next('listItemAddRequested')).payload, { ...of, afterIndex: 2 }, '9: add')
  await row('row-delete', 1).click()
  await editor.tool('confirm').click()
  t.match((await editor.next('listItemRemoveRequested')).payload, { ...of, index: 1 }, '9: delete')

  const type = async (block: string, path: string, text: string, end: string): Promise<void> => {
    const target = editor.frame.locator(field(block, path))
    await target.dblclick()
    await page.keyboard.press('ControlOrMeta+a')
    if (text !== '') await page.keyboard.type(text)
    await page.keyboard.press(end)
  }
  await type('b_hero', 'heading', 'Typed <b>here</b>', 'Enter')
  t.match(
    (await editor.next('inlineTextCommitted')).payload,
    {
      blockId: 'b_hero',
      blockType: 'Hero',
      editablePath: 'heading',
      value: 'Typed <b>here</b>',
      initialValue: 'First heading',
    },
    '10: a text is typed in place',
  )
  await type('b_cards', 'cards[1].title', 'Another', 'Enter')
  t.match(
    (await editor.next('inlineTextCommitted')).payload,
    { editablePath: 'cards[1].title', value: 'Another' },
    '10: in a row as well',
  )
  await edit([{ op: 'update_props', pageSlug: '/', blockId: 'b_hero', patch: { heading: 'Stored' } }])
  await shown('b_hero', 'heading', 'Stored')
  await editor.news()
  await type('b_hero', 'subheading', 'Never', 'Escape')
  await type('b_hero', 'subheading', 'First sub', 'Enter')
  t.strictSame(
    (await editor.silence()).filter(({ type }) => type.startsWith('inlineText')),
    [],
    '10: Escape and an unchanged text say nothing',
  )
  t.ok(await shown('b_hero', 'subheading', 'First sub'), '10: the old text is back')

  await editor.tool('image', '[data-path="imageUrl"]').first().click()
  t.match(
    (await editor.next('openImagePicker')).payload,
    { blockId: 'b_hero', editablePath: 'imageUrl', currentUrl: '/a.png' },
    '11: a picture is chosen',
  )

  await editor.send('highlightBlock', { blockId: 'b_cards', editablePath: null, scrollIntoView: true })
  await editor.frame.locator(`[data-block-id="b_cards"]${selected}`).waitFor()
  await pause(1000)
  const scroll = await editor.frame.evaluate(() => {
    const text = document.querySelector('[data-block-id="b_text"]')
    Object.assign(window, { sameDocument: true, text })
    return scrollY
  })
  await edit([{ op: 'update_props', pageSlug: '/', blockId: 'b_cards', patch: { title: 'New cards' } }])
  await editor.send('draftUpdated', { focusBlockId: 'b_cards' })
  t.ok(await shown('b_cards', 'title', 'New cards'), '12: a change shows')
  t.strictSame(
    await editor.frame.evaluate(() => {
      const { sameDocument, text } = window as unknown as { sameDocument?: boolean; text?: Element }
      return { sameDocument, same: text === document.querySelector('[data-block-id="b_text"]'), scrollY }
    }),
    { sameDocument: true, same: true, scrollY: scroll },
    '12: in the same document, next to the same blocks, without scrolling',
  )
  t.ok(await isSelected('b_cards'), '12: the selection stays')

  const parts = () => editor.frame.locator('editor-overlay .skeleton, editor-overlay .shimmer').count()
  await editor.news()
  await editor.send('showSkeleton', { afterBlockId: 'b_hero', blockType: 'CTA' })
  await editor.send('aiFieldLoading', { blockId: 'b_hero', active: true })
  await editor.frame.locator('editor-overlay .skeleton').waitFor({ state: 'attached' })
  t.ok((await parts()) >= 2, '13: placeholders appear')
  await editor.send('removeSkeleton', {})
  await editor.send('aiFieldLoading', { blockId: null, active: false })
  await editor.frame.locator('editor-overlay .skeleton').waitFor({ state: 'detached' })
  t.equal(await parts(), 0, '13: and go')
  await editor.send('scrollToBlock', { blockId: 'b_text', behavior: 'auto', block: 'start' })
  await pause(300)
  const scrolls = () =>
    page.evaluate(
      () =>
        (window as unknown as { heard: { type: string }[] }).heard.filter(
          ({ type }) => type === 'iframeScrolled',
        ).length,
    )
  const before = await scrolls()
  await editor.send('scrollToBlock', { blockId: 'b_hero', behavior: 'auto', block: 'start' })
  await pause(300)
  t.equal(await scrolls(), before, '13: a scroll of the editor is not reported')
  await pause(900)
  await page.mouse.move(400, 300)
  await page.mouse.wheel(0, 200)
  await page.waitForFunction(
    (before) =>
      (window as unknown as { heard: { type: string }[] }).heard.filter(
        ({ type }) => type === 'iframeScrolled',
      ).length > before,
    before,
  )
  t.pass('13: one of the person is')

  await editor.setMode(false)
  await editor.news()
  await editor.frame.click('nav a[href="/about"]')
  t.match((await editor.next('routeChanged')).payload, { slug: '/about' }, '14: a menu link')
  t.equal(
    await editor.frame.textContent('[data-block-id="b_about"]').then((text) => text?.trim()),
    'About us',
  )
  await editor.setMode(false)
  await pause(200)
  await editor.frame.click('[data-block-id="b_cta"] a')
  t.match((await editor.next('routeChanged')).payload, { slug: '/' }, '14: a link of a block')
  await editor.setMode(true)
  await selects()
  t.ok(await shown('b_hero', 'heading', 'Stored'), '14: still the draft')
  await editor.frame.click(field('b_hero', 'heading'))
  t.match((await editor.next('blockClicked')).payload, { blockId: 'b_hero' }, '14: the bridge is alive')

  await editor.send('draftUpdated', { focusBlockId: null, navigateTo: '/about' })
  t.match((await editor.next('routeChanged')).payload, { slug: '/about' }, '15: the editor navigates')
}

/** Six refusals. `stranger` is a host page at an origin that the site does not list. */
export async function sixRefusals(t: Test, run: Run, stranger: Page): Promise<void> {
  const { page, site, address, editorOrigin } = run
  const editor = new Editor(page)
  const heading = field('b_hero', 'heading')
  await editor.open(address('/', editorOrigin), { mode: true })
  await editor.next('routeChanged')
  await editor.frame.locator('html[data-editor-selection-mode]').waitFor()

  await editor.frame.dblclick(heading)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Left unfinished')
  await page.click('#outside')
  t.match(
    (await editor.next('inlineTextCommitted')).payload,
    { value: 'Left unfinished' },
    '16: typing is kept',
  )

  const hostile = '<img src=x onerror=alert(1)>[a](" onclick=alert(1))[b](javascript:alert(1))'
  const original = await editor.frame.textContent(field('b_text', 'body'))
  await editor.send('liveDraft', { blockId: 'b_text', text: '', active: true, fields: { body: hostile } })
  await editor.frame.locator(field('b_text', 'body')).filter({ hasText: 'onerror' }).waitFor()
  t.equal(
    await editor.frame.locator(`${field('b_text', 'body')} :is(img, a, [onclick], [onerror])`).count(),
    0,
    '17: live text is text',
  )
  await editor.send('liveDraft', { blockId: 'b_text', text: '', active: false })
  await editor.frame.locator(field('b_text', 'body')).filter({ hasText: 'Paragraph 59' }).waitFor()
  t.equal(await editor.frame.textContent(field('b_text', 'body')), original, '17: and its own text returns')

  const errors: string[] = []
  page.on('pageerror', (error) => void errors.push(error.message))
  for (const message of [null, 7, 'text', [], {}, { protocol: 'site-editor/v2', type: 'navigate' }])
    await editor.post(message)
  await editor.send('setSelectionMode')
  await editor.send('highlightBlock', { blockId: 7 })
  await editor.send('unknown', {})
  const shown = editor.frame.url()
  for (const href of [
    '//evil.test',
    '/\\evil.test',
    'https://evil.test/',
    '/\t/evil.test',
    'javascript:alert(1)',
    ' //evil.test',
    '/%2f%2fevil.test',
  ]) {
    await editor.send('navigate', { href })
    await editor.send('draftUpdated', { focusBlockId: null, navigateTo: href })
  }
  await pause(500)
  t.equal(editor.frame.url(), shown, '18: the page stays, at its site')
  t.strictSame(errors, [], '18: without an exception')
  await editor.open(address('/', editorOrigin), { mode: true })
  await editor.next('routeChanged')

  await editor.frame.locator('html[data-editor-selection-mode]').waitFor()
  await page.evaluate(() => {
    const other = document.createElement('iframe')
    other.srcdoc = `<script>parent.frames[0].postMessage({ protocol: 'site-editor/v1', type: 'highlightBlock', payload: { blockId: 'b_text' } }, '*')</script>`
    document.body.append(other)
  })
  await pause(500)
  t.equal(await editor.frame.locator(selected).count(), 0, '19: another window is ignored')

  const other = new Editor(stranger)
  const strangerOrigin = new URL(stranger.url()).origin
  await other.open(address('/', strangerOrigin)).catch(() => undefined)
  await pause(1500)
  t.strictSame(await other.all(), [], '20: an editor that is not listed hears nothing')

  const published = await fetch(`${site}/?__editor=1&editorOrigin=${encodeURIComponent(editorOrigin)}`)
  t.notMatch(await published.text(), 'First sub', '21: without a credential the published page is shown')
}

/** What an editor that knows the handshake can rely on, besides. */
export async function ownRules(t: Test, run: Run): Promise<void> {
  const { page, address, editorOrigin, edit } = run
  const editor = new Editor(page)
  await editor.open(address('/', editorOrigin), { answers: false })
  const { payload } = await editor.next('routeChanged')
  const { nonce } = payload['bridge'] as { readonly nonce: string }
  await pause(4500)
  const waiting = await editor.news()
  t.ok(waiting.length <= 3, '23: an unanswered page announces itself at most four times')
  t.ok(
    waiting.every(({ type }) => type === 'routeChanged'),
    '23: and says nothing else',
  )
  t.equal(await editor.frame.locator('editor-overlay').count(), 0, '23: it has no tools yet')

  await editor.send('hello', { nonce: 'of another document', version: '1.1' })
  await editor.send('hello', { nonce, version: '1.1' })
  await editor.setMode(true)
  await pause(300)
  const isOn = () => editor.frame.locator('html[data-editor-selection-mode]').count()
  t.equal(await isOn(), 0, '22: a message without the nonce is dropped')
  await editor.send('setSelectionMode', { enabled: true }, { nonce })
  await editor.frame.locator('html[data-editor-selection-mode]').waitFor()
  await editor.frame.click(field('b_hero', 'heading'))
  t.equal((await editor.next('blockClicked')).nonce, nonce, '22: every message carries the nonce')
  const remove = editor.tool('delete')
  t.equal(await remove.getAttribute('aria-label'), 'Delete this block', 'a tool says what it does')
  await remove.click()
  t.match(
    (await editor.next('blockDeleteRequested')).payload,
    { blockId: 'b_hero' },
    'no confirmation is needed',
  )

  const names = { Hero: 'Opening', 'Hero.heading': 'Title' }
  await editor.send('setNames', { names }, { nonce })
  const tag = editor.frame.locator('editor-overlay .tag')
  await tag.getByText('Opening · Title – click again to type').waitFor()
  t.pass('the tag has the words of the editor')
  const sizeOfTag = () => tag.evaluate((element) => getComputedStyle(element).fontSize)
  t.equal(await sizeOfTag(), '12px')
  await editor.send('setScale', { factor: 0.5 }, { nonce })
  await editor.frame.waitForFunction(
    () => document.querySelector<HTMLElement>('editor-overlay')?.style.fontSize === '24px',
  )
  t.equal(await sizeOfTag(), '24px', 'tools stay readable where the page is drawn smaller')
  await editor.send('setScale', { factor: 1 }, { nonce })
  await pause(600)
  await editor.frame.click(field('b_hero', 'heading'), { position: { x: 2, y: 10 } })
  await page.keyboard.type('My ')
  t.equal(
    await editor.frame.textContent(field('b_hero', 'heading')),
    'My First heading',
    'another click types, where it was',
  )
  await page.keyboard.press('Escape')
  await pause(600)
  await editor.frame.click('[data-block-id="b_hero"]', { position: { x: 4, y: 4 } })
  await pause(600)
  await editor.frame.click('[data-block-id="b_hero"]', { position: { x: 4, y: 4 } })
  t.match(
    (await editor.silence()).filter(({ type }) => type === 'blockClicked').map(({ payload }) => payload),
    [{ blockId: 'b_hero', editablePath: null }],
    'and never clears the selection',
  )

  const change = (patch: object, blockId = 'b_hero') =>
    edit([{ op: 'update_props', pageSlug: '/', blockId, patch }])
  await change({ subheading: 'From elsewhere' })
  await editor.frame.locator(field('b_hero', 'subheading')).filter({ hasText: 'From elsewhere' }).waitFor()
  t.pass('24: a change of another client shows')

  await editor.frame.dblclick(field('b_hero', 'heading'))
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Half a ')
  let typed = await editor.next('inlineTextTyped')
  while (typed.payload['value'] !== 'Half a ') typed = await editor.next('inlineTextTyped')
  t.match(typed.payload, { editablePath: 'heading', initialValue: 'First heading' }, 'each key is sent')
  await change({ subheading: 'Meanwhile', heading: 'Replaced meanwhile' })
  await change({ title: 'Meanwhile' }, 'b_cards')
  await editor.frame.locator(field('b_cards', 'title')).filter({ hasText: 'Meanwhile' }).waitFor()
  await page.keyboard.type('sentence')
  t.equal(await editor.frame.textContent(field('b_hero', 'heading')), 'Half a sentence', '25: typing stays')
  await page.keyboard.press('Enter')
  t.match((await editor.next('inlineTextCommitted')).payload, { value: 'Half a sentence' }, '25: and is sent')
  await editor.frame.locator(field('b_hero', 'subheading')).filter({ hasText: 'Meanwhile' }).waitFor()

  await editor.frame.evaluate(() => {
    const blocks = [...document.querySelectorAll('main > [data-block-id]')]
    Object.assign(window, { blocks })
  })
  const same = (ids: readonly string[]) =>
    editor.frame.evaluate(
      (ids) =>
        ids.every((id) =>
          (window as unknown as { blocks: Element[] }).blocks.some(
            (block) => block.isConnected && block.getAttribute('data-block-id') === id,
          ),
        ),
      ids,
    )
  const order = (ids: string) =>
    editor.frame.waitForFunction(
      (ids) =>
        [...document.querySelectorAll('main > [data-block-id]')]
          .map((block) => block.getAttribute('data-block-id'))
          .join() === ids,
      ids,
    )
  const block = { id: 'b_new', type: 'RichText', props: { title: '', body: 'New' } }
  await editor.send('highlightBlock', { blockId: 'b_new', editablePath: null }, { nonce })
  await edit([{ op: 'add_block', pageSlug: '/', afterBlockId: 'b_hero', block }])
  await order('b_hero,b_new,b_cards,b_text')
  await editor.frame.locator(`[data-block-id="b_new"]${selected}`).waitFor()
  t.pass('a block is selected as soon as the page has it')
  await edit([{ op: 'move_block', pageSlug: '/', blockId: 'b_text', afterBlockId: 'b_hero' }])
  await order('b_hero,b_text,b_new,b_cards')
  await edit([{ op: 'remove_block', pageSlug: '/', blockId: 'b_new' }])
  await order('b_hero,b_text,b_cards')
  t.ok(await same(['b_hero', 'b_text', 'b_cards']), '26: the other blocks stay the same elements')

  const title = editor.frame.locator(field('b_cards', 'title'))
  const live = (more: object) =>
    editor.send('liveDraft', { blockId: 'b_cards', text: '', ...more }, { nonce })
  await live({ active: true, fields: { title: 'Being written' } })
  await title.filter({ hasText: 'Being written' }).waitFor()
  await change({ title: 'Changed meanwhile' }, 'b_cards')
  await change({ subheading: 'Beside it' })
  await editor.frame.locator(field('b_hero', 'subheading')).filter({ hasText: 'Beside it' }).waitFor()
  t.equal(await title.textContent(), 'Being written', 'live text stays when the page is shown again')
  await live({ active: false })
  await title.filter({ hasText: 'Changed meanwhile' }).waitFor()
  t.pass('and then gives way to the newest text')

  const older = await (await fetch(address('/', editorOrigin))).text()
  await editor.frame.evaluate(() => {
    const seen: string[] = []
    const note = () => void seen.push(document.querySelector('[data-block-id="b_hero"] p')?.textContent ?? '')
    new MutationObserver(note).observe(document.body, { childList: true, subtree: true, characterData: true })
    Object.assign(window, { seen })
  })
  await change({ subheading: 'Newer' })
  await editor.frame.locator(field('b_hero', 'subheading')).filter({ hasText: 'Newer' }).waitFor()
  let answers = 0
  await page.route(`${run.site}/?*`, (route) =>
    ++answers === 1 ? route.fulfill({ body: older, contentType: 'text/html' }) : route.continue(),
  )
  await change({ subheading: 'Newest' })
  await editor.frame.locator(field('b_hero', 'subheading')).filter({ hasText: 'Newest' }).waitFor()
  const seen = await editor.frame.evaluate(() => (window as unknown as { seen: string[] }).seen)
  t.ok(
    answers > 1 && !seen.slice(seen.indexOf('Newer')).includes('Meanwhile'),
    '27: an older page is not shown',
  )
  await page.unroute(`${run.site}/?*`)

  await editor.post({ source: 'site-editor/v1', type: 'applyPatch', txId: 'tx', toVersion: 3, nonce })
  t.match((await editor.next('patchAck')).data, { txId: 'tx', accepted: true }, '28: a patch is acknowledged')

  await editor.frame.locator('body').press('ControlOrMeta+z')
  t.match((await editor.next('shortcut')).payload, { name: 'undo' }, 'keys reach the editor')
  await editor.send('highlightBlock', { blockId: null, editablePath: null }, { nonce })
  await pause(200)
  t.equal(await editor.frame.locator(selected).count(), 0, 'an empty id clears the selection')
}
