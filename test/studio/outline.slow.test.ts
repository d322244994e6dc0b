import t from 'tap'
import type { Page } from 'playwright-core'
import { startSite } from '../helpers/upstream.ts'
import {
  colleague,
  eventually,
  inBrowser,
  openStudio,
  openTab,
  phone,
  resize,
  restingPlace,
  says,
  siteIn,
} from './browser.ts'

const rows = (page: Page) => page.getByRole('tree', { name: 'Blocks' }).getByRole('treeitem')
const row = (page: Page, name: string) => rows(page).filter({ hasText: name }).first()
/** What has the focus, by its name for screen readers. */
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.tagName)
/** The names of the blocks in the order of the outline. */
const order = async (page: Page): Promise<readonly string[]> =>
  (await rows(page).evaluateAll((all) => all.map((each) => each.getAttribute('aria-label') ?? ''))).map(
    (label) => label.split(',', 1)[0] ?? '',
  )
/** What a finger taps, other than a link within a text and the tick of a change. */
const touched =
  ':is(button, summary, select, input:not([type=checkbox], [type=file]), [role=treeitem]):visible'
const undo = (page: Page) => page.locator('.toast').getByRole('button', { name: 'Undo' }).click()

t.test('the outline has every action by keyboard', inBrowser, async (t) => {
  const { page, errors } = await openStudio(t)
  const site = await siteIn(page)
  for (let n = 0; n < 40 && !(await focused(page))?.startsWith('Banner'); n++)
    await page.keyboard.press('Tab')
  t.match(await focused(page), /^Banner/, 'the key Tab reaches the tree')

  await page.keyboard.press('ArrowDown')
  t.match(await focused(page), /^Hero, Your bike/, 'arrows walk')
  await page.keyboard.press('Alt+ArrowDown')
  await says(page, 'Hero is now 3 of 7')
  t.match(await focused(page), /^Hero/, 'a moved row keeps the focus')
  t.equal((await order(page))[2], 'Hero')
  await site.waitForFunction(() => {
    const types = [...document.querySelectorAll('main > [data-block-type]')]
    return types[2]?.getAttribute('data-block-type') === 'Hero'
  })
  t.pass('and the page follows')
  // Of two neighbours that changed places, one moved.
  await rows(page).locator('.dot').waitFor()
  t.pass('a dot marks what is not published')
  let held = Promise.withResolvers<void>()
  await page.route('**/draft/pages?*', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.keyboard.press('Alt+ArrowUp')
  await says(page, 'Hero is now 2 of 7')
  await page.keyboard.press('Alt+ArrowUp')
  const first = held
  held = Promise.withResolvers<void>()
  first.resolve()
  await says(page, 'Hero is now 1 of 7')
  t.equal((await order(page))[0], 'Hero', 'keys that follow each other quickly are all carried out')
  held.resolve()
  await page.unrouteAll({ behavior: 'wait' })
  await page.keyboard.press('Alt+ArrowUp')
  await says(page, 'This is the first block.')

  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  t.equal(await focused(page), 'Back by tomorrow', 'the rows of a list are below their block')
  await page.keyboard.press('Alt+ArrowDown')
  await says(page, 'Back by tomorrow is now 2 of 3')
  t.equal(await focused(page), 'Back by tomorrow')
  await page.keyboard.press('ControlOrMeta+d')
  await says(page, 'Back by tomorrow copied')
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.activeElement instanceof HTMLInputElement)
  t.equal(
    await page.evaluate(() => (document.activeElement as HTMLInputElement).closest('details')?.open),
    true,
    'Enter edits the row',
  )
  const before = await rows(page).count()
  await page.keyboard.press('End')
  await page.keyboard.press('Backspace')
  await says(page, 'saved')
  t.equal(await rows(page).count(), before, 'Backspace in a text deletes no block')

  await row(page, 'Banner').focus()
  await page.keyboard.press('Delete')
  await says(page, 'Banner deleted')
  await site.locator('[data-block-type=Banner]').waitFor({ state: 'detached' })
  t.not((await focused(page)) ?? 'BODY', 'BODY', 'the focus goes to the neighbour')
  await undo(page)
  await site.locator('[data-block-type=Banner]').waitFor()
  t.pass('and comes back')

  await row(page, 'Banner').focus()
  await row(page, 'Banner').getByRole('button', { name: 'More for this block' }).press('Enter')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByPlaceholder('Move Banner to').fill('page pric')
  await page.keyboard.press('Enter')
  await says(page, 'Banner moved to Pricing')
  await site.locator('[data-block-type=Banner]').waitFor({ state: 'detached' })
  await undo(page)
  await site.locator('[data-block-type=Banner]').waitFor()
  t.pass('a move to another page is one change')
  t.strictSame(errors, [])
})

