import type { Browser, BrowserContext, Page, Route } from 'playwright-core'
import { Refusal, type Logger } from '../../kernel/index.ts'
import { createLimiter } from '../auth/port.ts'
import { UpstreamFailure, type Outbound } from '../outbound/port.ts'
import { NoBrowser } from './browser.ts'
import { createLoad, type Load, type Loaded } from './loader.ts'
import { refusals, type About } from './refusals.ts'

export const windowSize = { width: 1440, height: 900 } as const
/** What JPEG and browsers can make of a page that never ends. */
const mostHeight = 16_384
const quality = 75
/** After so long a caller may try again that came when too many waited. */
const retrySeconds = 10

/** Headers of a page's requests that sites answer by; none of them tells where the page is. */
const sentOn = ['accept', 'accept-language', 'origin', 'range'] as const
/** Headers of an answer that are about the connection, or were dealt with. */
const keptBack: ReadonlySet<string> = new Set(['connection', 'content-encoding', 'content-length', 'keep-alive', 'set-cookie', 'transfer-encoding'])

export interface Picture {
  readonly about: About
  readonly jpeg: string
}

export interface Camera {
  /**
   * Takes a picture of a page, once it has asked for nothing for half a second. Refuses with 429 when too many wait, with 502 a
   * page that cannot be shown, and with 503 where there is no browser.
   */
  take(target: Target, signal: AbortSignal): Promise<Picture>
  /** Ends what is under way, and the browser. */
  close(): Promise<void>
}

export interface CameraOptions {
  readonly start: () => Promise<Browser>
  readonly outbound: Pick<Outbound, 'stream'>
  readonly log: Pick<Logger, 'warn'>
  readonly maxAtOnce: number
  readonly maxWaiting: number
  readonly timeoutMs: number
  readonly maxBytes: number
  /** How long the browser stays without work. */
  readonly idleMs: number
}

/** Makes a camera with a browser of its own, which is there while it is used, and starts again after a crash. */
export function createCamera({ start, outbound, log, maxAtOnce, maxWaiting, timeoutMs, maxBytes, idleMs }: CameraOptions): Camera {
  const limited = createLimiter(maxAtOnce)
  const closing = new AbortController()
  let running: Promise<Browser> | undefined
  let asked = 0
  let idle: NodeJS.Timeout | undefined

  const browser = (): Promise<Browser> => {
    if (running) return running
    const starting = start()
    const forget = (): void => {
      if (running === starting) running = undefined
    }
    running = starting
    starting.then((started) => started.on('disconnected', forget), forget)
    return starting
  }

  const stop = async (): Promise<void> => {
    const stopping = running
    running = undefined
    await stopping?.then((started) => started.close()).catch(() => undefined)
  }

  const shoot = async ({ tries, origin }: Target, signal: AbortSignal): Promise<Picture> => {
    const late = AbortSignal.timeout(timeoutMs)
    const over = AbortSignal.any([late, signal, closing.signal])
    let about = tries[0]?.about ?? { url: origin, mode: 'draft' as const }
    try {
      over.throwIfAborted()
      const load = createLoad({ outbound, origin, maxBytes, timeoutMs, signal: over })
      let first: Loaded | undefined
      for (const each of tries) {
        about = each.about
        first = await load(each.url, { accept: 'text/html' })
        if (first.status !== 404) break
      }
      if (!first || first.status < 200 || first.status >= 400) throw refusals.pageFailed(about, first?.status)
      over.throwIfAborted()
      return { about, jpeg: await picture(await untilAborted(browser(), over), first, load, over) }
    } catch (error) {
      if (error instanceof NoBrowser) throw toRefusal(error, about)
      if (error instanceof UpstreamFailure && error.kind === 'too_large') throw refusals.pageTooLarge(about)
      if (error instanceof Refusal && error.code === 'page_failed') throw error
      if (signal.aborted) throw signal.reason
      if (late.aborted) throw refusals.pageNotIdle(about, timeoutMs / 1000)
      log.warn({ origin, error: withoutAddresses(error) }, 'a page could not be opened for a screenshot')
      throw refusals.pageFailed(about, undefined)
    }
  }

  const toRefusal = (error: NoBrowser, about: About): Refusal => {
    if (error.kind === 'library_missing') return refusals.libraryMissing(about)
    if (error.kind === 'browser_missing') return refusals.browserMissing(about)
    log.warn({ err: error.cause }, 'the browser for screenshots does not start')
    return refusals.browserFailed(about, process.getuid?.() === 0)
  }

  return {
    async take(target, signal) {
      if (asked >= maxAtOnce + maxWaiting) throw refusals.tooMany(retrySeconds)
      clearTimeout(idle)
      asked += 1
      try {
        return await limited(() => shoot(target, signal))
      } finally {
        asked -= 1
        if (asked === 0) idle = setTimeout(() => void stop(), idleMs).unref()
      }
    },
    async close() {
      clearTimeout(idle)
      closing.abort()
      await stop()
    },
  }
}

