import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import t from 'tap'
import { startSite } from '../helpers/upstream.ts'
import { colleague, eventually, findings, inBrowser, openStudio, openTab, says, siteIn } from './browser.ts'

const conflicts = (page: Page) => page.getByRole('region', { name: 'Changed here and on the site' })
const panel = (page: Page) => page.getByRole('complementary', { name: 'Publish' })
const publishButton = (page: Page) => panel(page).getByRole('button', { name: /^Publish \d+/ })
const openReview = (page: Page) =>
  page
    .getByRole('button', { name: /^Review/ })
    .first()
    .click()

const client = { id: 'browser-of-ben', name: 'Ben' }

/** Publishes changes of single blocks from another draft of the demo site, as Ben. */
function another(origin: string) {
  const { send } = colleague(origin)
  return async (...ops: readonly object[]) => {
    // The draft begins with what the site has now.
    await send('/draft/follow', { session: 'other' })
    for (const [path, body] of [
      ['/ops', { ops }],
      ['/publish', { client }],
    ] as const) {
      const answer = await send(path, { session: 'other', ...body })
      if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    }
  }
}

const hero = (patch: object) => ({ op: 'update_props', pageSlug: '/', blockId: 'b_hero_home', patch })
const named = (pageSlug: string, newTitle: string) => ({
  op: 'rename_page',
  pageSlug,
  newPageSlug: pageSlug,
  newTitle,
})

t.test('what was changed here and on the site is decided before a publish', inBrowser, async (t) => {
  const { page, origin, errors } = await openStudio(t)
  await siteIn(page)
  const { edit, find } = colleague(origin)
  const publish = another(origin)
  const texts = async (path?: string) => (await find('Hero', '/', path)).props
  await publish(hero({ heading: 'First' }))
  await page.getByRole('treeitem', { name: /^Hero/ }).first().waitFor()
  await edit(
    hero({ heading: 'Mine', subheading: 'My line', ctaText: 'My button' }),
    named('/about', 'My title'),
  )
  await publish(
    hero({ heading: 'Theirs', subheading: 'Their line', ctaText: 'Their button' }),
    named('/about', 'Their title'),
  )
  await openReview(page)
  const row = (name: string) => conflicts(page).locator('.block-diff', { hasText: name })
  await row('Hero: Heading').waitFor()
  t.equal(await page.locator('.cards > section').first().getAttribute('id'), 'conflicts', 'they come first')
  t.match(await row('Hero: Heading').locator('h3').textContent(), /^Home.*Hero: Heading$/)
  t.strictSame(await row('Hero: Heading').locator('.words').allTextContents(), ['Mine', 'Theirs'])
  t.match(
    await row('Hero: Heading').locator('.sides').textContent(),
    /^In the draft · .+, .+Mine.*On the site · Ben, .*Theirs$/,
  )
  t.match(await row('My title').locator('h3').textContent(), /Title$/)
  t.ok(await publishButton(page).isDisabled(), 'the publish waits')
  await panel(page).getByText('4 changes were made here and on the site. Decide them first.').waitFor()
  t.strictSame(await findings(page), [])

  await row('Hero: Heading').getByRole('button', { name: 'Keep mine' }).click()
  await says(page, 'Yours stays')
  await row('Hero: Heading').waitFor({ state: 'detached' })
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
  await row('Hero: Heading').waitFor()
  t.equal((await texts())['heading'], 'Mine', 'it is open again')
  await row('Hero: Heading').getByRole('button', { name: 'Keep mine' }).click()
  await row('Hero: Heading').waitFor({ state: 'detached' })
  t.equal((await texts())['heading'], 'Mine')
  await row('Hero: Subheading').getByRole('button', { name: "Use the site's" }).click()
  await says(page, 'The draft has what the site has')
  await row('Hero: Subheading').waitFor({ state: 'detached' })
  t.equal((await texts())['subheading'], 'Their line')
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
  await eventually(async () => (await texts())['subheading'] === 'My line')
  t.equal((await texts())['subheading'], 'My line', 'a decision is undone')
  await row('Hero: Subheading').waitFor()

  await conflicts(page).getByRole('button', { name: "Use all of the site's" }).click()
  await conflicts(page).waitFor({ state: 'detached' })
  t.equal((await texts())['ctaText'], 'Their button')
  t.notOk(await publishButton(page).isDisabled())

  // The site changes after the review: the publish is refused, and the review shows why.
  const refused = Promise.withResolvers<void>()
  await page.route('**/publish/diff*', async (route) => {
    await refused.promise
    await route.continue()
  })
  await publish(hero({ heading: 'Later' }))
  await publishButton(page).click()
  await says(page, 'Not published: the site has changed too. Choose: publish the draft’s text, or drop it.')
  refused.resolve()
  await row('Later').getByRole('button', { name: 'Keep mine' }).click()
  await conflicts(page).waitFor({ state: 'detached' })
  await publishButton(page).click()
  await page.getByText('Everything is published.').waitFor()
  t.equal((await texts('/published/pages'))['heading'], 'Mine')
  t.strictSame(errors, [])
})

