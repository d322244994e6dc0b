import type { Locator } from 'playwright-core'
import t from 'tap'
import { colleague, inBrowser, openStudio, says, siteIn } from './browser.ts'

/** Whether a person sees an attribute of an element. */
async function shows(found: Locator, attribute: string): Promise<boolean> {
  const element = await found.elementHandle()
  if (!element) throw new Error('there is no such element')
  const seen = await element.screenshot()
  const value = await element.getAttribute(attribute)
  await element.evaluate((each, name) => each.removeAttribute(name), attribute)
  const without = await element.screenshot()
  await element.evaluate((each, [name, text]) => each.setAttribute(name, text), [
    attribute,
    value ?? '',
  ] as const)
  return !seen.equals(without)
}

t.test("what is chosen is seen in the person's own colours", inBrowser, async (t) => {
  const { page, origin } = await openStudio(t)
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
  const site = await siteIn(page)
  await colleague(origin).setHero({ heading: 'Changed' })
  const row = page.getByRole('treeitem', { name: /^Hero, Changed/ }).first()
  await row.click()
  const selected = page.locator('.outline [aria-selected=true], .outline .row[aria-current]').first()
  await selected.waitFor()
  t.ok(
    await shows(
      selected,
      (await selected.getAttribute('aria-current')) === null ? 'aria-selected' : 'aria-current',
    ),
    'the selected row',
  )
  t.ok(await shows(page.locator('.rail [aria-current]'), 'aria-current'), 'the chosen view')
  t.ok(await shows(page.locator('.tabs [aria-selected=true]').first(), 'aria-selected'), 'the chosen tab')
  t.ok(await shows(page.locator('.choice [aria-pressed=true]').first(), 'aria-pressed'), 'the pressed button')

  const dot = page.locator('.outline .dot').first()
  await dot.waitFor()
  const drawn = await dot.screenshot()
  await dot.evaluate((element) => (element.style.background = 'Canvas'))
  t.notOk(drawn.equals(await dot.screenshot()), 'the dot of a change')

  await site.locator('editor-overlay .tag').first().waitFor()
  const frame = page.locator('iframe.frame')
  const outlined = await frame.screenshot()
  await site.evaluate(() =>
    document.querySelector<HTMLElement>('editor-overlay')?.style.setProperty('display', 'none'),
  )
  t.notOk(outlined.equals(await frame.screenshot()), 'the outline of the selected block')

  await page.locator('.fields').getByLabel('Heading', { exact: true }).fill('Saved')
  await page.keyboard.press('Tab')
  await says(page, 'saved')
  const toast = page.locator('.toast').first()
  t.not(await toast.evaluate((element) => getComputedStyle(element).borderTopStyle), 'none', 'the message')

  await page
    .getByRole('button', { name: /^Review/ })
    .first()
    .click()
  const decorationOf = (tag: 'ins' | 'del') =>
    page
      .locator(`.card ${tag}`)
      .first()
      .evaluate((element) => getComputedStyle(element).textDecorationLine)
  t.equal(await decorationOf('ins'), 'underline', 'what is new')
  t.equal(await decorationOf('del'), 'line-through', 'what was there before')
})

/** Whether the letters of an element differ from what is behind them. */
async function isRead(found: Locator): Promise<boolean> {
  const seen = await found.screenshot()
  await found.evaluate((each: HTMLElement) => void (each.style.opacity = '0'))
  return !seen.equals(await found.screenshot())
}

t.test("what differs, is off or was asked is seen in the person's own colours", inBrowser, async (t) => {
  const { page, origin } = await openStudio(t)
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce', colorScheme: 'dark' })
  await siteIn(page)
  const off = page.locator('.bar button:disabled').first()
  t.equal(await off.evaluate((element) => getComputedStyle(element).opacity), '1', 'what is off')
  await page.getByRole('tab', { name: 'Chat' }).click()
  await page.locator('#message').fill('Hello')
  await page.keyboard.press('Enter')
  const asked = page.locator('.me').first()
  t.not(await asked.evaluate((element) => getComputedStyle(element).borderTopStyle), 'none', 'what was asked')

  const { find, send, setHero } = colleague(origin)
  const blockId = (await find('Hero')).id
  const session = 'other'
  await setHero({ heading: 'A new day' })
  await send('/draft/follow', { session })
  await send('/ops', {
    session,
    ops: [{ op: 'update_props', pageSlug: '/', blockId, patch: { heading: 'A new week' } }],
  })
  t.equal((await send('/publish', { session })).status, 200)
  await page
    .getByRole('button', { name: /^Review/ })
    .first()
    .click()
  const differing = page.locator('.conflicts mark', { hasText: 'week' })
  await differing.waitFor()
  t.ok(await isRead(differing), 'the words that differ')
})
