import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import {
  colleague,
  eventually,
  findings as axe,
  inBrowser,
  openStudio,
  resize,
  says,
  siteIn,
} from './browser.ts'

const card = (page: Page) => page.locator('.card').filter({ hasText: 'Home' })
const block = (page: Page, name: string) => card(page).locator('.block-diff').filter({ hasText: name })
const publishButton = (page: Page) => page.getByRole('button', { name: /^Publish \d+ change/ })

t.test('what is reviewed is published, and each change has its way back', inBrowser, async (t) => {
  const { page, origin, errors } = await openStudio(t)
  await siteIn(page)
  const { send, blocks, find, edit, setHero } = colleague(origin)
  // The first publish is what the others go back to.
  await send('/publish')
  const start = await blocks()
  const [hero, last] = [await find('Hero'), start.at(-1)]
  const patch = { heading: 'A new heading', ctaText: 'Come', imageUrl: '/workshop.jpg' }
  await edit(
    { op: 'update_props', blockId: hero.id, patch },
    { op: 'move_block', blockId: last?.id, afterBlockId: hero.id },
    { op: 'update_props', blockId: last?.id, patch: { title: 'Visit the workshop' } },
  )

  await page
    .getByRole('button', { name: /^Review/ })
    .first()
    .click()
  await block(page, 'Hero').locator('ins', { hasText: 'heading' }).waitFor()
  t.equal(await block(page, 'Hero').locator('figure').count(), 2, 'pictures are beside each other')
  t.match(await card(page).locator('h3').allTextContents(), [/Hero/, /→/], 'one moved block is one move')
  t.match(await publishButton(page).textContent(), /^Publish 2 changes/, 'the button counts what is shown')

  const heading = block(page, 'Hero').locator('.field-diff').filter({ hasText: 'Heading' })
  const { x = 0, y = 0 } = (await heading.getByRole('button').boundingBox()) ?? {}
  await heading.getByRole('button', { name: 'Revert this' }).click()
  await block(page, 'Hero').getByText('Heading: Back to what is published').waitFor()
  const under = `document.elementFromPoint(${x + 20}, ${y + 9}).closest('button')`
  t.equal(await page.evaluate(under), null, 'no other button came under the pointer')
  const { imageUrl, ...rest } = (await find('Hero')).props
  t.match([imageUrl, rest['heading']], ['/workshop.jpg', hero.props['heading']], 'one field, and no other')
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
  await heading.getByRole('button', { name: 'Revert this' }).waitFor()
  await block(page, 'Hero').getByRole('button', { name: 'Revert block' }).click()
  await says(page, 'Back to what is published')
  await block(page, 'Hero').locator('h3').getByText('Back to what is published').waitFor()
  t.strictSame(await find('Hero'), hero, 'one of the changes is gone')
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
  await block(page, 'Hero').locator('figure').first().waitFor()
  await card(page).getByRole('button', { name: 'Move back' }).click()
  await says(page, 'Moved back')
  await card(page).getByText('→').waitFor({ state: 'detached' })

  // The change of a colleague after the review: nothing is published unseen.
  await page.route('**/publish/diff*', (route) => route.abort())
  await setHero({ subheading: 'Not reviewed' })
  await publishButton(page).click()
  await page.getByText('changed after this version').waitFor()
  await page.unroute('**/publish/diff*')
  await page.getByRole('button', { name: 'Compare again' }).click()
  await block(page, 'Hero').locator('ins', { hasText: 'reviewed' }).waitFor()

  await publishButton(page).click()
  await page.getByText(/are live,/).waitFor()
  await page.getByText('Everything is published.').waitFor()
  await page.getByRole('button', { name: 'Restore the previous publish' }).click()
  await says(page, 'This is the earlier publish')
  await block(page, 'Hero').locator('del', { hasText: 'reviewed' }).waitFor()
  t.strictSame(
    (await blocks()).map(({ props }) => props),
    start.map(({ props }) => props),
    'the draft is the earlier publish',
  )
  t.strictSame(
    errors.filter((error) => !/net::ERR_FAILED|status of 404/.test(error)),
    [],
    'nothing is reported',
  )
})

