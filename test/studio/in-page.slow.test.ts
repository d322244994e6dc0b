/** What a click, another click and a key do with what is selected in the page itself. */
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import type { Frame } from 'playwright-core'
import { until } from '../helpers/until.ts'
import { colleague, eventually, inBrowser, openStudio, resize, says, siteIn } from './browser.ts'

/** The box of the text of an element itself, in the coordinates of the studio. */
async function textBox(site: Frame, selector: string) {
  const element = await (await site.frameElement()).boundingBox()
  const { text, width } = await site.locator(selector).evaluate((node) => {
    const range = document.createRange()
    range.selectNodeContents(node)
    const { left, top, right, bottom } = range.getBoundingClientRect()
    return { text: { left, top, right, bottom }, width: innerWidth }
  })
  const scale = (element?.width ?? 0) / width
  const at = (x: number, y: number) => ({
    x: (element?.x ?? 0) + x * scale,
    y: (element?.y ?? 0) + y * scale,
  })
  return { start: at(text.left, text.top), end: at(text.right, text.bottom) }
}

const quotes = [
  'They fixed in ten minutes what I had put up with for two years, and they told me what it was.',
  'I was told I did not need the new wheel I had come to buy. I have been a customer ever since.',
  'Our delivery bikes are back on the road before the lunch rush. Every time.',
]

t.test('a cell of a table is typed in the page', inBrowser, async (t) => {
  const { page, origin, errors } = await openStudio(t)
  const site = await siteIn(page)
  const { find, edit } = colleague(origin)
  const rows = [
    ['Answer within', '3 days'],
    ['Price', '€ 20'],
  ]
  const props = { title: '', headers: ['What you get', 'Small'], rows }
  await edit({ op: 'add_block', block: { id: 'b_table', type: 'Table', props } })
  const cell = (path: string) => site.locator(`[data-block-id=b_table] [data-editable-target="${path}"]`)
  await cell('rows[1][1]').scrollIntoViewIfNeeded()
  await cell('rows[1][1]').dblclick()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('€ 30')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Each month')
  await page.keyboard.press('Enter')
  const stored = async () => JSON.stringify((await find('Table')).props['rows'])
  const wanted = JSON.stringify([rows[0], ['Each month', '€ 30']])
  await eventually(async () => (await stored()) === wanted).catch(() => undefined)
  t.equal(await stored(), wanted)
  t.equal(await page.locator('.conflict').count(), 0)
  t.strictSame(errors, [])
})

t.test(
  'another click on a selected text types, beside rows with tools of their own',
  inBrowser,
  async (t) => {
    const { page, origin, errors } = await openStudio(t)
    await resize(page, { width: 1280, height: 720 })
    const site = await siteIn(page)
    const { find, edit } = colleague(origin)
    const { id } = await find('Testimonials')
    const items = quotes.map((quote) => ({ quote, author: 'Nadia Brandt' }))
    await edit({ op: 'update_props', blockId: id, patch: { items } })
    const title = `[data-block-id="${id}"] [data-editable-target=title]`
    await site.getByText(quotes[0] ?? '').waitFor()
    await site.locator(title).scrollIntoViewIfNeeded()
    const { end } = await textBox(site, title)
    const at = { x: end.x - 3, y: end.y - 6 }
    await page.mouse.click(at.x, at.y)
    await site.locator('editor-overlay .tag', { hasText: 'click again to type' }).waitFor()
    await page.waitForTimeout(600)
    await page.mouse.click(at.x, at.y + 4)
    await page.keyboard.press('End')
    await page.keyboard.type('!')
    t.match(await site.locator(title).textContent(), /!$/, 'the other click types')
    await page.keyboard.press('Enter')
    await says(page, 'saved')

    const row = site.locator(`[data-block-id="${id}"] [data-editor-list-index="1"]`)
    const up = site.locator('editor-overlay [data-editor-action=row-move-up][data-row="1"]')
    const isShown = () => up.evaluate((button) => getComputedStyle(button).pointerEvents === 'auto')
    t.equal(await isShown(), false, 'a row that is elsewhere shows no tools')
    await row.hover()
    await eventually(isShown)
    const [box, tool] = [await row.boundingBox(), await up.boundingBox()]
    t.ok(
      box && tool && tool.y >= box.y && tool.y + tool.height <= box.y + box.height,
      'they are inside the row',
    )

    const list = await page.locator('fieldset.list').boundingBox()
    for (const button of await page.locator('fieldset.list summary').first().getByRole('button').all()) {
      const each = await button.boundingBox()
      t.ok(
        list && each && each.x + each.width <= list.x + list.width,
        'a long name leaves room for the buttons',
      )
    }
    await up.click()
    await eventually(async () => {
      const { props } = await find('Testimonials')
      return (props['items'] as { quote: string }[])[0]?.quote === quotes[1]
    })
    const { props } = await find('Testimonials')
    t.equal((props['items'] as { quote: string }[])[0]?.quote, quotes[1], 'the tools of a row move it')
    t.strictSame(errors, [])
  },
)