t.test('a row is dragged among its siblings, and put back when the service refuses', inBrowser, async (t) => {
  const { page, errors } = await openStudio(t)
  await siteIn(page)
  const drag = async (name: string, onto: string): Promise<void> => {
    const from = await row(page, name).boundingBox()
    const to = await row(page, onto).boundingBox()
    if (!from || !to) throw new Error('not in the outline')
    await page.mouse.move(from.x + 80, from.y + 16)
    await page.mouse.down()
    await page.mouse.move(from.x + 80, from.y + 30, { steps: 3 })
    await page.mouse.move(to.x + 80, to.y + to.height - 4, { steps: 5 })
  }
  await drag('Banner', 'Stats')
  await page.locator('[data-drop]').waitFor()
  await page.mouse.up()
  t.strictSame((await order(page)).slice(0, 4), ['Hero', 'Feature grid', 'Stats', 'Banner'])
  await says(page, 'Banner is now 4 of 7')

  await drag('Banner', 'Call to Action')
  await page.locator('[data-drop]').waitFor()
  await page.keyboard.press('Escape')
  await page.mouse.up()
  t.equal((await order(page))[3], 'Banner', 'Escape leaves it where it was')

  let answer: (() => void) | undefined
  const waits = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/ops', async (route) => {
    await waits
    await route.fulfill({ status: 400, json: { error: 'no', reason: 'This block stays here today.' } })
  })
  await drag('Banner', 'Call to Action')
  await page.mouse.up()
  t.equal((await order(page)).at(-1), 'Banner', 'the order is shown before the service answers')
  answer?.()
  await says(page, 'This block stays here today.')
  await page.waitForFunction(() =>
    document.querySelectorAll('[role=treeitem]')[3]?.getAttribute('aria-label')?.startsWith('Banner'),
  )
  t.pass('a refusal puts it back and says why')
  await page.unroute('**/ops')
  t.strictSame(
    errors.filter((error) => !error.includes('400')),
    [],
  )
})