t.test('a block, a page, a row, a picture and a setting are shown as what they are', inBrowser, async (t) => {
  const { page, origin, errors } = await openStudio(t)
  await siteIn(page)
  const { edit, find, send } = colleague(origin)
  const publish = another(origin)
  await send('/publish')
  const [grid, stats] = [await find('CardGrid'), await find('Stats')]
  const card = (title: string) => ({
    op: 'update_item',
    pageSlug: '/',
    blockId: grid.id,
    listKey: 'cards',
    index: 1,
    patch: { title },
  })
  const name = (text: string) => ({ op: 'update_site_config', pageSlug: undefined, patch: { name: text } })
  const lead = (title: string) => ({ op: 'update_props', pageSlug: '/', blockId: stats.id, patch: { title } })
  await edit(
    card('My card'),
    name('My name'),
    lead('My numbers'),
    hero({ imageUrl: '/hero-generated.svg?mine' }),
    { op: 'remove_page', pageSlug: '/pricing' },
  )
  await publish(
    card('Their card'),
    name('Their name'),
    { op: 'remove_block', pageSlug: '/', blockId: stats.id },
    hero({ imageUrl: '/hero-generated.svg?theirs' }),
    named('/pricing', 'Their prices'),
  )
  await openReview(page)
  const rows = conflicts(page).locator('> .block-diff')
  await rows.first().waitFor()
  const row = (text: string) => rows.filter({ has: page.locator('h3', { hasText: text }) })
  t.match(await row('Card grid: Cards').locator('.words').allTextContents(), [/^My card ·/, /^Their card ·/])
  t.strictSame(await row('Site settings').locator('.words').allTextContents(), ['My name', 'Their name'])
  t.equal(await row('Hero: Image').locator('.new-picture').count(), 2)
  t.match(
    await row('Stats').locator('.sides').textContent(),
    /^In the draft.*My numbers.*On the site · .*Deleted$/,
  )
  t.match(
    await row('Their prices').locator('.sides').textContent(),
    /^In the draft.*Deleted.*On the site · .+/,
  )
  t.equal(await rows.count(), 5)
  await conflicts(page).getByRole('button', { name: 'Keep all of mine' }).click()
  await conflicts(page).waitFor({ state: 'detached' })
  await publishButton(page).click()
  // Links lead to the page that is gone.
  await page.getByRole('button', { name: 'Publish anyway' }).click()
  await page.getByText('Everything is published.').waitFor()
  t.strictSame(errors, [])
})

