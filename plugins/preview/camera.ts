import type { Browser, BrowserContext, Page, Route } from 'playwright-core'
import { limitConcurrency, type Logger, Refusal, untilAborted } from '../../kernel/index.ts'
import { wordSet } from '../content/words.ts'
import { UpstreamFailure, type Outbound } from '../outbound/port.ts'
import { NoBrowser } from './browser.ts'
import { createLoad, type Load, type Loaded } from './loader.ts'
import { refusals, type ScreenshotPage } from './refusals.ts'

const windowSize = { width: 1440, height: 900 } as const
/** Milliseconds after the deadline for the image itself. */
const captureMs = 5_000
/** The maximum height that browsers can capture as JPEG. */
const maxHeight = 16_384
const quality = 75
/** The retry delay for callers that are refused because of too many requests. */
const retrySeconds = 10

/** The request headers of a page that are forwarded; none of them reveals the address of the page. */
const forwardedHeaders = ['accept', 'accept-language', 'origin', 'range'] as const
/** Response headers of the connection, or already processed. */
const droppedHeaders = wordSet(
  'connection content-encoding content-length keep-alive set-cookie transfer-encoding',
)

interface Capture {
  readonly pageInfo: ScreenshotPage
  /** The image in base64, and its size in pixels. */
  readonly jpeg: string
  readonly width: number
  readonly height: number
  /** True if the page was still loading at the deadline. */
  readonly incomplete?: true
}

export type Camera = ReturnType<typeof createCamera>

export interface CameraOptions {
  readonly start: () => Promise<Browser>
  readonly outbound: Pick<Outbound, 'stream'>
  readonly log: Pick<Logger, 'warn'>
  readonly maxAtOnce: number
  readonly maxWaiting: number
  readonly timeoutMs: number
  readonly maxBytes: number
  /** Milliseconds after which an idle browser is stopped. */
  readonly idleMs: number
}

/** Creates a camera with its own browser, which starts on demand and restarts after a crash. */
export function createCamera({
  start,
  outbound,
  log,
  maxAtOnce,
  maxWaiting,
  timeoutMs,
  maxBytes,
  idleMs,
}: CameraOptions) {
  const limited = limitConcurrency(maxAtOnce)
  const closing = new AbortController()
  let running: Promise<Browser> | undefined
  let pending = 0
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

  const capture = async ({ tries, origin }: PageToCapture, signal: AbortSignal): Promise<Capture> => {
    const deadline = performance.now() + timeoutMs
    const timeout = AbortSignal.timeout(timeoutMs + captureMs)
    const ended = AbortSignal.any([timeout, signal, closing.signal])
    let pageInfo = tries[0]?.pageInfo ?? { url: origin, mode: 'draft' as const }
    try {
      ended.throwIfAborted()
      const running = await untilAborted(browser(), ended)
      const load = createLoad({ outbound, origin, maxBytes, timeoutMs, signal: ended })
      let first: Loaded | undefined
      for (const each of tries) {
        pageInfo = each.pageInfo
        first = await load(each.url, { accept: 'text/html' })
        if (first.status !== 404) break
      }
      if (!first || first.status < 200 || first.status >= 400)
        throw refusals.pageFailed(pageInfo, first?.status)
      ended.throwIfAborted()
      return { pageInfo, ...(await picture(running, { first, load, deadline }, ended)) }
    } catch (error) {
      if (error instanceof NoBrowser) throw toRefusal(error, pageInfo)
      if (error instanceof UpstreamFailure && error.kind === 'too_large')
        throw refusals.pageTooLarge(pageInfo)
      if (error instanceof Refusal && error.code === 'page_failed') throw error
      if (signal.aborted) throw signal.reason
      if (timeout.aborted) throw refusals.pageNotIdle(pageInfo, timeoutMs / 1000)
      log.warn({ origin, error: withoutAddresses(error) }, 'page could not be opened for a screenshot')
      throw refusals.pageFailed(pageInfo, undefined)
    }
  }

  const toRefusal = (error: NoBrowser, pageInfo: ScreenshotPage): Refusal => {
    if (error.kind === 'library_missing') return refusals.libraryMissing(pageInfo)
    if (error.kind === 'browser_missing') return refusals.browserMissing(pageInfo)
    log.warn({ err: error.cause }, 'screenshot browser does not start')
    return refusals.browserFailed(pageInfo, process.getuid?.() === 0)
  }

  return {
    /**
     * Captures a page once its network has been idle for half a second, or at the deadline. Refuses with 429 if
     * too many requests wait, with 502 if the page cannot be shown, and with 503 without a browser.
     */
    async take(target: PageToCapture, signal: AbortSignal): Promise<Capture> {
      if (pending >= maxAtOnce + maxWaiting) throw refusals.tooMany(retrySeconds)
      clearTimeout(idle)
      pending += 1
      try {
        return await limited(() => capture(target, signal))
      } finally {
        pending -= 1
        if (pending === 0) idle = setTimeout(() => void stop(), idleMs).unref()
      }
    },
    /** Aborts running captures and stops the browser. */
    async close(): Promise<void> {
      clearTimeout(idle)
      closing.abort()
      await stop()
    },
  }
}

