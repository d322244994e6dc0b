import { chromium as browsers } from 'playwright-core'
import type { Test } from 'tap'
import { chromium } from '../helpers/chromium.ts'
import { post, secrets, type HostSite } from './start-site.ts'

/** Opens a page in a browser that closes with the test, and collects errors of the browser. */
export async function openPage(t: Test) {
  const browser = await browsers.launch({ executablePath: chromium ?? '', args: ['--no-sandbox'] })
  t.teardown(() => browser.close())
  const page = await browser.newPage()
  const errors: string[] = []
  page.on('console', (message) => {
    // The examples have neither an icon nor the picture of their content.
    const isMissing = /\/(?:favicon\.ico|workshop\.jpg)$/.test(message.location().url)
    if (['error', 'warning'].includes(message.type()) && !isMissing) errors.push(message.text())
  })
  page.on('pageerror', ({ message }) => void errors.push(message))
  return { page, errors }
}

/** Checks a draft page in a browser while it is edited elsewhere. */
export async function watchDraft(t: Test, { origin }: HostSite, picture: string): Promise<void> {
  const { page, errors } = await openPage(t)
  const edit = async (blockId: string, patch: object): Promise<void> => {
    const ops = [{ op: 'update_props', pageSlug: '/', blockId, patch }]
    t.equal((await post(origin, '/ops', { ops })).status, 200, `an edit of ${blockId}`)
  }
  const reaches = (selector: string, text: string): Promise<unknown> =>
    page.waitForSelector(`${selector}:text-is(${JSON.stringify(text)})`, { timeout: 5000 })

  await edit('b_hero', { heading: 'Before it was opened' })
  await page.goto(`${origin}/api/editor/draft?secret=${secrets.DRAFT_MODE_SECRET}&redirect=/`)
  t.equal(await page.textContent('h1'), 'Before it was opened')

  const other = '[data-block-id="b_text"]'
  await page.fill('input', 'half a word')
  await page.evaluate(`document.querySelector('${other}').marked = window.marked = true`)
  await edit('b_hero', { heading: 'Seen <without> a reload' })
  await reaches('h1', 'Seen <without> a reload')
  for (const heading of ['Again', 'And again']) {
    await edit('b_hero', { heading })
    await reaches('h1', heading)
  }
  t.equal(await page.inputValue('input'), 'half a word', 'typed text is preserved')
  t.equal(
    await page.evaluate(`document.querySelector('${other}').marked && window.marked`),
    true,
    'other blocks are not re-rendered',
  )
  await edit('b_text', { body: 'Changed as well.' })
  await reaches(`${other} p`, 'Changed as well.')
  t.strictSame(errors, [], 'no errors in the browser')
  await page.screenshot({ path: picture })
}