t.test('a draft that has followed says so, and nothing under a caret moves', inBrowser, async (t) => {
  const { page, browser, origin, errors } = await openStudio(t)
  await siteIn(page)
  const { edit } = colleague(origin)
  const publish = another(origin)
  await page.getByRole('treeitem', { name: /^Hero/ }).first().click()
  const heading = page.locator('.fields').getByLabel('Heading', { exact: true })
  await heading.focus()
  await page.keyboard.press('End')
  const before = await heading.inputValue()
  await publish(hero({ heading: 'From the site', subheading: 'Theirs' }), named('/about', 'About all of us'))
  // Any change lets the draft follow.
  await edit({ op: 'update_page_meta', pageSlug: '/faq', patch: { description: 'Answers' } })
  await says(page, 'The site has changed: 2 pages updated')
  t.equal(await heading.inputValue(), before, 'the field with the caret stays')
  t.ok(await heading.evaluate((element) => element === document.activeElement))
  const sub = page.locator('.fields').getByLabel('Subheading', { exact: true })
  await eventually(async () => (await sub.inputValue()) === 'Theirs')
  t.equal(await sub.inputValue(), 'Theirs', 'others show what the site has')
  await page.keyboard.type('!')
  await page.locator('.field', { hasText: 'From the site' }).waitFor()
  t.equal(await heading.inputValue(), `${before}!`, 'what was typed is beside it')

  await page.locator('.toast').getByRole('button', { name: 'Show' }).click()
  const line = page.locator('.lines [aria-current=true]')
  await line.getByText('From the site').waitFor()
  t.match(await line.textContent(), /Ben/, 'who published it')

  // Without a studio open, the draft follows when it is opened again.
  await page.close()
  // The service may notice late that the reader has left.
  const readers = async () => (await fetch(`${origin}/metrics`)).text()
  await eventually(async () => /^orchestrator_event_streams 0$/m.test(await readers()))
  await publish(hero({ ctaText: 'Come in' }))
  const context = await browser.newContext()
  // The stream may begin late: what it is to tell waits for it.
  await context.route('**/events?*', async (route) => {
    await pause(1500)
    await route.continue()
  })
  const { page: later } = await openTab(context, `${origin}/studio`)
  await says(later, 'The site has changed: 1 page updated')
  t.strictSame(errors, [])
})

t.test('a publish sends what is ticked', inBrowser, async (t) => {
  const { page, origin, errors } = await openStudio(t)
  await siteIn(page)
  const { send, edit, find } = colleague(origin)
  await send('/publish')
  await edit(hero({ heading: 'New heading', subheading: 'New line' }), named('/about', 'About all of us'), {
    op: 'update_site_config',
    pageSlug: undefined,
    patch: { name: 'Another name' },
  })
  await openReview(page)
  const tick = (name: string) => page.getByRole('checkbox', { name: `Publish ${name}` })
  await publishButton(page).waitFor()
  t.match(await publishButton(page).textContent(), /^Publish 3 changes/)
  t.strictSame(
    await page.getByRole('checkbox').evaluateAll((all) => all.map((each) => Reflect.get(each, 'checked'))),
    [true, true, true],
  )
  await tick('About all of us').uncheck()
  await page.getByRole('button', { name: /^Publish 2 of 3 changes/ }).waitFor()
  await tick('Home').uncheck()
  t.ok(await publishButton(page).isDisabled())
  await panel(page).getByText('Tick a page too').waitFor()
  await tick('site settings').uncheck()
  await panel(page).getByText('Tick what to publish.').waitFor()
  await tick('Home').check()
  t.strictSame(await findings(page), [])
  const [request] = await Promise.all([
    page.waitForRequest((each) => each.url().endsWith('/publish') && each.method() === 'POST'),
    page.getByRole('button', { name: /^Publish 1 of 3 changes/ }).click(),
  ])
  t.match(request.postDataJSON(), { pages: ['/'], siteConfig: false })
  await page.getByRole('button', { name: /^Publish 2 changes/ }).waitFor()
  t.equal((await find('Hero', '/', '/published/pages')).props['heading'], 'New heading')
  const about = await (await fetch(`${origin}/published/pages?siteId=demo&session=dev&slug=/about`)).text()
  t.notMatch(about, /About all of us/, 'what was not ticked is a change still')
  t.ok(await tick('About all of us').isChecked(), 'and is ticked for the next publish')
  const [whole] = await Promise.all([
    page.waitForRequest((each) => each.url().endsWith('/publish') && each.method() === 'POST'),
    publishButton(page).click(),
  ])
  t.notMatch(Object.keys(Object(whole.postDataJSON())), ['pages'])
  await page.getByText('Everything is published.').waitFor()
  t.strictSame(errors, [])
})