t.test('what is typed after one click goes to the end of the selected text', inBrowser, async (t) => {
  const { page, errors } = await openStudio(t)
  const site = await siteIn(page)
  const heading = site.locator('[data-block-type=Hero] h1')
  const before = await heading.textContent()
  await heading.click()
  await site.locator('editor-overlay .tag', { hasText: 'click again to type' }).waitFor()
  await page.keyboard.type(' now')
  t.equal(await heading.textContent(), `${before} now`)
  t.equal(await site.evaluate(() => scrollY), 0, 'a space scrolls nothing')
  await page.keyboard.press('Escape')
  t.equal(await heading.textContent(), before, 'Escape restores it')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Another heading')
  t.equal(await heading.textContent(), 'Another heading', 'all of the text can be replaced')
  await page.keyboard.press('Enter')
  await says(page, 'eading saved')
  t.strictSame(errors, [])
})

t.test('a text that was left stays as it was typed until it is stored', inBrowser, async (t) => {
  const { page, errors } = await openStudio(t)
  // The service, whose time passes slower, would refuse the second within a second.
  await page.route(/\/presence$/, (route) => route.fulfill({ json: { client: 'here' } }))
  await page.clock.install()
  await page.reload()
  const site = await siteIn(page)
  const heading = site.locator('[data-block-type=Hero] h1')
  await heading.click()
  await site.locator('editor-overlay .tag', { hasText: 'click again to type' }).waitFor()
  const held = Promise.withResolvers<void>()
  let isAsked = false
  await page.route('**/ops', async (route) => {
    isAsked = true
    await held.promise
    await route.continue()
  })
  await page.clock.pauseAt(Date.now() + 60_000)
  await heading.evaluate((element) => {
    const block = element.closest('main')
    const note = () => {
      const now = block?.querySelector('h1')?.textContent ?? ''
      document.documentElement.dataset['read'] = `${document.documentElement.dataset['read'] ?? ''}|${now}`
    }
    if (block)
      new MutationObserver(note).observe(block, { subtree: true, childList: true, characterData: true })
  })
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Dry')
  await page.keyboard.press('Enter')
  await until(() => isAsked, 'the text is sent')
  // What a look at the draft takes.
  for (const address of [`${new URL(page.url()).origin}/draft/pages?siteId=demo&slug=/`, '', ''])
    await site.evaluate(async (address) => (await fetch(address || location.href)).text(), address)
  held.resolve()
  await says(page, 'eading saved')
  const read = await site.locator('html').getAttribute('data-read')
  t.match(read, /Dry$/)
  t.strictSame(
    [...new Set(read?.slice(read.indexOf('Dry')).split('|'))],
    ['Dry'],
    'and shows no earlier text',
  )
  t.strictSame(errors, [])
})