t.test('what was there before the first publish is restored in the draft', inBrowser, async (t) => {
  const { page, origin, errors } = await openStudio(t)
  await siteIn(page)
  const { send, find, setHero } = colleague(origin)
  const published = async () => (await find('Hero', '/', '/published/pages')).props['heading']
  const { heading } = (await find('Hero')).props
  await setHero({ heading: 'First' })
  await setHero({ heading: 'Second' })
  t.equal((await send('/publish')).status, 200)
  await page
    .getByRole('button', { name: /^Review/ })
    .first()
    .click()
  const back = page.getByRole('button', { name: 'Restore what was before' })
  await back.click()
  await says(page, 'This is what was there before')
  t.equal((await find('Hero')).props['heading'], heading)
  t.equal(await published(), 'Second', 'visitors see no difference')
  await publishButton(page).click()
  await page.getByText(/are live,/).waitFor()
  t.equal(await published(), heading)
  // The list of publishes is read again after the answer.
  await back.waitFor({ state: 'detached' })
  t.strictSame(errors, [])
})

t.test('each text of a page has its own way back', inBrowser, async (t) => {
  const { page, origin, errors } = await openStudio(t)
  await siteIn(page)
  const { send, edit } = colleague(origin)
  await send('/publish')
  await edit(
    { op: 'rename_page', pageSlug: '/', newPageSlug: '/', newTitle: 'Welcome' },
    { op: 'update_page_meta', pageSlug: '/', patch: { title: 'Bikes', description: 'We repair bikes' } },
  )
  await page
    .getByRole('button', { name: /^Review/ })
    .first()
    .click()
  const text = (name: string) => page.locator('.field-diff').filter({ hasText: name })
  const description = 'Description for search engines'
  await text(description).getByRole('button', { name: 'Revert this' }).click()
  await text(`${description}: Back to what is published`).waitFor()
  await page
    .locator('.field-diff', { has: page.getByText('Title', { exact: true }) })
    .getByRole('button', { name: 'Revert this' })
    .click()
  await text('Title: Back to what is published').waitFor()
  const answer = await fetch(`${origin}/draft/pages?siteId=demo&session=dev&slug=/`)
  t.match(await answer.json(), { title: 'Home', meta: { title: 'Bikes' } }, 'and no other')
  t.strictSame(errors, [])
})

t.test('a renamed page is one card, with its addresses and its changes', inBrowser, async (t) => {
  const { page, origin, errors } = await openStudio(t)
  await siteIn(page)
  const { send, edit, find } = colleague(origin)
  await send('/publish')
  const hero = await find('Hero', '/about')
  await edit(
    { op: 'rename_page', pageSlug: '/about', newPageSlug: '/our-story', newTitle: 'About' },
    { op: 'update_props', pageSlug: '/our-story', blockId: hero.id, patch: { heading: 'A new heading' } },
  )
  await page
    .getByRole('button', { name: /^Review/ })
    .first()
    .click()
  const cardAt = (slug: string) => page.locator(`[id="changes of ${slug}"]`)
  const renamed = cardAt('/our-story')
  const address = renamed.locator('.field-diff').filter({ hasText: 'Address' })
  await address.getByText('/about', { exact: true }).waitFor()
  await renamed.locator('ins', { hasText: 'new' }).waitFor()
  t.equal(await page.getByText(/new page|deleted/).count(), 0, 'nothing is called new or deleted')

  await address.getByRole('button', { name: 'Revert this' }).click()
  await cardAt('/about').locator('ins', { hasText: 'new' }).waitFor()
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
  await address.waitFor()
  await renamed.getByRole('button', { name: 'Revert page' }).click()
  await page.getByText('Everything is published.').waitFor()
  t.strictSame(await find('Hero', '/about'), hero)
  t.strictSame(errors, [])
})

