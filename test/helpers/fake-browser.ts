import { EventEmitter } from 'node:events'
import type { Browser, Route } from 'playwright-core'

/** A request that a page makes while it loads. */
export interface PageRequest {
  readonly url: string
  readonly method?: string
  readonly type?: string
  readonly isNavigation?: boolean
  readonly headers?: Readonly<Record<string, string>>
}

export interface LoadOutcome {
  readonly status?: number | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | undefined
  readonly aborted?: string | undefined
}

/** Stands in for a browser: an opened page sends the given requests through the handler that intercepts them. */
export function fakeBrowser({
  requests = [],
  opening = async () => undefined,
  capturing = async () => undefined,
  height = 2000,
}: {
  readonly requests?: readonly PageRequest[]
  /** Runs while a page loads. */
  readonly opening?: () => Promise<unknown>
  /** Runs while a page is captured. */
  readonly capturing?: () => Promise<unknown>
  readonly height?: number
} = {}) {
  const events = new EventEmitter()
  const outcomes = new Map<string, LoadOutcome>()
  const count = { contexts: 0, closed: 0, ended: 0 }
  const clips: unknown[] = []

  const ask = async (
    { url, method = 'GET', type = 'image', isNavigation = false, headers = {} }: PageRequest,
    handle: (route: Route) => Promise<void>,
  ): Promise<LoadOutcome> => {
    let outcome: LoadOutcome = {}
    const route = {
      request: () => ({
        url: () => url,
        method: () => method,
        resourceType: () => type,
        isNavigationRequest: () => isNavigation,
        headers: () => headers,
      }),
      fulfill: async ({
        status,
        headers: answered,
        body,
      }: {
        status?: number
        headers?: Readonly<Record<string, string>>
        body?: Buffer
      }) => void (outcome = { status, headers: answered, body: body?.toString() }),
      abort: async (aborted: string) => void (outcome = { aborted }),
    }
    await handle(route as unknown as Route)
    outcomes.set(`${method} ${url}`, outcome)
    return outcome
  }

  const newContext = async () => {
    count.contexts++
    let handle: (route: Route) => Promise<void> = async () => undefined
    const others = new EventEmitter()
    return {
      on: (name: string, hear: () => void) => others.on(name, hear),
      route: async (_pattern: string, handler: typeof handle) => void (handle = handler),
      newPage: async () => ({
        async goto(url: string, { timeout }: { readonly timeout: number }) {
          await ask({ url, isNavigation: true, type: 'document' }, handle)
          await Promise.all(requests.map((request) => ask(request, handle)))
          others.emit('page', { close: async () => void outcomes.set('another page', { aborted: 'closed' }) })
          const late = Object.assign(new Error('late'), { name: 'TimeoutError' })
          await Promise.race([
            opening(),
            new Promise((_, reject) => void setTimeout(reject, timeout, late).unref()),
          ])
        },
      }),
      newCDPSession: async () => ({
        send: async (name: string, asked?: { readonly clip: unknown }) => {
          if (name === 'Page.getLayoutMetrics') return { cssContentSize: { height } }
          clips.push(asked?.clip)
          await capturing()
          return { data: Buffer.from('a picture').toString('base64') }
        },
      }),
      close: async () => void count.closed++,
    }
  }
  const crash = (): unknown => events.emit('disconnected')
  const close = async (): Promise<void> => {
    count.ended++
    crash()
  }
  const browser = {
    newContext,
    close,
    on: (name: string, hear: () => void) => events.on(name, hear),
  } as unknown as Browser
  return { browser, outcomes, count, clips, crash }
}
