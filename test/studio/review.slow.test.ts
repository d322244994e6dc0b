import type { Page } from 'playwright-core'
import t from 'tap'
import { colleague, inBrowser, openStudio, says, siteIn } from './browser.ts'

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
  const patch = { heading: 'A new heading', imageUrl: '/workshop.jpg' }
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
  t.equal(await block(page, 'Hero').locator('figure').count(), 2, 'pictures stand beside each other')
  t.match(await card(page).locator('h3').allTextContents(), [/Hero/, /→/], 'one moved block is one move')
  t.match(await publishButton(page).textContent(), /^Publish 2 changes/, 'the button counts what is shown')

  await block(page, 'Hero').getByRole('button', { name: 'Revert this' }).click()
  await says(page, 'Back to what is published')
  await block(page, 'Hero').waitFor({ state: 'detached' })
  t.strictSame(await find('Hero'), hero, 'one of the changes is gone')
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
  await block(page, 'Hero').waitFor()
  await card(page).getByRole('button', { name: 'Move back' }).click()
  await says(page, 'Moved back')
  await card(page).getByText('→').waitFor({ state: 'detached' })

  // The change of a colleague after the review: nothing is published unseen.
  await page.route('**/publish/diff*', (route) => route.abort())
  await setHero({ subheading: 'Not reviewed' })
  await publishButton(page).click()
  await page.getByText('changed after this version').waitFor()
  await page.unroute('**/publish/diff*')
  await page.getByRole('button', { name: 'Look again' }).click()
  await block(page, 'Hero').locator('ins', { hasText: 'reviewed' }).waitFor()

  await publishButton(page).click()
  await page.getByText(/are live,/).waitFor()
  await page.getByText('Everything is published.').waitFor()
  await page.getByRole('button', { name: 'Back to before' }).click()
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

t.test('a finding leads to its place, and is fixed or dismissed', inBrowser, async (t) => {
  const { page, origin } = await openStudio(t)
  await siteIn(page)
  await colleague(origin).setHero({ ctaHref: '/nowhere' })
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
})
