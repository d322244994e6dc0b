import t from 'tap'
import * as v from 'valibot'
import { colleague, findings, inBrowser, openStudio, resize, says, siteIn } from './browser.ts'

const Rows = v.object({ scheduled: v.array(v.object({ id: v.string(), at: v.string() })) })

/** A day in so many days at noon, as the input takes it. */
const noonIn = (days: number): string => {
  const day = new Date(Date.now() + days * 86_400_000)
  const two = (part: number): string => String(part).padStart(2, '0')
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}T12:00`
}

t.test('a publish waits for its time, and an earlier one goes to the site again', inBrowser, async (t) => {
  const { page, origin, errors } = await openStudio(t)
  await siteIn(page)
  const { send, find, setHero } = colleague(origin)
  const headingIn = async (path?: string) => (await find('Hero', '/', path)).props['heading']
  const drafted = () => headingIn()
  const published = () => headingIn('/published/pages')
  const rows = async () => {
    const answer = await fetch(`${origin}/publish/scheduled?siteId=demo&session=dev`)
    return v.parse(Rows, await answer.json()).scheduled
  }
  const first = await drafted()
  t.equal((await send('/publish')).status, 200)
  await setHero({ heading: 'Second' })
  const review = page.getByRole('button', { name: /^Review/ }).first()
  await review.click()
  const panel = page.getByRole('complementary', { name: 'Publish' })
  const list = panel.locator('ul.publishes li')
  const dialog = page.getByRole('dialog')
  const open = panel.getByRole('button', { name: 'Publish at…' })

  // By keys alone; a time in the past is not sent.
  await open.focus()
  await page.keyboard.press('Enter')
  const time = dialog.getByLabel(/^Time/)
  await time.waitFor()
  await dialog.getByText('This change goes out then. Later edits wait for another publish.').waitFor()
  t.equal(await page.evaluate(`document.activeElement.id`), 'publish-at', 'the time has the focus')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  t.equal(await page.evaluate(`document.activeElement.textContent`), 'Publish at…', 'the focus is back')
  await page.keyboard.press('Enter')
  await time.waitFor()
  // Before the browser has told the studio that the dialog is closed.
  await Promise.all([page.keyboard.press('Escape'), page.keyboard.press('Enter')])
  await time.waitFor()
  await time.fill(noonIn(-1))
  await time.press('Enter')
  t.equal(await dialog.count(), 1, 'the browser says what is wrong')
  await time.fill(noonIn(2))
  await time.press('Enter')
  await panel.getByText(/^Scheduled for/).waitFor()
  await list.getByText(/^Home, as it was at/).waitFor()
  t.equal((await rows())[0]?.at, new Date(noonIn(2)).toISOString(), 'in the time zone of the person')

  await list.getByRole('button', { name: 'Change the time' }).click()
  t.equal(await time.inputValue(), noonIn(2))
  await time.fill(noonIn(3))
  await dialog.getByRole('button', { name: 'Schedule' }).click()
  await says(page, 'It has another time')
  t.equal((await rows())[0]?.at, new Date(noonIn(3)).toISOString())
  await list.getByRole('button', { name: 'Cancel this publish' }).click()
  await dialog.getByText(/^Nothing is published at that time/).waitFor()
  t.equal((await rows()).length, 1, 'nothing happens before the answer')
  await dialog.getByRole('button', { name: 'Cancel this publish' }).click()
  await says(page, 'It will not be published')
  await list.waitFor({ state: 'detached' })
  t.strictSame(await rows(), [])
  t.equal(await panel.getByText(/^Scheduled for/).count(), 0, 'and nothing says that it waits')
  t.equal(await page.evaluate(`document.activeElement.ariaLabel`), 'Publish', 'the focus stays in the panel')

  // What was reviewed is published, whatever was edited since.
  await open.click()
  await dialog.getByRole('button', { name: 'Schedule' }).click()
  await list.waitFor()
  await setHero({ heading: 'Third' })
  const soon = new Date(Date.now() + 1500).toISOString()
  t.equal((await send('/publish/scheduled', { id: (await rows())[0]?.id, at: soon }, 'PATCH')).status, 200)
  await list.waitFor({ state: 'detached' })
  t.equal(await published(), 'Second')
  t.equal(await drafted(), 'Third')
  await page.locator('.card ins', { hasText: 'Third' }).waitFor()

  // Back to the first publish; the newest one cannot be published again, because it is what visitors see.
  const again = panel.getByRole('button', { name: 'Publish this again' })
  t.equal(await again.count(), 1)
  await again.click()
  await dialog.getByText(/^Visitors see the publish of/).waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    t.strictSame(await findings(page), [], `${colorScheme}: the question`)
  }
  t.equal(await published(), 'Second', 'nothing happens before the answer')
  await dialog.getByRole('button', { name: 'Publish this again' }).click()
  await panel.getByText(/are live,/).waitFor()
  t.equal(await published(), first)
  t.equal(await drafted(), 'Third', 'the draft stays')
  await panel.getByText('an earlier publish again').waitFor()

  // What failed gets a time in the future, without the past one in the way.
  const failed = {
    id: 'x',
    status: 'failed',
    session: 'dev',
    slugs: ['/'],
    at: '2026-01-01T12:00:00.000Z',
    error: 'It failed.',
  }
  await page.route('**/publish/scheduled?**', (route) => route.fulfill({ json: { scheduled: [failed] } }))
  await page.reload()
  await review.click()
  await list.getByText('It failed.').waitFor()
  await list.getByRole('button', { name: 'Change the time' }).click()
  t.ok(await time.evaluate((input: HTMLInputElement) => input.checkValidity()), await time.inputValue())
  await page.keyboard.press('Escape')

  // The site has the first heading again, and the draft its own.
  t.ok(await open.isDisabled(), 'nothing is scheduled before that is decided')
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await open.click()
  await resize(page, { width: 390, height: 844 })
  t.equal(await page.evaluate(`document.documentElement.scrollWidth <= innerWidth`), true)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    t.strictSame(await findings(page), [], `${colorScheme}: the time, on a phone`)
  }
  t.strictSame(errors, [], 'nothing is reported')
})

t.test('a publish that waits in another draft is decided before it is met', inBrowser, async (t) => {
  const { page, origin, errors } = await openStudio(t)
  await siteIn(page)
  const { send, find, setHero } = colleague(origin)
  const client = { id: 'browser-of-anna', name: 'Anna' }
  const session = 'spring'
  t.equal((await send('/draft/follow', { session })).status, 200)
  const patch = { heading: 'Of Anna' }
  const op = { op: 'update_props', pageSlug: '/', blockId: (await find('Hero')).id, patch }
  t.equal((await send('/ops', { session, ops: [op] })).status, 200)
  const at = new Date(Date.now() + 3_600_000).toISOString()
  t.equal((await send('/publish', { session, at, client })).status, 202)
  await setHero({ heading: 'Newer' })
  await page
    .getByRole('button', { name: /^Review/ })
    .first()
    .click()
  const panel = page.getByRole('complementary', { name: 'Publish' })
  const warning = panel.getByText(
    /^Anna’s publish of .* from the draft “spring” has an older value: Home, Hero: Heading\.$/,
  )
  await warning.waitFor()
  t.equal(
    await panel.getByRole('heading', { name: 'Scheduled' }).count(),
    0,
    'it is no publish of this draft',
  )
  await panel.getByRole('button', { name: 'Take it out' }).click()
  await says(page, 'It is decided for its time')
  await warning.waitFor({ state: 'detached' })
  await panel.getByRole('button', { name: /^Publish .* to / }).click()
  await panel.getByText(/The changes are live/).waitFor()
  t.equal(await panel.getByText(/has an older value/).count(), 0)
  t.strictSame(errors, [])
})

t.test(
  'a publish that waits and has an older value is decided before and after its time',
  inBrowser,
  async (t) => {
    const { page, origin, errors } = await openStudio(t)
    await siteIn(page)
    const { send, find, setHero } = colleague(origin)
    const published = async (path = '/published/pages') => (await find('Hero', '/', path)).props['heading']
    const client = { id: 'browser-of-anna', name: 'Anna' }
    const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
    t.equal((await send('/publish')).status, 200)
    await setHero({ heading: 'Of Anna' })
    t.equal((await send('/publish', { at: inMs(3_600_000), client })).status, 202)
    await setHero({ heading: 'Newer' })
    await page
      .getByRole('button', { name: /^Review/ })
      .first()
      .click()
    const panel = page.getByRole('complementary', { name: 'Publish' })
    const warning = panel.getByText(/^Anna’s publish of .* has an older value: Home, Hero: Heading\.$/)
    await warning.waitFor()
    t.strictSame(await findings(page), [])
    await panel.getByRole('button', { name: 'Keep Anna’s' }).click()
    await says(page, 'It is decided for its time')
    await warning.waitFor({ state: 'detached' })

    // Another value is another conflict, which is not decided.
    await setHero({ heading: 'Newest' })
    await warning.waitFor()
    await panel.getByRole('button', { name: /^Publish .* to / }).click()
    await panel
      .getByText(/The publish scheduled by Anna .* has an older value of Home, Hero: heading/)
      .waitFor()
    const row = panel.locator('ul.publishes > li')
    await row.getByText('It will fail at its time: the site has newer values.').waitFor()
    await row.getByText('Choose: publish Anna’s text, or drop it.').waitFor()
    t.match(
      await row.locator('.sides').textContent(),
      /^In this publish · Anna, .*Of Anna.*On the site · .*Newest$/,
    )
    t.strictSame(await findings(page), [])

    const { scheduled } = v.parse(
      Rows,
      await (await fetch(`${origin}/publish/scheduled?siteId=demo&session=dev`)).json(),
    )
    await send('/publish/scheduled', { id: scheduled[0]?.id, at: inMs(1500) }, 'PATCH')
    await panel.getByText('It failed at its time. See “Scheduled”.').waitFor()
    await row.getByText('Not published at its time: the site has newer values.').waitFor()
    await row.getByRole('button', { name: 'Change the time' }).waitFor()
    await row.getByRole('button', { name: 'Use Anna’s' }).waitFor()
    await row.getByRole('button', { name: 'Publish the rest' }).click()
    await row.waitFor({ state: 'detached' })
    t.equal(await published(), 'Newest')
    t.strictSame(errors, [])
  },
)
