import type { Page } from 'playwright-core'
import t from 'tap'
import { colleague, findings, inBrowser, openStudio, openTab, phone, resize } from './browser.ts'
import { tooWide, smallerThan } from './measured.ts'

const key = (name: string) => (page: Page) => page.keyboard.press(name)

/** Ways to what is not a view; the outline has a page whose first block is selected. */
const places: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  'the start': async () => undefined,
  async fields(page) {
    await page.locator('[data-node]').first().click()
  },
  async 'a picture'(page) {
    await page.locator('[data-node]', { hasText: 'Hero' }).first().click()
    await page.getByRole('button', { name: 'Choose a picture' }).first().click()
    await page.locator('.grid button').first().click()
    await page.getByRole('dialog').getByLabel('Image description').waitFor()
  },
  async plan(page) {
    await page.keyboard.press('Escape')
    await page.getByRole('tab', { name: 'Chat' }).click()
    await page.locator('#message').fill('Rename the hero button to "Book now"')
    await page.keyboard.press('Enter')
    await page.locator('.plan').waitFor()
  },
  palette: key('ControlOrMeta+k'),
  async keys(page) {
    await page.keyboard.press('Escape')
    await page.locator('.rail').getByRole('button', { name: 'Keys' }).click()
  },
  async 'your name'(page) {
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Add your name' }).click()
  },
  async pages(page) {
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^All pages/ }).click()
    await page.getByText('Old addresses').click()
  },
  async 'add a block'(page) {
    await page.keyboard.press('Escape')
    await page.getByText('+ Add a block').click()
  },
  close: key('Escape'),
}

/** What axe finds, and what it does not look for: small targets, and what is wider than the window. */
const faults = async (page: Page): Promise<readonly string[]> => [
  ...(await findings(page)),
  ...(await smallerThan(page, 24)),
  ...(await tooWide(page)),
]

t.test('axe finds nothing in any view, every target is large enough, and all fits', inBrowser, async (t) => {
  const { browser, origin, page: first, errors } = await openStudio(t)
  await first.locator('[data-node]').first().waitFor()
  await colleague(origin).upload('harbor.png')
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ colorScheme, reducedMotion: 'reduce' })
    const { page } = await openTab(context, `${origin}/studio`)
    await page.locator('[data-node]').first().waitFor()
    for (const [name, go] of Object.entries(places)) {
      await go(page)
      t.strictSame(await faults(page), [], `${colorScheme}: ${name}`)
    }
    for (const size of [{ width: 1440, height: 900 }, phone]) {
      await resize(page, size)
      for (const view of await page.locator('.rail button:not(.icon-button)').all()) {
        const name = await view.textContent()
        await view.click()
        await page.locator('main:visible h1').first().waitFor()
        await page.locator('main:visible .skeleton').waitFor({ state: 'hidden' })
        t.strictSame(await faults(page), [], `${colorScheme}: ${name}, ${size.width} px`)
      }
    }
    await page.locator('.rail button').first().click()
    t.strictSame(await faults(page), [], `${colorScheme}: a phone`)
    await page.getByRole('button', { name: 'Blocks and pages' }).click()
    t.strictSame(await faults(page), [], `${colorScheme}: the drawer of a phone`)
    await context.close()
  }
  t.strictSame(errors, [])
})
