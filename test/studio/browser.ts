/** The studio in a real browser, with the real service and the demo site. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { chromium as browsers, type Frame, type Page } from 'playwright-core'
import type { Test } from 'tap'
import { chromium, inBrowser } from '../helpers/chromium.ts'
import { serveDemo } from '../helpers/serve-demo.ts'

export { inBrowser }

interface Options {
  /** Variables of the environment of the service. */
  readonly variables?: Readonly<Record<string, string>>
  /** Query parameters of the studio, such as `slug`. */
  readonly query?: string
}

/** Opens the studio beside the demo site. `errors` collects what the page and its policy report. */
export async function openStudio(t: Test, { variables = {}, query = '' }: Options = {}) {
  const all = { EDITOR_CORS_ORIGINS: 'http://127.0.0.1:4100', ...variables }
  const service = await serveDemo(t, all)
  const { origin, stop } = service
  const browser = await browsers.launch({ executablePath: chromium ?? '', args: ['--no-sandbox'] })
  t.teardown(() => browser.close())
  const { page, errors } = await openTab(await browser.newContext(), `${origin}/studio${query}`)
  /** Starts the service again after `stop`, on the same port and data. */
  const start = () => serveDemo(t, all, service)
  return { browser, page, origin, errors, stop, start }
}

type Context = Awaited<ReturnType<Awaited<ReturnType<typeof browsers.launch>>['newContext']>>

/** Opens a page in a tab of a browser context; another context is another person. */
export async function openTab(context: Context, address: string) {
  const page = await context.newPage()
  await page.setViewportSize({ width: 1440, height: 900 })
  const errors: string[] = []
  page.on('pageerror', ({ message }) => void errors.push(message))
  page.on('console', (message) => {
    // A refused password and a conflict are answers that the studio expects.
    if (message.type() !== 'error' || /status of 4(01|09)/.test(message.text())) return
    errors.push(`${message.text()} ${message.location().url}`)
  })
  page.setDefaultTimeout(20_000)
  await page.goto(address)
  return { page, errors }
}

/** The site in its frame, once its bridge answers. */
export async function siteIn(page: Page): Promise<Frame> {
  await page.waitForFunction(() => document.querySelector('iframe')?.src)
  const frame = page.frames().find((each) => each !== page.mainFrame())
  if (!frame) throw new Error('the studio shows no page')
  await frame.locator('html[data-editor-selection-mode]').waitFor()
  return frame
}

/** Waits for a message of the studio. */
export const says = (page: Page, text: string) => page.locator('.toast').filter({ hasText: text }).waitFor()

const axe = () => readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds in the studio, as rule and element; the page in the frame belongs to its website. */
export async function findings(page: Page): Promise<readonly string[]> {
  await page.evaluate(`window.axe || (() => { ${await axe()} })()`)
  return page.evaluate<string[]>(`
    axe.run({ exclude: ['iframe'] }, { resultTypes: ['violations'] }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) =>
        id + ' ' + target.join(' ') + ' ' + failureSummary)))`)
}
