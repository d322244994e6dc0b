import { hash } from 'node:crypto'
import t from 'tap'
import { serveDemo } from '../helpers/serve-demo.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { inBrowser, openBrowser, openStudio, openTab, siteIn } from './browser.ts'

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
  const { page: tab } = await openTab(page.context(), page.url())
  await tab.getByLabel('Password of this service').waitFor()
  t.pass('another tab asks for it again')
  await tab.close()

  await page.getByRole('treeitem', { name: /^Hero/ }).click()
  const heading = page.locator('.fields').getByLabel('Heading', { exact: true })
  const refusal = { status: 401, json: { error: 'unauthorized', code: 'unauthorized', reason: 'expired' } }
  await page.route('**/ops', (route) => route.fulfill(refusal))
  await heading.fill('Typed before it expired')
  await page.getByLabel('Password of this service').waitFor()
  await page.unroute('**/ops')
  const stored = page.waitForResponse((answer) => answer.url().endsWith('/ops') && answer.ok())
  await page.getByLabel('Password of this service').fill(password)
  await page.keyboard.press('Enter')
  await stored
  await page.locator('.bar [role=status]').getByText('Saved').waitFor()
  t.equal(await heading.inputValue(), 'Typed before it expired', 'a password that expires loses no text')
  t.strictSame(errors, [])
})

const asks = Number(process.env['ASKS'] ?? 4)

t.test(
  'the question for the password waits for a pause or a click, and takes no letter',
  inBrowser,
  async (t) => {
    const password = 'open sesame'
    const { page } = await openStudio(t, {
      variables: { ACCESS_PASSWORD_HASH: hash('sha256', password, 'hex'), ORCHESTRATOR_GATE: 'all' },
    })
    const box = page.getByLabel('Password of this service')
    const dialog = page.locator('.lock:modal')
    await box.fill(password)
    await page.keyboard.press('Enter')
    const site = await siteIn(page)
    await page.getByRole('treeitem', { name: /^Hero/ }).click()
    const heading = page.locator('.fields').getByLabel('Heading', { exact: true })
    const inPage = site.locator('[data-block-type="Hero"] h1')
    const stored: unknown[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/ops')) stored.push(request.postDataJSON().ops[0].patch.heading)
    })
    const refusal = { status: 401, json: { error: 'unauthorized', code: 'unauthorized', reason: 'expired' } }
    for (let at = 0; at < asks; at += 1) {
      const isInPage = at % 2 === 0
      const sent = Promise.withResolvers<void>()
      const refuse = Promise.withResolvers<void>()
      await page.route('**/ops', async (route) => {
        sent.resolve()
        await refuse.promise
        await route.fulfill(refusal)
      })
      await (isInPage ? inPage.dblclick() : heading.click())
      await page.keyboard.press('ControlOrMeta+a')
      const begin = `Typed ${at}: `
      const end = 'all the letters after that.'
      await page.keyboard.type(begin)
      await sent.promise
      refuse.resolve()
      for (const letter of end) {
        await page.keyboard.type(letter)
        await pause(60)
      }
      t.equal(await box.inputValue(), '', 'no letter goes into the question')
      const line = page.locator('.bar').getByText('Your access has ended. What you typed is kept')
      await line.waitFor()
      t.equal(await dialog.count(), 0, 'the bar asks meanwhile')
      if (at % 4 < 2) await page.locator('.bar').getByRole('button', { name: 'Sign in' }).click()
      await dialog.getByText('Your access has ended. What you typed is kept').waitFor()
      t.equal(await box.inputValue(), '', 'no letter goes into the question')
      await page.unroute('**/ops')
      await box.fill(password)
      await page.keyboard.press('Enter')
      await page.locator('.bar [role=status]').getByText('Saved').waitFor()
      t.equal(stored.at(-1), begin + end, 'all that was typed is stored')
    }
  },
)

t.test('the page frames only registered sites, and names none before a password', inBrowser, async (t) => {
  const password = 'open sesame'
  const { page, origin } = await openStudio(t, {
    variables: { ACCESS_PASSWORD_HASH: hash('sha256', password, 'hex'), ORCHESTRATOR_GATE: 'all' },
  })
  const sent = await fetch(`${origin}/studio`)
  const everything = JSON.stringify([...sent.headers]) + (await sent.text())
  await page.getByLabel('Password of this service').fill(password)
  await page.keyboard.press('Enter')
  const site = new URL((await siteIn(page)).url()).origin
  t.notOk(everything.includes(site), 'the site that is framed is not named in the page')
  const refused = await page.evaluate(async () => {
    const reports: string[] = []
    const reported = new Promise<void>((resolve) => {
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
        if (reports.push(effectiveDirective) === 2) resolve()
      })
    })
    const frame = document.createElement('iframe')
    frame.src = 'http://127.0.0.1:9/frame'
    const picture = new Image()
    picture.src = 'http://127.0.0.1:9/picture.png'
    document.body.append(frame, picture)
    await reported
    return reports.toSorted()
  })
  t.strictSame(refused, ['frame-src', 'img-src'])
})

t.test('the studio works without TLS under a name in the local network', inBrowser, async (t) => {
  const { origin } = await serveDemo(t, { ORCHESTRATOR_ALLOWED_HOSTS: 'studio.test' })
  const browser = await openBrowser(t, '--host-resolver-rules=MAP studio.test 127.0.0.1')
  const address = origin.replace('localhost', 'studio.test')
  const { page, errors } = await openTab(await browser.newContext(), `${address}/studio`)
  t.notOk(await page.evaluate(() => isSecureContext))
  await page.getByRole('treeitem', { name: /^Hero/ }).click()
  const stored = page.waitForResponse((answer) => answer.url().endsWith('/ops') && answer.ok())
  await page.locator('.fields').getByLabel('Heading', { exact: true }).fill('Without TLS')
  await stored
  await page.locator('.bar [role=status]').getByText('Saved').waitFor()
  // The demo site lets itself be framed by other addresses.
  const own = errors.filter((each) => !each.includes('frame-ancestors'))
  t.strictSame(own, [])
})
