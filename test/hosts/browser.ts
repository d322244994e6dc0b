import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Test } from 'tap'
import { secrets, type Site } from './start-site.ts'

/** What is used of playwright-core, which is installed for this only. */
interface Playwright {
  readonly chromium: { launch(options: { readonly executablePath: string; readonly args: readonly string[] }): Promise<Browser> }
}

interface Browser {
  newPage(): Promise<Page>
  close(): Promise<void>
}

/** A document in a page: its own, or that of an `iframe`. */
export interface Frame {
  url(): string
  click(selector: string): Promise<void>
  textContent(selector: string): Promise<string | null>
  waitForSelector(selector: string, options: { readonly timeout: number }): Promise<unknown>
  evaluate<R>(script: string): Promise<R>
}

export interface Page extends Frame {
  on(event: 'console', hear: (message: { type(): string; text(): string; location(): { readonly url: string } }) => void): unknown
  on(event: 'pageerror', hear: (error: Error) => void): unknown
  goto(url: string): Promise<unknown>
  fill(selector: string, value: string): Promise<void>
  inputValue(selector: string): Promise<string>
  frames(): readonly Frame[]
  screenshot(options: { readonly path: string }): Promise<unknown>
}

/** The browser of this machine; `undefined` where there is none. */
export const chromium = [process.env['CHROMIUM_PATH'], '/usr/bin/chromium'].find((path) => path && existsSync(path))

export interface Watching {
  /** A folder with playwright-core in it. */
  readonly tools: string
  /** Where the picture of the page goes. */
  readonly picture: string
}

/** Opens a page in a browser that ends with the test, and tells what the browser complains of. */
export async function openPage(t: Test, tools: string): Promise<{ readonly page: Page; readonly complaints: readonly string[] }> {
  const playwright: Playwright = createRequire(join(tools, 'package.json'))('playwright-core')
  const browser = await playwright.chromium.launch({ executablePath: chromium ?? '', args: ['--no-sandbox'] })
  t.teardown(() => browser.close())
  const page = await browser.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    // Browsers ask for an icon, which the examples do not have.
    const isIcon = message.location().url.endsWith('/favicon.ico')
    if (['error', 'warning'].includes(message.type()) && !isIcon) complaints.push(message.text())
  })
  page.on('pageerror', ({ message }) => void complaints.push(message))
  return { page, complaints }
}

/** How a draft page of a website behaves in a browser while somebody edits it elsewhere. */
export async function watchDraft(t: Test, { origin }: Site, { tools, picture }: Watching): Promise<void> {
  const { page, complaints } = await openPage(t, tools)
  const edit = async (blockId: string, patch: object): Promise<void> => {
    const ops = [{ op: 'update_props', pageSlug: '/', blockId, patch }]
    const headers = { 'content-type': 'application/json', 'x-access-token': secrets.ORCHESTRATOR_ACCESS_TOKEN }
    const body = JSON.stringify({ siteId: 'acme', session: 'dev', ops })
    const answer = await fetch(`${origin}/api/orchestrator/ops`, { method: 'POST', headers, body })
    t.equal(answer.status, 200, `an edit of ${blockId}`)
  }
  const reaches = (selector: string, text: string): Promise<unknown> =>
    page.waitForSelector(`${selector}:text-is(${JSON.stringify(text)})`, { timeout: 5000 })

  await edit('b_hero', { heading: 'Before it was opened' })
  await page.goto(`${origin}/api/editor/draft?secret=${secrets.DRAFT_MODE_SECRET}&redirect=/`)
  t.equal(await page.textContent('h1'), 'Before it was opened')

  const kept = '[data-block-id="b_text"]'
  await page.fill('input', 'half a word')
  await page.evaluate(`document.querySelector('${kept}').marked = window.marked = true`)
  await edit('b_hero', { heading: 'Seen <without> a reload' })
  await reaches('h1', 'Seen <without> a reload')
  for (const heading of ['Again', 'And again']) {
    await edit('b_hero', { heading })
    await reaches('h1', heading)
  }
  t.equal(await page.inputValue('input'), 'half a word', 'what was typed is still there')
  t.equal(await page.evaluate(`document.querySelector('${kept}').marked && window.marked`), true, 'and so is the other block')
  await edit('b_text', { body: 'Changed as well.' })
  await reaches(`${kept} p`, 'Changed as well.')
  t.strictSame(complaints, [], 'the browser has nothing to complain of')
  await page.screenshot({ path: picture })
}