t.test('unticked settings say which of them go along with a renamed page', inBrowser, async (t) => {
  const { page, origin, errors } = await openStudio(t)
  await siteIn(page)
  const { send, edit } = colleague(origin)
  await send('/publish')
  const rename = { op: 'rename_page', pageSlug: '/about', newPageSlug: '/our-story', newTitle: 'Our story' }
  await edit(rename, { op: 'update_site_config', patch: { name: 'Another name' } })
  await page
    .getByRole('button', { name: /^Review/ })
    .first()
    .click()
  const card = page.locator('.card').filter({ hasText: 'Name of the site' })
  const along = card.getByText(/^The menu entry.* of Our story go(es)? along: its page was renamed\.$/)
  await card.getByLabel('Publish site settings').uncheck()
  await along.waitFor()
  await page.getByLabel('Publish Our story').uncheck()
  await along.waitFor({ state: 'detached' })
  t.strictSame(errors, [])
})

t.test(
  'what was moved is named, at its place in the list; so is a row that only moved',
  inBrowser,
  async (t) => {
    const { page, origin } = await openStudio(t)
    await siteIn(page)
    const { send, blocks, find, edit } = colleague(origin)
    await send('/publish')
    const start = await blocks()
    const [stats, cards] = [await find('Stats'), await find('CardGrid')]
    const at = start.findIndex(({ id }) => id === stats.id)
    await edit({ op: 'move_block', blockId: stats.id, afterBlockId: start[at + 1]?.id })
    const review = page.getByRole('button', { name: /^Review/ }).first()
    await page
      .locator('.outline .row.changed, .outline [aria-label*="changed"]', { hasText: 'Stats' })
      .waitFor()
    await review.click()
    const heading = card(page).locator('h3')
    await heading.waitFor()
    t.match(await heading.textContent(), new RegExp(`^Stats.*${at + 1}th → ${at + 2}th`), 'with its places')

    await edit({ op: 'move_item', blockId: cards.id, listKey: 'cards', index: 0, afterIndex: 2 })
    const grid = card(page).locator('.block-diff').filter({ hasText: '1st → 3rd' })
    await grid.waitFor()
    t.equal(await grid.locator('.difference').count(), 0, 'no text has changed')
    await edit({ op: 'remove_item', blockId: cards.id, listKey: 'cards', index: 0 })
    await grid.waitFor({ state: 'detached' })
    const left = card(page).locator('.block-diff').filter({ hasText: 'Card grid' })
    t.strictSame(await left.locator('ins').count(), 0, 'a deleted row marks no other one')
    t.equal(await left.locator('.difference').count(), 1)

    await publishButton(page).click()
    await page.getByText('Everything is published.').waitFor()
    const panel = page.getByRole('complementary', { name: 'Publish' })
    await panel.getByText('3 changes: Stats moved on').waitFor()
    await panel.getByText('The draft is the same.').waitFor()
    t.equal(
      await panel.getByRole('button', { name: 'Restore in the draft' }).count(),
      1,
      'only the earlier one',
    )
  },
)