t.test('a page is added, described, copied, given another address and deleted', inBrowser, async (t) => {
  const { page, origin, errors } = await openStudio(t)
  const site = await siteIn(page)
  const title = page.locator('.bar').getByTitle(/^Pages/)
  await title.click()
  await page.getByText('+ New page').click()
  await page.getByLabel('Title', { exact: true }).last().fill('Über uns')
  const address = page.locator('#new-address')
  t.equal(await address.inputValue(), '/über-uns', 'the address follows the title')
  await address.fill('/pricing')
  await page.getByText('Another page has this address.').waitFor()
  await address.fill('/team')
  await page.getByRole('button', { name: 'Add page' }).click()
  await says(page, 'Über uns added')
  await page.locator('.add-first button').click()
  await page.getByPlaceholder('Search, for example: picture').fill('Hero')
  await page.keyboard.press('Enter')
  await page.locator('.add-first').waitFor({ state: 'detached' })
  await site.locator('[data-block-type=Hero]').waitFor()
  await page.waitForFunction(() => document.querySelectorAll('[role=treeitem]').length === 1)
  t.match(await title.textContent(), /Über uns.*\/team/)
  await site.locator('header').getByText('Über uns').waitFor()

  await page.getByRole('treeitem').click()
  await page.keyboard.press('Escape')
  await page.getByLabel('Name in the menu').fill('Crew')
  await site.locator('header').getByText('Crew').waitFor()
  await page.getByLabel('Description for search engines').fill('Five people and many boats')
  await says(page, 'Description for search engines saved')
  await page.locator('.search-preview').getByText('Five people').waitFor()
  await page.getByLabel('Title', { exact: true }).fill('Our team')
  await page.getByLabel('Title', { exact: true }).press('Enter')
  await says(page, 'Title saved')
  await page.locator('.search-title', { hasText: 'Our team' }).waitFor()
  await site.locator('header').getByText('Crew').waitFor()
  await page.getByLabel('Name in the menu').fill('')
  await says(page, 'Menu saved')
  await site.locator('header').getByText('Team', { exact: true }).waitFor()
  await page.getByLabel('Title', { exact: true }).fill('Team')
  await says(page, 'Title saved')
  await page.getByLabel('Title', { exact: true }).fill('The team')
  await site.locator('header').getByText('The team', { exact: true }).waitFor()
  t.pass('a menu that shows the title goes on showing it')
  await page.getByLabel('Title', { exact: true }).blur()
  await page.getByLabel('Title', { exact: true }).fill('Our team')
  await page.getByLabel('Title', { exact: true }).press('Enter')
  await site.locator('header').getByText('Our team', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Copy this page' }).click()
  await says(page, 'Our team copied')
  await eventually(async () => (await page.locator('#page-address').inputValue()).endsWith('-copy'))
  await page.locator('#page-address').fill('/team/berlin')
  await page.locator('#page-address').press('Enter')
  await says(page, 'Our team Copy is now at /team/berlin')
  await title.click()
  const listed = page.getByRole('tree', { name: 'Pages' }).getByRole('treeitem')
  await page.getByLabel('Find a page').fill('berl')
  await eventually(async () => (await listed.count()) === 1)
  t.equal(await listed.count(), 1, 'a page is found by its address')
  await page.getByLabel('Find a page').fill('')
  t.equal(
    await listed.filter({ hasText: '/team/berlin' }).getAttribute('aria-level'),
    '2',
    'and is below another',
  )
  await listed.filter({ hasText: '/team/berlin' }).focus()
  await page.keyboard.press('Alt+ArrowUp')
  await says(page, 'Our team Copy is now')
  await page.keyboard.press('Escape')

  await page.getByLabel('Name in the menu').fill('Berlin')
  await page.getByLabel('Name in the menu').press('Enter')
  await site.locator('header').getByText('Berlin', { exact: true }).waitFor()
  const labels = async () => {
    const answer = await fetch(`${origin}/draft/site-config?siteId=demo&session=dev`)
    return answer.text()
  }
  t.match(await labels(), /"\/team\/berlin":"Berlin"/)
  await page.getByRole('button', { name: 'Delete Our team Copy with 1 block' }).click()
  await says(page, 'Our team Copy deleted')
  t.notMatch(await title.textContent(), /berlin/, 'another page is shown')
  t.notMatch(await labels(), /berlin/, 'its name in the menu goes with it')
  await undo(page)
  await says(page, 'Undone')
  t.match(await labels(), /"\/team\/berlin":"Berlin"/, 'one undo brings both back')
  await title.click()
  await listed.filter({ hasText: '/team/berlin' }).click()
  await page.locator('#page-address').waitFor()
  t.pass('and the deleted one is back')
  // The page in the frame looks for itself once more when its address has gone.
  t.strictSame(
    errors.filter((error) => !error.includes('404')),
    [],
  )
})

t.test(
  'on a phone a tap moves nothing, and another one types what is under the finger',
  inBrowser,
  async (t) => {
    const { page, errors } = await openStudio(t, { touched: phone })
    const site = await siteIn(page)
    const heading = site.locator('[data-block-type=Hero] h1')
    const before = await restingPlace(heading)
    const { x = 0, y = 0 } = before ?? {}
    await page.getByRole('button', { name: 'Blocks and pages' }).tap()
    await page.locator('#outline').waitFor()
    await page.touchscreen.tap(340, y + 20)
    await page.locator('#outline').waitFor({ state: 'hidden' })
    // Longer than a tap takes to become a click.
    await page.waitForTimeout(600)
    t.equal(await site.locator('.editor-highlight').count(), 0, 'a tap beside the drawer only closes it')
    await page.touchscreen.tap(x + 40, y + 20)
    await site.locator('editor-overlay .tag', { hasText: 'Heading' }).waitFor()
    // Longer than a double tap.
    await page.waitForTimeout(600)
    t.strictSame(await heading.boundingBox(), before)
    await page.touchscreen.tap(x + 40, y + 20)
    await page.keyboard.press('End')
    await page.keyboard.type(', dry')
    await page.keyboard.press('Enter')
    await says(page, 'eading saved')
    t.match(await heading.textContent(), /, dry/)

    await page.getByRole('tab', { name: 'Fields' }).tap()
    const sheet = page.locator('.right[data-open=true]')
    const over = (await sheet.boundingBox())?.y ?? 0
    const ends = async (): Promise<boolean> => {
      const title = await heading.boundingBox()
      return title !== null && title.y > 48 && title.y + title.height <= over + 1
    }
    await eventually(ends)
    t.equal(await ends(), true, 'an open sheet does not cover the heading')
    await page.getByLabel('Heading', { exact: true }).fill('A dry day')
    await says(page, 'Heading saved')
    const toast = await page.locator('.toast').boundingBox()
    t.ok(toast && toast.y + toast.height <= over, 'a message covers no field')

    // The keyboard of a phone leaves less to see; no browser of the tests has one.
    await page.evaluate(() => {
      document.documentElement.style.setProperty('--seen', '508px')
      document.documentElement.style.setProperty('--keyboard', '336px')
    })
    const seen = async (): Promise<boolean> => {
      const [title, top] = [await heading.boundingBox(), (await sheet.boundingBox())?.y ?? 0]
      return title !== null && title.y >= 48 && title.y + title.height <= top + 1 && top < 300
    }
    await eventually(seen)
    t.equal(await seen(), true, 'nor does it above the keyboard')
    t.strictSame(errors, [])
  },
)

t.test(
  'on a touch screen there is room for a finger, and a block that moves stays under it',
  inBrowser,
  async (t) => {
    const { browser, page, origin, errors } = await openStudio(t, { touched: phone })
    const site = await siteIn(page)
    const name = /^Your bike/
    await site.getByRole('heading', { name }).tap()
    const down = site.locator('editor-overlay [data-editor-action=move-down]')
    const { x = 0, y = 0 } = (await restingPlace(down)) ?? {}
    await site.evaluate(() => {
      document.documentElement.style.scrollBehavior = 'smooth'
      addEventListener('scroll', () => (document.documentElement.dataset['scrolls'] ??= String(scrollY)))
    })
    for (const place of [3, 4]) {
      await page.touchscreen.tap(x + 10, y + 10)
      await says(page, `Hero is now ${place} of 7`)
      await site.locator(`main > [data-block-id]:nth-child(${place})`, { hasText: 'Your bike' }).waitFor()
      const isHere = async (): Promise<boolean> => Math.abs(((await down.boundingBox())?.y ?? 0) - y) < 2
      await eventually(isHere)
      t.equal(await isHere(), true, `at place ${place}`)
      const [first, last] = await site.evaluate(() => {
        const { scrolls } = document.documentElement.dataset
        delete document.documentElement.dataset['scrolls']
        return [Number(scrolls), scrollY]
      })
      t.equal(first, last, 'in one step, although the site scrolls smoothly')
    }

    const small = async (): Promise<readonly string[]> => {
      const all = [page.locator(touched), site.locator('editor-overlay button')]
      const found = all.map((each) =>
        each.evaluateAll((elements) =>
          elements.flatMap((element) => {
            const { width, height } = element.getBoundingClientRect()
            const name = element.getAttribute('aria-label') ?? element.textContent
            return width > 0 && (height < 43.9 || width < 35.9) ? [`${name}: ${width} by ${height}`] : []
          }),
        ),
      )
      return (await Promise.all(found)).flat()
    }
    const views: Readonly<Record<string, () => Promise<unknown>>> = {
      page: () => down.waitFor(),
      fields: () => page.getByRole('tab', { name: 'Fields' }).tap(),
      chat: () => page.getByRole('tab', { name: 'Chat' }).tap(),
      blocks: () => page.getByRole('button', { name: 'Blocks and pages' }).tap(),
      pages: () => page.getByText('All pages').tap(),
    }
    for (const [view, open] of Object.entries(views)) {
      await open()
      t.strictSame(await small(), [], view)
    }
    await page.getByRole('button', { name: 'More for About' }).tap()
    await page.getByRole('menuitem', { name: 'Copy' }).waitFor()
    t.strictSame(await small(), [], 'the tools of a page, without a pointer')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    for (const view of ['Review', 'History', 'Media', 'Insights']) {
      await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: view }).tap()
      await page.locator('main:visible .skeleton').waitFor({ state: 'hidden' })
      t.strictSame(await small(), [], view)
    }
    await resize(page, { width: 900, height: 1200 })
    await openTab(await browser.newContext(), `${origin}/studio`)
    await page.locator('.people .face').waitFor()
    t.strictSame(await small(), [], 'a tablet, with another person')
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Edit' }).tap()
    await site.evaluate(() => scrollTo(0, 0))
    await site.locator('[data-block-type=Banner]').tap({ position: { x: 4, y: 4 } })
    const top = (await page.locator('iframe').boundingBox())?.y ?? 0
    t.ok(((await down.boundingBox())?.y ?? 0) >= top, 'tools are not cut off at the top')
    t.strictSame(errors, [])
  },
)

