import { hash } from 'node:crypto'
import t from 'tap'
import { inBrowser, openStudio } from './browser.ts'

t.test('the studio asks for the password of the service', inBrowser, async (t) => {
  const password = 'open sesame'
  const { page, errors } = await openStudio(t, {
    variables: { ACCESS_PASSWORD_HASH: hash('sha256', password, 'hex'), ORCHESTRATOR_GATE: 'all' },
  })
  await page.getByLabel('Password of this service').fill('wrong')
  await page.keyboard.press('Enter')
  await page
    .getByRole('alert')
    .filter({ hasText: /wrong|password/i })
    .waitFor()
  await page.getByLabel('Password of this service').fill(password)
  await page.keyboard.press('Enter')
  await page.locator('.outline .row').first().waitFor()
  t.equal(await page.locator('.lock:modal').count(), 0)
  t.strictSame(errors, [])
})
