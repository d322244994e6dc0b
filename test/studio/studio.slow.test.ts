/** The studio in a real browser, with the real service and the demo site. */
import { chromium as browsers, type Frame, type Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { chromium } from '../hosts/browser.ts'
import { serveDemo } from '../helpers/serve-demo.ts'

const inBrowser = { skip: chromium === undefined && 'there is no browser here: name one in CHROMIUM_PATH' }

/** Opens the studio. Errors of the page fail the test. */
async function open(t: Test, variables: Readonly<Record<string, string>> = {}) {
  const { origin } = await serveDemo(t, { EDITOR_CORS_ORIGINS: 'http://127.0.0.1:4100', ...variables })
  const browser = await browsers.launch({ executablePath: chromium ?? '', args: ['--no-sandbox'] })
  t.teardown(() => browser.close())
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  const errors: string[] = []
  page.on('pageerror', ({ message }) => void errors.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('401')) errors.push(message.text())
  })
  page.setDefaultTimeout(20_000)
  await page.goto(`${origin}/studio`)
  return { page, origin, errors }
}

/** The site in its frame, once its bridge answers. */
async function siteIn(page: Page): Promise<Frame> {
  await page.waitForFunction(() => document.querySelector('iframe')?.src)
  const frame = page.frames().find((each) => each !== page.mainFrame())
  if (!frame) throw new Error('the studio shows no page')
  await frame.locator('html[data-editor-selection-mode]').waitFor()
  return frame
}

t.test('a page is edited by hand and by words, reviewed and published', inBrowser, async (t) => {
  const { page, origin, errors } = await open(t)
  const site = await siteIn(page)
  const says = (text: string) => page.locator('.toast').filter({ hasText: text }).waitFor()

  await site.dblclick('[data-block-type=Hero] h1')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Typed in the page')
  await page.keyboard.press('Enter')
  await says('heading changed')
  t.equal(
    await page.getByLabel('Heading', { exact: true }).inputValue(),
    'Typed in the page',
    'the field follows',
  )
  await page.click('.toast button')
  await site.locator('h1', { hasText: 'Your bike' }).waitFor()
  t.pass('one click undoes it')

  await site.click('[data-block-type=Hero] .lead')
  await page.getByLabel('Subheading').fill('A new subheading')
  await page.getByLabel('Subheading').press('Enter')
  await site.getByText('A new subheading').waitFor()
  t.pass('a field is shown in the page')

  await page.locator('.outline button', { hasText: 'Feature Grid' }).click()
  await page.getByText('+ Add', { exact: true }).click()
  await says('Row added')
  await page.locator('.outline button', { hasText: 'Hero' }).click()
  await page.locator('.row[aria-current] [aria-label="Move down"]').click()
  await says('Hero moved')
  await page.getByText('+ Add a block').click()
  await page.getByPlaceholder('Type of block').fill('quote')
  await page.keyboard.press('Enter')
  await site.locator('[data-block-type=Quote]').waitFor()
  t.pass('blocks are moved and added')

  await page.getByRole('tab', { name: 'Chat' }).click()
  await page
    .locator('#message')
    .fill('Rename the hero button to "Book now" and move the testimonials to the top')
  await page.keyboard.press('Enter')
  await page.getByText('2 changes planned').waitFor()
  await page.locator('.op input').nth(1).uncheck()
  await page.getByRole('button', { name: 'Apply 1' }).click()
  await site.getByText('Book now').waitFor()
  t.equal(
    await site.locator('main > [data-block-id]').first().getAttribute('data-block-type'),
    'Banner',
    'only the ticked operation is applied',
  )

  await page.keyboard.press('ControlOrMeta+k')
  await page.getByPlaceholder('Page, block or command').fill('pric')
  await page.keyboard.press('Enter')
  await site.locator('[data-editable-target=heading]', { hasText: 'Prices' }).waitFor()
  t.pass('the palette goes to a page')

  await page.getByRole('button', { name: /^Review \d/ }).click()
  await page.locator('ins', { hasText: 'now' }).waitFor()
  await page.getByRole('button', { name: /^Publish \d/ }).click()
  await page.getByText('are live').waitFor()
  const { sites } = (await (await fetch(`${origin}/sites`)).json()) as { sites: { previewUrl: string }[] }
  t.match(
    await (await fetch(sites[0]?.previewUrl ?? '')).text(),
    'Book now',
    'visitors see what was published',
  )
  await page.getByRole('button', { name: 'History' }).click()
  await page.locator('.lines li', { hasText: 'Quote added' }).waitFor()
  t.equal(
    (await page.locator('.lines li', { hasText: 'studio' }).count()) > 0,
    true,
    'the history names the studio',
  )
  t.strictSame(errors, [], 'no error and no report of the policy')
})

t.test('the studio asks for the password of the service', inBrowser, async (t) => {
  const password = 'open sesame'
  const { hash } = await import('node:crypto')
  const { page, errors } = await open(t, {
    ACCESS_PASSWORD_HASH: hash('sha256', password, 'hex'),
    ORCHESTRATOR_GATE: 'all',
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
  t.equal(await page.locator('.lock').count(), 0)
  t.strictSame(errors, [])
})
