/** The bar above every view, and what its buttons open. */
import t from 'tap'
import { colleague, findings, inBrowser, openStudio, openTab, phone, siteIn } from './browser.ts'

t.test('one Escape closes a dialog in which something was searched for', inBrowser, async (t) => {
  const { page, errors } = await openStudio(t)
  await siteIn(page)
  const dialog = page.getByRole('dialog')
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByPlaceholder('Page, block, website or command').fill('pric')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached', timeout: 2000 })
  await page.keyboard.press('ControlOrMeta+k')
  t.equal(await page.getByPlaceholder('Page, block, website or command').inputValue(), '')
  await page.keyboard.press('Escape')

  const pages = page.locator('.bar').getByRole('button', { name: /^Home/ })
  t.equal(await pages.getAttribute('aria-haspopup'), 'dialog')
  t.equal(await pages.locator('svg').count(), 1, 'an arrow says that it opens')
  await pages.click()
  await page.getByPlaceholder('Find a page').fill('pric')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached', timeout: 2000 })
  t.strictSame(errors, [])
})

t.test('the name of the page can be read on a phone', inBrowser, async (t) => {
  const { browser, origin } = await openStudio(t)
  const { page } = await openTab(await browser.newContext(), `${origin}/studio?slug=/pricing`, phone)
  await siteIn(page)
  const name = page.locator('.bar .opener .cut', { hasText: 'Pricing' })
  await name.waitFor()
  const { shown, wanted } = await name.evaluate((element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    return { shown: element.clientWidth, wanted: range.getBoundingClientRect().width }
  })
  t.ok(shown >= wanted - 1, `${shown} of ${wanted} pixels`)
  const bar = page.locator('.bar')
  t.equal(await bar.evaluate((element) => element.scrollWidth <= element.clientWidth), true, 'all of the bar')
})

t.test('a message on a phone covers nothing with which a view begins', inBrowser, async (t) => {
  const { browser, origin } = await openStudio(t)
  await colleague(origin).send('/publish')
  await colleague(origin).setHero({ heading: 'One', subheading: 'Two' })
  const { page } = await openTab(await browser.newContext(), `${origin}/studio`, phone)
  await page
    .getByRole('button', { name: /^Review/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Revert this' }).first().click()
  const message = await page.locator('.toast').boundingBox()
  const first = await page.getByRole('button', { name: 'Go to publishing' }).boundingBox()
  t.ok(message && first && message.y > first.y + first.height, JSON.stringify([message, first]))
  t.ok(message && message.y + message.height <= phone.height - 52, 'nor the views to choose from')
})

t.test(
  'the panels beside the page are folded by a key, and stay so in this browser',
  inBrowser,
  async (t) => {
    const { page, errors } = await openStudio(t)
    await siteIn(page)
    const centre = page.locator('.centre')
    const widthOf = () => centre.evaluate((element) => element.clientWidth)
    const blocks = page.getByRole('button', { name: /^Blocks and pages/ })
    const side = page.getByRole('button', { name: /^Chat and fields/ })
    const [left, right] = [page.locator('.left'), page.locator('.right')]
    const before = await widthOf()
    t.equal(await blocks.getAttribute('aria-expanded'), 'true')
    await page.keyboard.press('ControlOrMeta+b')
    await left.waitFor({ state: 'hidden' })
    t.equal(await blocks.getAttribute('aria-expanded'), 'false')
    await page.keyboard.press('ControlOrMeta+Shift+b')
    await right.waitFor({ state: 'hidden' })
    t.equal(await side.getAttribute('aria-expanded'), 'false')
    t.equal(await widthOf(), 1440 - 56, 'the page has all of the width')
    t.ok((await widthOf()) > before)
    t.strictSame(await findings(page), [])

    await page.reload()
    await siteIn(page)
    t.equal(await left.isVisible(), false, 'also after the page is loaded again')
    t.equal(await right.isVisible(), false)
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('Fold or show chat and fields').waitFor()
    await page.keyboard.press('Escape')

    await page.keyboard.press('/')
    await right.waitFor()
    t.equal(await page.evaluate(`document.activeElement.id`), 'message', 'what is asked for in it opens it')
    await side.click()
    await right.waitFor({ state: 'hidden' })
    await blocks.click()
    await left.waitFor()
    t.strictSame(errors, [])
  },
)
