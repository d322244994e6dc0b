/** The bar above every view, and what its buttons open. */
import type { Page } from 'playwright-core'
import t from 'tap'
import { freePort } from '../helpers/raw.ts'
import {
  colleague,
  findings,
  inBrowser,
  openStudio,
  openTab,
  phone,
  resize,
  says,
  siteIn,
} from './browser.ts'
import { controls, smallerThan } from './measured.ts'

t.test('one Escape closes a dialog in which something was searched for', inBrowser, async (t) => {
  const { page, errors } = await openStudio(t)
  await siteIn(page)
  const dialog = page.getByRole('dialog')
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByPlaceholder('Page, block, website or command').fill('pric')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.keyboard.press('ControlOrMeta+k')
  t.equal(await page.getByPlaceholder('Page, block, website or command').inputValue(), '')
  await page.keyboard.press('Escape')

  const pages = page.locator('.bar').getByRole('button', { name: /^Home/ })
  t.equal(await pages.getAttribute('aria-haspopup'), 'dialog')
  t.equal(await pages.locator('svg').count(), 1, 'an arrow says that it opens')
  await pages.click()
  await page.getByPlaceholder('Find a page').fill('pric')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
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

t.test('a finger reaches every control of every view on a phone', inBrowser, async (t) => {
  const { page, browser, origin, errors } = await openStudio(t, { touched: phone })
  const { send, edit, setHero, upload } = colleague(origin)
  const previewUrl = `http://localhost:${await freePort()}`
  await send('/sites/register', { siteId: 'club', name: 'Rowing club', previewUrl })
  await send('/publish')
  await setHero({ heading: 'One' })
  await edit({ op: 'rename_page', pageSlug: '/about', newPageSlug: '/about', newTitle: 'Two' })
  await upload('harbor.png')
  const { page: other } = await openTab(await browser.newContext(), `${origin}/studio?siteId=demo`)
  await siteIn(other)
  await page.goto(`${origin}/studio?siteId=demo`)
  await siteIn(page)
  await page.getByRole('button', { name: 'People here' }).waitFor()
  const bar = page.locator('.bar')
  const review = page.locator('.rail').getByRole('button', { name: 'Review 2', exact: true })
  await review.waitFor()
  const isOneLine = (button: Element): boolean => button.scrollHeight <= button.clientHeight
  t.ok(await review.evaluate(isOneLine), 'the number is beside the view')
  const rail = page.locator('.rail')
  t.ok(await rail.evaluate((each) => each.scrollWidth <= each.clientWidth), 'all of the views')
  for (const tab of ['Chat', 'Fields']) {
    await page.getByRole('tab', { name: tab }).tap()
    t.strictSame(await smallerThan(page, 44), [], tab)
    t.ok(await bar.evaluate((each) => each.scrollWidth <= each.clientWidth), `${tab}: all of the bar`)
  }
  for (const view of await page.locator('.rail button:not(.icon-button)').all()) {
    const name = await view.textContent()
    await view.tap()
    await page.locator('main:visible h1').first().waitFor()
    await page.locator('main:visible .skeleton').waitFor({ state: 'hidden' })
    t.strictSame(await smallerThan(page, 44), [], name ?? '')
    t.ok(await bar.evaluate((each) => each.scrollWidth <= each.clientWidth), `${name}: all of the bar`)
  }
  t.strictSame(errors, [])
})

/** Walks through the view by Tab, and returns what had the focus under the message. */
async function walkedUnder(page: Page): Promise<readonly string[]> {
  const covered = new Set<string>()
  await page
    .locator('main.whole h1')
    .first()
    .evaluate((each) => {
      each.tabIndex = -1
      each.focus()
    })
  for (let steps = 0; steps < 60; steps += 1) {
    await page.keyboard.press('Tab')
    const at = await page.evaluate<{ isIn: boolean; under?: string }>(`(() => {
      const here = document.activeElement
      if (!here.closest('main.whole')) return { isIn: false }
      const [a, b] = [here, document.querySelector('.toast')].map((each) => each.getBoundingClientRect())
      const isUnder = a.bottom > b.top && a.top < b.bottom && a.right > b.left && a.left < b.right
      return { isIn: true, under: isUnder && here.matches('${controls}') ? here.textContent : undefined }
    })()`)
    if (!at.isIn) break
    if (at.under !== undefined) covered.add(at.under)
  }
  return [...covered]
}

t.test('what has the focus is never under a message', inBrowser, async (t) => {
  const { browser, origin } = await openStudio(t)
  const { send, setHero, edit, upload } = colleague(origin)
  await send('/publish')
  for (const heading of ['One', 'Two', 'Three', 'Four', 'Five', 'Six']) await setHero({ heading })
  await setHero({ subheading: 'Line', ctaText: 'Button', secondaryCtaText: 'Second' })
  for (const slug of ['/services', '/pricing', '/faq'])
    await edit({ op: 'rename_page', pageSlug: slug, newPageSlug: slug, newTitle: 'Other' })
  for (const name of ['a.png', 'b.png', 'c.png', 'd.png', 'e.png', 'f.png', 'g.png']) await upload(name)
  const { page } = await openTab(await browser.newContext(), `${origin}/studio`, phone)
  const rail = (name: string | RegExp) => page.locator('.rail').getByRole('button', { name })
  await rail(/^Review/).click()
  await page.getByRole('button', { name: 'Revert this' }).first().click()
  // Under the pointer it stays.
  await page.locator('.toast').hover()
  t.strictSame(await walkedUnder(page), [], 'Review')
  for (const size of [{ width: 900, height: 600 }, { width: 1440, height: 600 }, phone]) {
    await resize(page, size)
    await page.locator('.toast').hover()
    t.strictSame(await walkedUnder(page), [], `Review, ${size.width} px`)
  }
  for (const name of ['History', 'Media']) {
    await rail(name).focus()
    await page.keyboard.press('Enter')
    await page.locator('main.whole .skeleton').waitFor({ state: 'hidden' })
    await page.locator('main.whole :is(.entry, .grid button)').first().waitFor()
    t.strictSame(await walkedUnder(page), [], name)
  }
  await page.locator('.grid button').last().focus()
  await page.keyboard.press('Enter')
  await page.locator('.details').waitFor()
  t.strictSame(await walkedUnder(page), [], 'Media with a picture')

  await rail('Edit').click()
  await page.getByRole('button', { name: 'Blocks and pages' }).click()
  await page.getByRole('treeitem', { name: /^Hero/ }).first().click()
  await page.getByRole('tab', { name: 'Fields' }).click()
  await page.getByLabel('Heading', { exact: true }).fill('A dry day')
  await says(page, 'Heading saved')
  const boxes = ['.toast', '.right', '.bar'].map((each) => page.locator(each).boundingBox())
  const [message, sheet, bar] = await Promise.all(boxes)
  t.ok(message && sheet && message.y + message.height <= sheet.y, 'nor in the sheet')
  t.ok(message && bar && message.y > bar.y + bar.height + 50, 'nor what is below the bar')
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