/** Error messages of the browser contain complete addresses, including the secret. */
const withoutAddresses = (error: unknown): string =>
  String(error)
    .split('\n', 1)[0]
    ?.replaceAll(/https?:\/\/\S+/g, 'an address') ?? ''

type Picture = Omit<Capture, 'pageInfo'>

/** An opened page, and the time until which it may load. */
interface OpenedPage {
  readonly first: Loaded
  readonly load: Load
  readonly deadline: number
}

/** Captures a complete page in an isolated browser context. */
async function picture(browser: Browser, opened: OpenedPage, ended: AbortSignal): Promise<Picture> {
  const opening = browser.newContext({
    viewport: windowSize,
    acceptDownloads: false,
    serviceWorkers: 'block',
  })
  try {
    const context = await untilAborted(opening, ended)
    return await untilAborted(photograph(context, opened), ended)
  } finally {
    // Not awaited: a page that hangs the browser must not delay the answer.
    opening.then((context) => context.close()).catch(() => undefined)
  }
}

async function photograph(context: BrowserContext, { first, load, deadline }: OpenedPage): Promise<Picture> {
  await context.route('**/*', (route) => answer(route, first, load))
  const page: Page = await context.newPage()
  context.on('page', (another) => void another.close().catch(() => undefined))
  const timeout = Math.max(1, deadline - performance.now())
  const isComplete = await page.goto(first.url.href, { waitUntil: 'networkidle', timeout }).then(
    () => true,
    (error: Error) => {
      if (error.name !== 'TimeoutError') throw error
      return false
    },
  )
  const session = await context.newCDPSession(page)
  const { cssContentSize } = await session.send('Page.getLayoutMetrics')
  const height = Math.min(Math.max(Math.ceil(cssContentSize.height), windowSize.height), maxHeight)
  const clip = { x: 0, y: 0, width: windowSize.width, height, scale: 1 }
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'jpeg',
    quality,
    captureBeyondViewport: true,
    clip,
  })
  return { jpeg: data, width: clip.width, height, ...(!isComplete && { incomplete: true }) }
}

/**
 * Answers a request of a page through `outbound`. Pages are read-only: methods other than GET are aborted,
 * and a redirected frame never shows the content of another origin under its own.
 */
async function answer(route: Route, first: Loaded, load: Load): Promise<void> {
  const request = route.request()
  try {
    // An event stream never ends; 204 stops the page from reconnecting.
    if (request.resourceType() === 'eventsource') return await route.fulfill({ status: 204 })
    const url = new URL(request.url())
    if (request.method() !== 'GET') return await route.abort('blockedbyclient')
    const sent = request.headers()
    const headers = Object.fromEntries(
      forwardedHeaders.flatMap((name) => (sent[name] === undefined ? [] : [[name, sent[name]]])),
    )
    const isFirst = request.isNavigationRequest() && url.href === first.url.href
    const loaded = isFirst ? first : await load(url, headers)
    if (request.isNavigationRequest() && loaded.url.origin !== url.origin)
      return await route.abort('blockedbyclient')
    const answered = Object.entries(loaded.headers).filter(([name]) => !droppedHeaders.has(name))
    await route.fulfill({ status: loaded.status, headers: Object.fromEntries(answered), body: loaded.body })
  } catch {
    await route.abort('failed').catch(() => undefined)
  }
}

/** A page to capture. */
export interface PageToCapture {
  /** Addresses to try in order while the site answers 404, each with its public form without the secret. */
  readonly tries: readonly { readonly url: URL; readonly pageInfo: ScreenshotPage }[]
  /** The origin of the site, which may be on a private network. */
  readonly origin: string
}