t.test('a page changes nothing by itself, also if it takes the focus', inBrowser, async (t) => {
  const { page, origin } = await openStudio(t)
  const site = await siteIn(page)
  const { blocks, setHero } = colleague(origin)
  await setHero({ heading: 'Words of others' })
  await site.getByRole('heading', { name: 'Words of others' }).waitFor()
  const before = { '/': await blocks('/'), '/about': await blocks('/about') }
  const pages = Object.entries(before).map(([slug, found]) => ({ slug, ids: found.map(({ id }) => id) }))
  // What the tests evaluate counts as a click for five seconds.
  await site.evaluate(
    ({ pages, origin }) => {
      const nonce = 'A'.repeat(22)
      const attack = ({ slug, ids }: (typeof pages)[number]): void => {
        window.focus()
        document.body.tabIndex = -1
        document.body.focus()
        const post = (type: string, payload: object) =>
          window.parent.postMessage(
            { protocol: 'site-editor/v1', type, payload: { slug, ...payload }, nonce },
            origin,
          )
        post('routeChanged', { bridge: { version: '1.1', nonce, capabilities: [] } })
        const text = { editablePath: 'heading', value: 'Written by a script', initialValue: '' }
        for (const blockId of ids) {
          for (const type of ['inlineTextTyped', 'inlineTextCommitted']) post(type, { blockId, ...text })
          post('blockReordered', { blockId, afterBlockId: null })
          post('blockDeleteRequested', { blockId })
        }
        for (const name of ['undo', 'palette']) post('shortcut', { name })
      }
      for (const [at, each] of [...pages, ...pages].entries()) setTimeout(attack, 6000 + 700 * at, each)
    },
    { pages, origin },
  )
  await pause(10_000)
  t.equal(await page.evaluate(() => document.activeElement?.localName), 'iframe', 'it has the focus')
  t.strictSame({ '/': await blocks('/'), '/about': await blocks('/about') }, before)
  t.equal(await page.locator('dialog[open]').count(), 0, 'nothing is opened')
  await page.locator('.trouble').getByText('The page has gone to About by itself.').waitFor()
  t.equal(await page.locator('.bar button small').first().textContent(), '/', 'it leads the studio nowhere')
})

t.test(
  'at one click a page deletes one block at most, and another one after a question',
  inBrowser,
  async (t) => {
    const { page, origin } = await openStudio(t)
    const site = await siteIn(page)
    const { blocks, send, find } = colleague(origin)
    const ids = async () => (await blocks()).map(({ id }) => id)
    const dialog = page.getByRole('dialog', { name: 'Delete' })
    const before = await ids()
    const hero = await find('Hero')
    await site.evaluate(
      ({ ids, origin }) => {
        const nonce = 'A'.repeat(22)
        const post = (type: string, payload: object) =>
          window.parent.postMessage(
            { protocol: 'site-editor/v1', type, payload: { slug: '/', ...payload }, nonce },
            origin,
          )
        const attack = () => {
          post('routeChanged', { bridge: { version: '1.1', nonce, capabilities: [] } })
          for (const blockId of ids) post('blockDeleteRequested', { blockId })
        }
        document.addEventListener('click', attack, { once: true, capture: true })
      },
      { ids: before.toReversed(), origin },
    )
    await site.locator('[data-block-type=Hero] h1').click()
    await dialog.getByText('It is another deletion within ten seconds.').waitFor()
    await eventually(async () => (await ids()).length === before.length - 1)
    t.strictSame(await ids(), before.slice(0, -1), 'one is deleted')
    const leave = dialog.getByRole('button', { name: 'Leave it' })
    t.ok(await leave.evaluate((button) => button === document.activeElement), 'a key deletes nothing')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await eventually(async () => (await ids()).length === before.length - 2)
    t.strictSame(await ids(), before.slice(0, -2), 'the person decides about the next one')

    await page.reload()
    const again = await siteIn(page)
    const client = { id: 'the-browser-of-ben', name: 'Ben' }
    const op = { op: 'update_props', pageSlug: '/', blockId: hero.id, patch: { heading: 'Words of Ben' } }
    await send('/ops', { ops: [op], client })
    await again.getByRole('heading', { name: 'Words of Ben' }).click()
    await again.locator('editor-overlay [data-editor-action=delete]').click()
    await dialog.getByText('Changed last by Ben.').waitFor()
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    t.ok((await ids()).includes(hero.id), 'what others changed last is asked about')
  },
)