t.test('a finding leads to its place, and is fixed or dismissed', inBrowser, async (t) => {
  const { page, origin } = await openStudio(t)
  await siteIn(page)
  const { setHero, edit } = colleague(origin)
  await setHero({ ctaHref: '/nowhere' })
  await edit({ op: 'update_site_config', patch: { navLabels: { '/gone': 'Gone' } } })
  await page
    .getByRole('button', { name: /^Review/ })
    .first()
    .click()
  const finding = page.locator('.findings li').filter({ hasText: '/nowhere' })
  await finding.getByRole('button', { name: 'Show' }).click()
  await page.getByLabel('Button link', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Review', exact: true }).first().click()
  const before = await page.locator('.findings li').count()
  await finding.getByRole('button', { name: 'Dismiss' }).click()
  await finding.waitFor({ state: 'detached' })
  t.equal(await page.locator('.findings li').count(), before - 1)

  const label = page.locator('.findings').filter({ hasText: 'missing page /gone' })
  await label.locator('summary').click()
  await label.getByRole('button', { name: 'Fix' }).click()
  await says(page, 'Fixed')
  await label.waitFor({ state: 'detached' })
  const config = await fetch(`${origin}/draft/site-config?siteId=demo&session=dev`)
  t.notMatch(await config.text(), '/gone')
})

t.test('a publish with an error in it asks once more, by keys alone', inBrowser, async (t) => {
  const { page, origin, errors } = await openStudio(t)
  await siteIn(page)
  const { send, find, setHero } = colleague(origin)
  await send('/publish')
  await setHero({ heading: ' ' })
  const focused = () => page.evaluate<string>(`document.activeElement.textContent`)
  const isLive = async () => (await find('Hero', '/', '/published/pages')).props['heading'] === ' '
  await page
    .getByRole('button', { name: /^Review/ })
    .first()
    .click()
  await page.locator('.findings', { hasText: 'Heading is required' }).waitFor()
  t.equal(await focused(), 'Review', 'the view says where one is')
  await page.keyboard.press('Tab')
  t.equal(await focused(), 'Go to publishing')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  t.match(await focused(), /^Publish 1 change to/)

  await page.keyboard.press('Enter')
  const question = page.getByRole('group', { name: '1 error is not solved.' })
  await question.waitFor()
  t.ok(await question.evaluate((element) => element === document.activeElement), 'the question is read aloud')
  t.strictSame(await axe(page), [])
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  await eventually(async () => (await focused()).startsWith('Publish 1'))
  await page.keyboard.press('Enter')
  await question.getByRole('button', { name: 'Show it' }).click()
  await page.getByLabel('Heading', { exact: true }).waitFor()
  t.notOk(await isLive(), 'nothing was published')

  await page
    .getByRole('button', { name: /^Review/ })
    .first()
    .click()
  await publishButton(page).click()
  await question.getByRole('button', { name: 'Publish anyway' }).click()
  await page.getByRole('complementary', { name: 'Publish' }).getByText('Home', { exact: true }).waitFor()
  t.ok(await isLive())
  await page.getByText('Everything is published.').waitFor()
  t.equal(await publishButton(page).count(), 0, 'and no button for nothing')
  t.equal(await page.locator('.checks > details').count(), 1, 'what is left is on one line')
  t.strictSame(
    errors.filter((error) => !error.includes('404')),
    [],
    'nothing is reported',
  )
})

t.test('a new page is shown whole, and settings in words with their way back', inBrowser, async (t) => {
  const { page, origin } = await openStudio(t)
  await siteIn(page)
  const { send, edit } = colleague(origin)
  await send('/publish')
  const answer = await fetch(`${origin}/draft/site-config?siteId=demo&session=dev`)
  const config = await answer.text()
  const props = { heading: 'The people', imageUrl: '/hero-generated.svg', imageAlt: 'All four of us' }
  const items = [{ q: 'Open on Sunday?', a: 'No.' }]
  const blocks = [
    { id: 'b_team', type: 'Hero', props: { ...props, subheading: 'Four', ctaText: 'Book', ctaHref: '/faq' } },
    { id: 'b_faq', type: 'FAQAccordion', props: { title: 'Ask us', items } },
  ]
  const patch = { navLabels: { '/faq': 'Help' }, navGroups: { 'Our work': ['/services'], More: ['/about'] } }
  await edit(
    { op: 'create_page', page: { slug: '/our-team', title: 'Our team', blocks } },
    {
      op: 'add_block',
      block: { id: 'b_new', type: 'Quote', props: { quote: 'They fixed it.', author: 'Ada' } },
    },
    { op: 'update_site_config', patch },
  )
  await page
    .getByRole('button', { name: /^Review/ })
    .first()
    .click()
  const team = page.locator('.card').filter({ hasText: '/our-team' })
  for (const text of ['The people', 'All four of us', 'Open on Sunday?']) await team.getByText(text).waitFor()
  t.equal(await team.locator('img').count(), 1, 'with its picture')
  await block(page, 'Quote').getByText('They fixed it.').waitFor()

  const settings = page.locator('.card').filter({ hasText: 'Site settings' })
  t.strictSame(
    (await settings.locator('h3').allTextContents()).map((text) => text.replace('Revert this', '')),
    [
      'Group in the menu “More”',
      'Group in the menu “Our work”',
      'Group in the menu “What we do”',
      'Name in the menu of “FAQ”',
    ].filter((name) => config.includes('What we do') || !name.includes('What we do')),
  )
  await settings.getByText('About', { exact: true }).waitFor()
  await page.getByRole('navigation', { name: 'Changed pages' }).getByText('Site settings').click()
  t.equal(await settings.evaluate((card) => card === document.activeElement), true)
  const { y: top = -1 } = (await page.getByRole('heading', { name: 'Review' }).boundingBox()) ?? {}
  t.ok(top >= 0, 'the list of pages stays in sight')
  const panel = page.getByRole('complementary', { name: 'Publish' })
  for (const text of ['1 change on 1 page', '1 new page', /^\d changes of the site settings/])
    await panel.getByText(text).waitFor()

  await resize(page, { width: 390, height: 844 })
  const topOf = async (place: Locator) => (await place.boundingBox())?.y ?? 0
  t.ok((await topOf(settings)) < (await topOf(panel)), 'on a phone the changes come first')
  t.ok((await topOf(panel)) < (await topOf(page.locator('.checks'))), 'and the checks last')
  const revert = settings.getByRole('button', { name: 'Revert this' })
  const first = revert.first()
  await first.scrollIntoViewIfNeeded()
  const { x = 0, y = 0 } = (await first.boundingBox()) ?? {}
  for (let left = await revert.count(); left > 0; left -= 1) {
    await first.click()
    await eventually(async () => (await revert.count()) === left - 1)
    if (left > 3)
      t.equal(
        await page.evaluate(`document.elementFromPoint(${x + 9}, ${y + 9}).closest('button')`),
        null,
        'no other button came under the finger',
      )
  }
  const toast = await page.locator('.toast').boundingBox()
  t.ok((toast?.height ?? 99) < 50, 'a message is one line')
  const after = await fetch(`${origin}/draft/site-config?siteId=demo&session=dev`)
  t.strictSame(await after.json(), JSON.parse(config), 'each setting is as it was')
})

t.test('hundreds of new pages are all listed, of which one is shown on request', inBrowser, async (t) => {
  const { page, origin } = await openStudio(t)
  await siteIn(page)
  const pages = Array.from({ length: 230 }, (_, n) => ({
    id: `p_${n}`,
    slug: `/new/${n}`,
    title: `New ${n}`,
    updatedAt: '2026-01-01T12:00:00.000Z',
    blocks: [{ id: `b_${n}`, type: 'RichText', props: { title: `Title ${n}` } }],
  }))
  await colleague(origin).send('/draft/bootstrap', { pages, overwrite: true })
  await page
    .getByRole('button', { name: /^Review/ })
    .first()
    .click()
  await eventually(async () => (await page.locator('.cards h2').count()) === 230)
  t.equal(await page.getByRole('navigation', { name: 'Changed pages' }).getByRole('button').count(), 231)
  const last = page.locator('.card').filter({ hasText: '/new/229' })
  await last.getByRole('button', { name: 'Show the page' }).click()
  await last.getByText('Title 229').waitFor()
})
