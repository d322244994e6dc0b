/** The studio in a real browser, with the real service and the demo site. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'
import { chromium as browsers, type Frame, type Locator, type Page, type ViewportSize } from 'playwright-core'
import type { Test } from 'tap'
import * as v from 'valibot'
import { chromium, inBrowser } from '../helpers/chromium.ts'
import { patienceMs } from '../helpers/until.ts'
import { png } from '../helpers/media-files.ts'
import { serveDemo } from '../helpers/serve-demo.ts'

export { inBrowser }

interface StudioOptions {
  /** Variables of the environment of the service. */
  readonly variables?: Readonly<Record<string, string>>
  /** Query parameters of the studio, such as `slug`. */
  readonly query?: string
  /** The screen, if it is one that is touched. */
  readonly touched?: ViewportSize
}

export const phone: ViewportSize = { width: 390, height: 844 }

/** Opens the studio beside the demo site. `errors` collects what the page and its policy report. */
export async function openStudio(t: Test, { variables = {}, query = '', touched }: StudioOptions = {}) {
  const all = { EDITOR_CORS_ORIGINS: 'http://127.0.0.1:4100', ...variables }
  const service = await serveDemo(t, all)
  const { origin, stop } = service
  const browser = await openBrowser(t)
  const context = await browser.newContext({
    hasTouch: touched !== undefined,
    isMobile: touched !== undefined,
  })
  const { page, errors } = await openTab(context, `${origin}/studio${query}`, touched)
  /** Starts the service again after `stop`, on the same port and data. */
  const start = () => serveDemo(t, all, service)
  return { browser, page, origin, errors, stop, start }
}

export async function openBrowser(t: Test, ...args: readonly string[]) {
  const browser = await browsers.launch({ executablePath: chromium ?? '', args: ['--no-sandbox', ...args] })
  t.teardown(() => browser.close())
  return browser
}

type Context = Awaited<ReturnType<Awaited<ReturnType<typeof browsers.launch>>['newContext']>>

/** What the studio keeps of having asked for the name. */
export const nameAsked = 'content-orchestrator:name-asked'

/** How many times slower than this machine the browser is, to find tests that measure before all is drawn. */
const slowness = Number(process.env['BROWSER_SLOWNESS'] ?? 0)

/**
 * Opens a page in a tab of a browser context; another context is another person, who was asked for a name.
 */
export async function openTab(context: Context, address: string, size = { width: 1440, height: 900 }) {
  const page = await context.newPage()
  // A frame without an origin of its own has no storage.
  await page.addInitScript(`try { localStorage.setItem('${nameAsked}', 'yes') } catch {}`)
  await page.setViewportSize(size)
  if (slowness)
    await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: slowness })
  const errors: string[] = []
  page.on('pageerror', ({ message }) => void errors.push(message))
  page.on('console', (message) => {
    // A refused password and a conflict are answers that the studio expects.
    if (message.type() !== 'error' || /status of 4(01|09)/.test(message.text())) return
    errors.push(`${message.text()} ${message.location().url}`)
  })
  page.setDefaultTimeout(patienceMs)
  await page.goto(address)
  return { page, errors }
}

/**
 * Gives the window a size, and waits until what the studio draws for it is drawn: styles change a frame
 * before it.
 */
export async function resize(page: Page, size: ViewportSize): Promise<void> {
  await page.setViewportSize(size)
  for (let frame = 0; frame < 3; frame += 1) await page.evaluate(() => new Promise(requestAnimationFrame))
}

/** The site in its frame, once its bridge answers. */
export async function siteIn(page: Page): Promise<Frame> {
  await page.waitForFunction(() => document.querySelector('iframe')?.src)
  const frame = page.frames().find((each) => each !== page.mainFrame())
  if (!frame) throw new Error('the studio shows no page')
  await frame.locator('html[data-editor-selection-mode]').waitFor()
  return frame
}

/** Waits until something holds; fails where tests have no more patience. */
export async function eventually(holds: () => Promise<boolean>): Promise<void> {
  let cause: unknown
  const isHeld = () =>
    holds().catch((error: unknown) => {
      cause = error
      return false
    })
  for (let tries = 0; !(await isHeld()); tries += 1) {
    if (tries === patienceMs / 100) throw new Error('It did not hold in time', { cause })
    await pause(100)
  }
}

/** The place of an element once it has stopped moving. */
export async function restingPlace(element: Locator) {
  let last = ''
  await eventually(async () => {
    const before = last
    last = JSON.stringify(await element.boundingBox())
    return last === before && last !== 'null'
  })
  return element.boundingBox()
}

/** Waits for a message of the studio. */
export const says = (page: Page, text: string) => page.locator('.toast').filter({ hasText: text }).waitFor()

const Draft = v.object({
  blocks: v.array(v.object({ id: v.string(), type: v.string(), props: v.looseObject({}) })),
})
const Uploaded = v.object({ url: v.string() })

/** Another program, or person, at the draft that the studio shows. */
export function colleague(origin: string) {
  const send = (path: string, body: object = {}, method = 'POST') =>
    fetch(origin + path, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ siteId: 'demo', session: 'dev', ...body }),
    })
  const blocks = async (slug = '/', path = '/draft/pages') => {
    const answer = await fetch(`${origin}${path}?siteId=demo&session=dev&slug=${slug}`)
    return v.parse(Draft, await answer.json()).blocks
  }
  const find = async (type: string, ...page: Parameters<typeof blocks>) => {
    const found = (await blocks(...page)).find((each) => each.type === type)
    if (!found) throw new Error(`the page has no ${type}`)
    return found
  }
  /** Applies operations to the home page, or to the page that they name. */
  const edit = async (...ops: readonly object[]) => {
    const answer = await send('/ops', { ops: ops.map((op) => ({ pageSlug: '/', ...op })) })
    if (!answer.ok) throw new Error(await answer.text())
  }
  return {
    send,
    blocks,
    find,
    edit,
    setHero: async (patch: object) => edit({ op: 'update_props', blockId: (await find('Hero')).id, patch }),
    async upload(name: string, width = 400) {
      const form = new FormData()
      form.set('image', new File([new Uint8Array(png(width, 300))], name, { type: 'image/png' }))
      const answer = await fetch(`${origin}/image/upload`, { method: 'POST', body: form })
      return v.parse(Uploaded, await answer.json()).url
    },
  }
}

/**
 * Drops, or pastes, a file where the browser alone makes such events; returns whether its own action follows.
 */
export const give = (
  page: Page,
  selector: string,
  type: 'drop' | 'paste',
  name: string,
  bytes: Buffer = png(30, 20),
  mime = 'image/png',
) =>
  page.locator(selector).evaluate(
    (element, { type, name, mime, base64 }) => {
      const data = new DataTransfer()
      const content = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      data.items.add(new File([content], name, { type: mime }))
      const init = { bubbles: true, cancelable: true }
      return element.dispatchEvent(
        type === 'drop'
          ? new DragEvent('drop', { ...init, dataTransfer: data })
          : new ClipboardEvent('paste', { ...init, clipboardData: data }),
      )
    },
    { type, name, mime, base64: bytes.toString('base64') },
  )

const axe = () => readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds in the studio, as rule and element; the page in the frame belongs to its website. */
export async function findings(page: Page): Promise<readonly string[]> {
  await page.evaluate(`window.axe || (() => { ${await axe()} })()`)
  return page.evaluate<string[]>(`
    axe.run({ exclude: ['iframe'] }, { resultTypes: ['violations'] }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) =>
        id + ' ' + target.join(' ') + ' ' + failureSummary)))`)
}
