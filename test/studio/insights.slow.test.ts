import { chromium as browsers } from 'playwright-core'
import t from 'tap'
import { orchestrator } from '../config/helpers.ts'
import { chromium } from '../helpers/chromium.ts'
import { startService } from '../security/service.ts'
import { inBrowser, openTab } from './browser.ts'

const admin = 'an-access-token-of-some-length'

t.test('an operator sees what happened, what fails and what to mend', inBrowser, async (t) => {
  const env = { ORCHESTRATOR_GATE: 'all', ORCHESTRATOR_ACCESS_TOKEN: admin }
  const service = await startService(t, { env, demo: true })
  const post = async (path: string, body: object): Promise<unknown> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${admin}` }
    const json = JSON.stringify({ siteId: 'demo', session: 'dev', ...body })
    return (await service.send({ method: 'POST', path, headers, body: json })).status
  }
  for (const message of ['Change the heading to One', 'Change the heading to Two', 'Sing a song'])
    await post('/chat', { slug: '/', message })
  await post('/publish', { target: 'site-contract', siteOrigin: 'http://127.0.0.1:9' })
  const make = async (can: string): Promise<string> => {
    const flags = ['--can', can, '--name', `Only ${can}`, '--data-dir', service.dataDir]
    return (
      /cot_\S+/.exec(
        (await orchestrator(service.dataDir, ['token', 'create', ...flags], { env })).out,
      )?.[0] ?? ''
    )
  }
  const reader = await make('read')

  const browser = await browsers.launch({ executablePath: chromium ?? '', args: ['--no-sandbox'] })
  t.teardown(() => browser.close())
  const open = async (token: string) => {
    const { page, errors } = await openTab(await browser.newContext(), `${service.origin}/studio`)
    await page.getByLabel('Password of this service').fill(token)
    await page.keyboard.press('Enter')
    await page.locator('[data-node]').first().waitFor()
    return { page, errors }
  }

  const { page, errors } = await open(admin)
  await page.locator('.rail').getByRole('button', { name: 'Insights' }).click()
  const chart = (title: string) =>
    page.locator('.chart').filter({ has: page.getByRole('heading', { name: title }) })
  await chart('Messages').locator('canvas').waitFor()
  t.equal(await chart('Messages').locator('figcaption b').textContent(), '3')
  t.equal(await chart('Changes').locator('figcaption b').textContent(), '3', 'with the first one')
  t.equal(await chart('Cost').locator('figcaption b').textContent(), '$0.00')
  await chart('Messages').getByText('Table').click()
  t.equal(await chart('Messages').locator('tbody tr').count(), 7)
  t.equal(await chart('Messages').locator('tbody td').last().textContent(), '3', 'the table has the numbers')
  await page.getByRole('button', { name: '24 hours' }).click()
  await page.waitForFunction(() => document.querySelectorAll('.chart:first-child tbody tr').length === 24)

  const card = (title: string) =>
    page.locator('.insights .card').filter({ has: page.getByRole('heading', { name: title }) })
  await card('Tokens').getByText('Only read').waitFor()
  await card('Webhooks').getByText('No webhook is configured.').waitFor()
  const [worst = ''] = await card('Ready for production').locator('li').allTextContents()
  t.match(worst, /Unsafe/, 'what is unsafe comes first, with its remedy')
  t.strictSame(errors, [])

  const other = await open(reader)
  t.equal(await other.page.locator('.rail').getByRole('button', { name: 'Insights' }).count(), 0)
  await other.page.locator('[data-node]').first().click()
  await other.page.getByText('It lacks edit').waitFor()
  t.match(
    await other.page.locator('.panel:visible .not-allowed').textContent(),
    /token create --can read,edit/,
  )
  await other.page.getByRole('button', { name: 'Undo' }).first().click({ force: true })
  await other.page.locator('.toast', { hasText: 'lacks “edit”' }).waitFor()
  t.equal(
    await other.page.getByRole('button', { name: 'Undo' }).first().getAttribute('aria-disabled'),
    'true',
  )
  t.strictSame(other.errors, [])
})