t.test('the header and the menu change in the page at once', inBrowser, async (t) => {
  const { page, errors } = await openStudio(t)
  const site = await siteIn(page)
  await page.getByText('Site settings').click()
  await page.getByLabel('Name of the site').fill('Harbor Rowing')
  await page.getByLabel('Name of the site').press('Enter')
  await site.locator('header').getByText('Harbor Rowing').waitFor()
  t.pass('the name')
  const menu = page.getByRole('list', { name: 'Menu' })
  await menu.locator('summary', { hasText: 'Questions' }).click()
  await page.getByLabel('Name in the menu').fill('Good to know')
  await page.getByLabel('Name in the menu').press('Enter')
  await site.locator('header').getByText('Good to know').waitFor()
  await undo(page)
  await site.locator('header').getByText('Questions').waitFor()
  t.pass('a label, and its undo')
  await page.getByLabel('Group in the menu').fill('More')
  await page.getByLabel('Group in the menu').press('Enter')
  await site.locator('header').getByText('More').waitFor()
  t.pass('a group')
  await menu.getByLabel(/^Move About us down/).click()
  await says(page, 'About is now 4 of 4')
  await page.getByLabel('Tone of voice').fill('warm')
  await page.getByLabel('Tone of voice').press('Enter')
  await says(page, 'Tone saved')
  await page.reload()
  await siteIn(page)
  await page.getByText('Site settings').click()
  await page.waitForFunction(() =>
    [...document.querySelectorAll('input')].some(({ value }) => value === 'warm'),
  )
  t.pass('what the chat knows of the site is kept')
  t.strictSame(errors, [])
})