const block = (slug: string) => ({ id: `b_${slug.slice(1)}`, type: 'Hero', props: { heading: slug } })
const sitePage = (slug: string) => ({
  id: `p_${slug.slice(1)}`,
  slug,
  title: slug === '/' ? 'Home' : slug.slice(1),
  updatedAt: '2026-01-01T12:00:00.000Z',
  blocks: [block(slug)],
})

t.test(
  'a page that cannot be read stands in the list, and a site that shrinks asks',
  inBrowser,
  async (t) => {
    const broken = { ...sitePage('/broken'), title: 5 }
    const website = { pages: [...['/', '/one', '/two', '/three', '/four'].map(sitePage), broken] }
    const removed: unknown[] = []
    const { origin: previewUrl, seen } = await startSite(t, (request, response) => {
      if (request.url === '/api/editor/publish') {
        const sent = Object(JSON.parse(seen.at(-1)?.body ?? ''))
        website.pages = sent['pages']
        removed.push(sent['remove'])
        response.setHeader('content-type', 'application/json')
        return void response.end('{"ok":true}')
      }
      const isContent = request.url?.startsWith('/api/editor/pages') === true
      response.setHeader('content-type', isContent ? 'application/json' : 'text/html')
      response.end(isContent ? JSON.stringify(website) : '<h1>Site</h1>')
    })
    // After a second, an answer that a publish has replaced counts as a change of the site.
    const variables = { ORCHESTRATOR_CORS_ORIGINS: previewUrl, PUBLISH_GRACE_SECONDS: '1' }
    const { page, origin } = await openStudio(t, { variables })
    await colleague(origin).send('/sites/register', { siteId: 'acme', name: 'Acme', previewUrl })
    await page.goto(`${origin}/studio?siteId=acme`)
    await page.getByRole('button', { name: /All pages/ }).click()
    const list = page.getByRole('tree', { name: 'Pages' })
    const closed = list.getByRole('treeitem', { name: /\/broken/ })
    await closed.waitFor()
    t.match(await closed.textContent(), /Cannot be read: .*type/)
    await page.getByLabel('Find a page').fill('brok')
    t.equal(await list.getByRole('treeitem').count(), 1)
    await closed.click({ force: true })
    t.ok(await list.isVisible(), 'it is not opened')
    t.strictSame(await findings(page), [])
    await page.keyboard.press('Escape')

    const ops = [{ op: 'rename_page', pageSlug: '/one', newTitle: 'The first' }]
    await colleague(origin).send('/ops', { siteId: 'acme', ops })
    await page.getByRole('button', { name: /^Review 1/ }).waitFor()
    await page.getByRole('button', { name: /All pages/ }).click()
    await closed.getByRole('button', { name: 'Delete' }).click()
    const question = page.getByRole('dialog', { name: 'Delete from the site' })
    await question.getByText('The change in the review is published with it.').waitFor()
    t.strictSame(await findings(page), [])
    await question.getByRole('button', { name: 'Delete from the site' }).click()
    await page.getByText('/broken (deleted), The first', { exact: true }).waitFor()
    t.strictSame(
      website.pages.map(({ slug }) => slug),
      ['/', '/one', '/two', '/three', '/four'],
    )
    t.strictSame(removed, [['/broken']], 'the entry is deleted by its name')

    // One read of the site is shared for a second.
    await pause(1100)
    website.pages = website.pages.slice(0, 1)
    await page.reload()
    await openReview(page)
    await page.getByText('The site has lost most of its pages. The draft still has them.').waitFor()
    await page.getByText('Choose first what becomes of them.').waitFor()
    await page.getByRole('button', { name: 'Put them back on the site' }).click()
    await page.getByText('The changes are live').waitFor()
    t.equal(website.pages.length, 5)

    await pause(1100)
    website.pages = website.pages.slice(0, 1)
    await page.reload()
    await openReview(page)
    await page.getByRole('button', { name: 'Remove them from the draft' }).click()
    await says(page, 'The draft has the pages of the site')
    await page.getByText('The site has lost most of its pages').first().waitFor({ state: 'detached' })
    const slugs = async () => (await fetch(`${origin}/draft/slugs?siteId=acme&session=dev`)).json()
    t.match(await slugs(), { slugs: ['/'] })
    t.equal(Object(await slugs())['slugs'].length, 1)
  },
)