/** What the browser says of a failure has the whole address in it, with the secret. */
const withoutAddresses = (error: unknown): string => String(error).split('\n', 1)[0]?.replaceAll(/https?:\/\/\S+/g, 'an address') ?? ''

/** Shows a page in a context that knows nothing of any other, and photographs all of it. */
async function picture(browser: Browser, first: Loaded, load: Load, over: AbortSignal): Promise<string> {
  const opening = browser.newContext({ viewport: windowSize, acceptDownloads: false, serviceWorkers: 'block' })
  try {
    const context = await untilAborted(opening, over)
    return await untilAborted(photograph(context, first, load), over)
  } finally {
    // Not waited for: a page that hangs its browser must not hold up the answer.
    opening.then((context) => context.close()).catch(() => undefined)
  }
}

async function photograph(context: BrowserContext, first: Loaded, load: Load): Promise<string> {
  await context.route('**/*', (route) => answer(route, first, load))
  const page: Page = await context.newPage()
  context.on('page', (another) => void another.close().catch(() => undefined))
  await page.goto(first.url.href, { waitUntil: 'networkidle', timeout: 0 })
  const session = await context.newCDPSession(page)
  const { cssContentSize } = await session.send('Page.getLayoutMetrics')
  const height = Math.min(Math.max(Math.ceil(cssContentSize.height), windowSize.height), mostHeight)
  const clip = { x: 0, y: 0, width: windowSize.width, height, scale: 1 }
  const { data } = await session.send('Page.captureScreenshot', { format: 'jpeg', quality, captureBeyondViewport: true, clip })
  return data
}

/**
 * Answers a request of a page with what the guarded way out gives for it. A page may look and do nothing: only GET is answered,
 * and a frame does not get the content of another origin under the name of its own.
 */
async function answer(route: Route, first: Loaded, load: Load): Promise<void> {
  const request = route.request()
  try {
    // A stream of events never ends; by this answer its page stops asking.
    if (request.resourceType() === 'eventsource') return await route.fulfill({ status: 204 })
    const url = new URL(request.url())
    if (request.method() !== 'GET') return await route.abort('blockedbyclient')
    const asked = request.headers()
    const headers = Object.fromEntries(sentOn.flatMap((name) => (asked[name] === undefined ? [] : [[name, asked[name]]])))
    const isFirst = request.isNavigationRequest() && url.href === first.url.href
    const loaded = isFirst ? first : await load(url, headers)
    if (request.isNavigationRequest() && loaded.url.origin !== url.origin) return await route.abort('blockedbyclient')
    const answered = Object.entries(loaded.headers).filter(([name]) => !keptBack.has(name))
    await route.fulfill({ status: loaded.status, headers: Object.fromEntries(answered), body: loaded.body })
  } catch {
    await route.abort('failed').catch(() => undefined)
  }
}

/** Gives what comes of a promise, and rejects as soon as the signal aborts. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** A page to take a picture of. */
export interface Target {
  /** Addresses to try, one after the other while the site answers 404; each with how it is shown, without the secret. */
  readonly tries: readonly { readonly url: URL; readonly about: About }[]
  readonly slug: string
  /** The origin of the site, which may lie on a private network. */
  readonly origin: string
}