t.test('a small window, as at 200 and 400 % zoom, shows all of it', inBrowser, async (t) => {
  const { page, errors } = await openStudio(t)
  const site = await siteIn(page)
  await resize(page, { width: 720, height: 450 })
  await page.getByRole('button', { name: 'Blocks and pages' }).click()
  await page.getByRole('treeitem', { name: /^Hero/ }).click()
  const isSeen = async (): Promise<boolean> => {
    const { top = -1, bottom = 0 } = await site
      .locator('[data-block-type=Hero] h1')
      .evaluate((title) => title.getBoundingClientRect().toJSON())
    return top > 0 && bottom < (await site.evaluate(() => innerHeight))
  }
  await eventually(isSeen)
  t.equal(await isSeen(), true, 'of a block that is taller than the frame, the top')
  await resize(page, { width: 320, height: 256 })
  for (const view of ['Review', 'History', 'Media', 'Insights', 'Edit']) {
    await page.locator('.rail').getByRole('button', { name: view }).click()
    await page.locator('.rail [aria-current]', { hasText: view }).waitFor()
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
    t.equal(
      await page.evaluate(() => document.documentElement.scrollWidth),
      320,
      `${view} never scrolls sideways`,
    )
  }
  t.strictSame(errors, [])
})

t.test('the frame keeps the width of a device, and its choices are remembered', inBrowser, async (t) => {
  const { page, errors } = await openStudio(t)
  const site = await siteIn(page)
  t.equal(await site.evaluate(() => innerWidth), 1280, 'a desktop at first')
  const remembered = () => page.evaluate(() => localStorage.getItem('content-orchestrator:width'))
  t.equal(await remembered(), null, 'which is nobody’s choice')
  for (const [name, width] of [
    ['Desktop', 1280],
    ['Tablet', 820],
    ['Phone', 390],
  ] as const) {
    await page.getByLabel(name, { exact: true }).click()
    await site.waitForFunction((wanted) => innerWidth === wanted, width)
    const box = await page.locator('iframe').boundingBox()
    const room = await page.locator('.room').boundingBox()
    t.ok(box && room && box.width <= room.width + 1, `${name} is drawn inside its room`)
    await page.locator('.factor', { hasText: `${width} px` }).waitFor()
  }
  await site.click('[data-block-type=Hero] h1')
  await page.keyboard.press('Enter')
  await page.keyboard.type('!')
  await page.keyboard.press('Escape')
  t.match(await site.textContent('[data-block-type=Hero] h1'), /day\s*$/, 'Escape restores a text')
  await page.keyboard.press('Enter')
  await page.keyboard.type('!')
  await page.keyboard.press('Enter')
  await says(page, 'heading saved')
  await site.locator('[data-block-type=Hero] h1', { hasText: /day!\s*$/ }).waitFor()
  t.pass('Enter edits what is selected')

  await page.getByRole('button', { name: /Browse/ }).click()
  await page.reload()
  const again = page.frameLocator('iframe')
  await again.locator('html[data-editor-active]').waitFor()
  t.equal(await page.getByLabel('Phone', { exact: true }).getAttribute('aria-pressed'), 'true')
  await again.locator('header a', { hasText: 'About us' }).click()
  await page.locator('.bar').getByText('/about').waitFor()
  t.pass('a click follows links, and the studio follows the page')
  t.equal(await page.locator('iframe').getAttribute('allow'), 'local-network-access; loopback-network')
  t.strictSame(errors, [])
})

