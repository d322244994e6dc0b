import t from 'tap'
import { colleague, inBrowser, openStudio, says, siteIn } from './browser.ts'

t.test('any line of the history is undone, and shows the page as it was', inBrowser, async (t) => {
  const { page, origin, errors } = await openStudio(t)
  const frame = await siteIn(page)
  const heading = frame.locator('[data-block-type="Hero"] h1').first()
  const first = (await heading.textContent()) ?? ''
  const { setHero } = colleague(origin)
  await setHero({ heading: 'Second heading' })
  await setHero({ subheading: 'Another sentence' })
  await setHero({ heading: 'Third heading' })
  await heading.filter({ hasText: 'Third heading' }).waitFor()

  await page.getByRole('button', { name: 'History' }).click()
  const lines = page.getByRole('navigation', { name: 'Changes' }).getByRole('button')
  await lines.filter({ hasText: 'Third heading' }).waitFor()
  t.equal(await lines.first().getAttribute('aria-current'), 'true', 'the newest line is chosen')

  await lines.filter({ hasText: 'Second heading' }).click()
  await page.locator('.page-then ins', { hasText: 'Second' }).waitFor()
  const then = page.frameLocator('iframe[title="The page then"]')
  await then.getByRole('heading', { name: 'Second heading' }).waitFor()
  await page.getByRole('button', { name: 'Against now' }).click()
  await page.locator('.page-then ins', { hasText: 'Third' }).waitFor()

  await lines.filter({ hasText: 'Another sentence' }).click()
  await page.getByRole('button', { name: 'Undo this change' }).click()
  await says(page, 'Undone')
  await lines.filter({ hasText: 'Undo of' }).waitFor()

  await lines.filter({ hasText: 'Second heading' }).last().click()
  await page.getByRole('button', { name: 'Undo this change' }).click()
  await says(page, 'Later changes build on it')
  await page.getByRole('alert').getByText('Third heading').waitFor()
  await page.getByRole('button', { name: 'Undo all 2' }).click()
  await says(page, 'Undone')
  await page.getByRole('button', { name: 'Edit', exact: true }).first().click()
  await (await siteIn(page)).locator('h1', { hasText: first }).waitFor()

  const redo = page.locator('.toast').getByRole('button', { name: 'Redo' })
  await redo.focus()
  await page.waitForTimeout(7000)
  t.ok(await redo.isVisible(), 'a message stays while it has the focus')
  await redo.click()
  await (await siteIn(page)).locator('h1', { hasText: 'Third heading' }).waitFor()
  t.strictSame(errors, [], 'nothing is reported')
})
