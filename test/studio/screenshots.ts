/**
 * Writes pictures of every view of the studio at three widths, light and dark: `npm run studio:screenshots -- FOLDER`.
 *
 * They show the demo site on the real service after some edits.
 */
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium as browsers, type Page } from 'playwright-core'
import { chromium } from '../helpers/chromium.ts'
import { serveDemo } from '../helpers/serve-demo.ts'

const [folder = join(tmpdir(), 'studio-screenshots'), only = ''] = process.argv.slice(2)
const widths = [1440, 900, 390]
const schemes = ['light', 'dark'] as const

const closing: (() => unknown)[] = []
const { origin } = await serveDemo({ teardown: (run) => closing.push(run) })
await mkdir(folder, { recursive: true })

const post = async (path: string, body: object): Promise<void> => {
  const answer = await fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      siteId: 'demo',
      session: 'dev',
      client: { id: 'screenshots', name: 'Ana' },
      ...body,
    }),
  })
  if (!answer.ok) throw new Error(await answer.text())
}
await post('/chat', { slug: '/', message: 'Change the heading to "Every bike finds its way"' })
await post('/chat', { slug: '/', message: 'Move the testimonials to the top' })

const rail = (page: Page, name: string): Promise<void> =>
  page.locator('.rail').getByRole('button', { name }).click()

/** What is done before each picture. */
const scenes: Readonly<Record<string, (page: Page, width: number) => Promise<unknown>>> = {
  edit: async (page) => page.locator('iframe').waitFor(),
  async fields(page, width) {
    if (width <= 1100) await page.getByRole('button', { name: 'Blocks and pages' }).click()
    await page.locator('.outline .row', { hasText: 'Hero' }).first().click()
  },
  async chat(page) {
    await page.getByRole('tab', { name: 'Chat' }).click()
    await page
      .locator('#message')
      .fill('Rename the hero button to "Book now" and the second button to "What it costs"')
    await page.keyboard.press('Enter')
    await page.locator('.plan').waitFor()
  },
  async drawer(page, width) {
    if (width <= 1100) await page.getByRole('button', { name: 'Blocks and pages' }).click()
  },
  async review(page) {
    await page.keyboard.press('Escape')
    await rail(page, 'Review')
  },
  history: (page) => rail(page, 'History'),
  async media(page) {
    if ((await page.locator('.rail').getByRole('button', { name: 'Media' }).count()) > 0)
      await rail(page, 'Media')
  },
  async insights(page) {
    if ((await page.locator('.rail').getByRole('button', { name: 'Insights' }).count()) > 0)
      await rail(page, 'Insights')
  },
  async palette(page) {
    await rail(page, 'Edit')
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByPlaceholder('Page, block, website or command').waitFor()
  },
  async blocks(page, width) {
    await page.keyboard.press('Escape')
    if (width <= 1100) await page.getByRole('button', { name: 'Blocks and pages' }).click()
    await page.getByText('+ Add a block').click()
  },
  async keys(page) {
    await page.keyboard.press('Escape')
    await rail(page, 'Keys')
  },
}

const browser = await browsers.launch({ executablePath: chromium ?? '', args: ['--no-sandbox'] })
closing.push(() => browser.close())
try {
  for (const colorScheme of schemes)
    for (const width of widths) {
      const page = await browser.newPage({
        colorScheme,
        viewport: { width, height: width === 390 ? 844 : 900 },
      })
      page.setDefaultTimeout(10_000)
      await page.goto(`${origin}/studio`)
      await page.locator('.outline .row').first().waitFor({ state: 'attached' })
      for (const [name, prepare] of Object.entries(scenes)) {
        await prepare(page, width)
        if (!name.includes(only)) continue
        // Pictures and the page in the frame arrive within this time.
        await page.waitForTimeout(900)
        await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) })
      }
      await page.close()
    }
} finally {
  for (const close of closing.toReversed()) await close()
}
console.log(folder)