t.test('a site that refuses the frame is named with the line to send', inBrowser, async (t) => {
  const refusing = await startSite(t, (_request, response) => {
    response.setHeader('x-frame-options', 'DENY').end('A page')
  })
  const silent = await startSite(t, ({ url }, response) =>
    response.end(url?.startsWith('/api/editor/blocks') ? '{"blocks":[]}' : 'A page without a bridge'),
  )
  const { page, origin, browser } = await openStudio(t)
  await siteIn(page)
  const move = (previewUrl: string) => colleague(origin).send('/sites/register', { name: 'Demo', previewUrl })
  await move(refusing.origin)
  const other = await openTab(await browser.newContext(), `${origin}/studio`)
  await other.page.getByText('The site refuses to be shown here.').waitFor()
  await other.page.getByText('X-Frame-Options: DENY').waitFor()
  await other.page.getByText(`Content-Security-Policy: frame-ancestors 'self' ${origin}`).waitFor()
  t.equal(await other.page.locator('iframe').isVisible(), false)
  await move(silent.origin)
  await other.page.reload()
  await other.page.getByText('The preview is not connected.').waitFor()
  t.equal(await other.page.locator('iframe').isVisible(), true, 'a page without a bridge stays visible')
  await other.page.locator('.trouble').getByRole('button', { name: 'Reload' }).click()
  await other.page.getByText('The preview is not connected.').waitFor({ state: 'detached' })
  t.pass('and is loaded again')
})

t.test('500 pages and 200 blocks with long and Arabic names are listed whole', inBrowser, async (t) => {
  const { page, origin, errors } = await openStudio(t)
  await siteIn(page)
  const names = [
    'نادي التجديف في الميناء',
    'A name that is much longer than the panel has room for '.repeat(2),
  ]
  const updatedAt = '2026-01-01T12:00:00.000Z'
  const blocks = Array.from({ length: 200 }, (_, n) => ({
    id: `b_${n}`,
    type: 'RichText',
    props: { body: `${names[n % 2]} ${n}` },
  }))
  const more = Array.from({ length: 500 }, (_, n) => ({
    id: `p_${n}`,
    slug: `/many/${n}`,
    title: `${names[n % 2]} ${n}`,
    updatedAt,
    blocks: n === 0 ? blocks : [],
  }))
  for (const pages of [more.slice(0, 250), more.slice(250)])
    await colleague(origin).send('/draft/bootstrap', { pages, overwrite: true })
  await page.locator('.left').getByText('505').waitFor()
  const opened = await page.evaluate(async () => {
    const begin = performance.now()
    document.querySelector<HTMLElement>('.bar [aria-haspopup=dialog]')?.click()
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
    return { ms: performance.now() - begin, rows: document.querySelectorAll('.pages li').length }
  })
  t.equal(opened.rows, 505)
  t.comment(`505 pages are listed in ${Math.round(opened.ms)} ms`)
  await page.getByLabel('Find a page').fill('/many/0')
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.querySelectorAll('.left [role=treeitem]').length === 200)
  t.equal(await rows(page).first().locator('small').getAttribute('dir'), 'auto')
  await rows(page).first().focus()
  const times = []
  for (let n = 0; n < 20; n++) {
    const begin = Date.now()
    await page.keyboard.press('ArrowDown')
    times.push(Date.now() - begin)
  }
  t.comment(`a key in 200 blocks takes ${times.toSorted((a, b) => a - b)[10]} ms with its round trip`)
  t.match(await focused(page), / 20(?:,|$)/)
  await page.keyboard.press('End')
  await page.keyboard.press('Alt+ArrowUp')
  await says(page, 'is now 199 of 200')
  t.strictSame(errors, [])
})