t.test(
  'undo in the page undoes own changes, and asks where others changed the same since',
  inBrowser,
  async (t) => {
    const { page, origin } = await openStudio(t)
    // An older browser does not say whether there was a click.
    await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'userActivation'))
    await page.reload()
    const site = await siteIn(page)
    const { find, send, setHero } = colleague(origin)
    const heading = site.locator('[data-block-type=Hero] h1')
    const before = await heading.textContent()
    const type = async (text: string) => {
      await heading.dblclick()
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
      await eventually(async () => (await find('Hero')).props['heading'] === text)
    }
    await type('Words of Ana')
    const client = { id: 'the-browser-of-ben', name: 'Ben' }
    const { id } = await find('Testimonials')
    const op = { op: 'update_props', pageSlug: '/', blockId: id, patch: { title: 'Title of Ben' } }
    await send('/ops', { ops: [op], client })
    await site.getByText('Title of Ben').waitFor()
    await page.keyboard.press('ControlOrMeta+z')
    await eventually(async () => (await find('Hero')).props['heading'] === before)
    t.equal((await find('Hero')).props['heading'], before)
    t.equal((await find('Testimonials')).props['title'], 'Title of Ben', 'what others changed stays')

    await type('Words of Ana')
    await setHero({ heading: 'Words of others' })
    await site.getByText('Words of others').waitFor()
    await page.keyboard.press('ControlOrMeta+z')
    const dialog = page.getByRole('dialog', { name: 'Changed again since' })
    await dialog.getByRole('button', { name: 'Leave it' }).click()
    t.equal((await find('Hero')).props['heading'], 'Words of others')
  },
)

t.test('another click opens what cannot be typed in the page', inBrowser, async (t) => {
  const { page, origin, errors } = await openStudio(t)
  const site = await siteIn(page)
  const { edit, find } = colleague(origin)
  const props = { title: 'Opening hours', body: 'We **open** at nine.' }
  const hero = await find('Hero')
  const block = { id: 'b_hours', type: 'RichText', props }
  await edit({ op: 'add_block', afterBlockId: hero.id, block })
  const picture = site.locator('[data-block-type=Hero] img').first()
  await picture.click({ position: { x: 120, y: 120 } })
  await site.locator('[data-block-type=Hero].editor-highlight').waitFor()
  await page.waitForTimeout(600)
  await picture.click({ position: { x: 120, y: 120 } })
  await page.locator('dialog.wide').waitFor()
  t.pass('a picture, the choice of another one')
  await page.keyboard.press('Escape')

  const body = site.locator('[data-block-id=b_hours] [data-editable-target=body]')
  await body.click()
  const tag = site.locator('editor-overlay .tag')
  await tag.getByText('click again to edit in the panel').waitFor()
  await page.keyboard.press('ControlOrMeta+a')
  t.equal(await site.evaluate(() => getSelection()?.toString()), '', 'Ctrl+A does not take the page')
  await page.getByRole('tab', { name: 'Chat' }).click()
  await body.click()
  await page.locator('.ProseMirror:focus').waitFor()
  t.pass('a rich text, its field')
  await site.locator('[data-block-id=b_hours] [data-editable-target=title]').click()
  await body.click()
  await page.keyboard.press('Enter')
  await page.locator('.ProseMirror:focus').waitFor()
  t.pass('Enter does so as well')
  t.strictSame(errors, [])
})