t.test(
  'a block that cannot be read stands in its page, and is deleted after a question',
  inBrowser,
  async (t) => {
    const odd = { id: 'b_odd', props: {} }
    const website = { pages: [{ ...sitePage('/'), blocks: [odd, ...sitePage('/').blocks] }] }
    const { origin: previewUrl } = await startSite(t, (request, response) => {
      const isContent = request.url?.startsWith('/api/editor/pages') === true
      response.setHeader('content-type', isContent ? 'application/json' : 'text/html')
      response.end(isContent ? JSON.stringify(website) : '<h1>Site</h1>')
    })
    const { page, origin } = await openStudio(t, { variables: { ORCHESTRATOR_CORS_ORIGINS: previewUrl } })
    await colleague(origin).send('/sites/register', { siteId: 'acme', name: 'Acme', previewUrl })
    await page.goto(`${origin}/studio?siteId=acme`)
    const closed = page.getByRole('treeitem', { name: /cannot be read/ })
    await closed.waitFor()
    t.match(await closed.textContent(), /Cannot be read: type is missing/)
    await closed.click()
    t.equal(await closed.getAttribute('aria-selected'), null, 'it is not opened')
    await closed.press('Enter')
    await says(
      page,
      'The block cannot be read: type is missing or of the wrong type. Correct it on the website.',
    )
    await closed.press('Alt+ArrowDown')
    await says(page, 'Block of the website stays where it is.')
    t.strictSame(await findings(page), [])
    const question = page.getByRole('dialog', { name: 'Delete' })
    await closed.press('Backspace')
    await question.getByRole('button', { name: 'Leave it' }).click()
    await question.waitFor({ state: 'detached' })
    await closed.getByRole('button', { name: 'More for this block' }).click()
    await page.getByRole('menuitem', { name: /Delete/ }).click()
    await question.getByText('cannot be read').waitFor()
    await question.getByRole('button', { name: 'Delete' }).click()
    await closed.waitFor({ state: 'detached' })
    t.equal(await page.getByRole('tree', { name: 'Blocks' }).getByRole('treeitem').count(), 1)
  },
)

t.test(
  'of a page that the site has deleted the changed words are marked, and the rest is folded',
  inBrowser,
  async (t) => {
    const { page, origin, errors } = await openStudio(t)
    await siteIn(page)
    const { edit, find, send } = colleague(origin)
    const publish = another(origin)
    await send('/publish')
    const { id, type, props } = await find('Hero', '/about')
    await edit(
      {
        op: 'update_props',
        pageSlug: '/about',
        blockId: id,
        patch: { heading: `${String(props['heading'])} again` },
      },
      hero({ heading: 'One two three four mine' }),
    )
    await publish({ op: 'remove_page', pageSlug: '/about' }, hero({ heading: 'One two three four theirs' }))
    await openReview(page)
    const rows = conflicts(page).locator('> .block-diff')
    const gone = rows.filter({ hasText: 'The whole page' })
    await gone.waitFor()
    t.strictSame(await gone.locator('ins').allTextContents(), [' again'], type)
    t.equal(await gone.locator('details').getAttribute('open'), null)
    t.match(await gone.locator('.sides').textContent(), /^In the draft · .*On the site · Ben, .*Deleted$/s)
    const both = rows.filter({ hasText: 'One two three four' })
    t.strictSame(await both.locator('mark').allTextContents(), ['mine', 'theirs'])
    t.strictSame(await findings(page), [])
    t.strictSame(errors, [])
  },
)
