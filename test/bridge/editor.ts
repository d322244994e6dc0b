import type { Frame, Page } from 'playwright-core'
import type { Test } from 'tap'
import { startSite } from '../helpers/upstream.ts'

/** A message of the frame, as the window around it received it. */
export interface Heard {
  readonly type: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly origin: string
  readonly isOfFrame: boolean
  readonly nonce?: string
  readonly data: Readonly<Record<string, unknown>>
}

const hostPage = `<!doctype html><title>Editor</title><input id="outside">
<iframe id="frame" style="width:1000px;height:600px;border:0"></iframe>
<script>
const frame = document.getElementById('frame')
window.heard = []
window.answers = true
addEventListener('message', ({ data, origin, source }) => {
  heard.push({ ...data, data, origin, isOfFrame: source === frame.contentWindow, payload: data.payload ?? data })
  if (data.type === 'routeChanged' && window.reply) post(window.reply(data))
})
function post(message) { frame.contentWindow.postMessage(message, window.site) }
function open(address) { window.site = new URL(address).origin; frame.src = address }
</script>`

/** Serves a page that plays the part of an editor, at an origin of its own. */
export async function serveHost(t: Test): Promise<string> {
  const { origin } = await startSite(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(hostPage)
  })
  return origin
}

/** Plays an editor that shows a page of a site in its frame. */
export class Editor {
  readonly #page: Page
  #seen = 0
  constructor(page: Page) {
    this.#page = page
  }

  get frame(): Frame {
    const frame = this.#page.frames()[1]
    if (!frame) throw new Error('there is no frame')
    return frame
  }

  /** Loads a page into the frame. An existing editor answers each page with its selection mode. */
  async open(address: string, { answers = true, mode = false } = {}): Promise<void> {
    // The former document would answer as well.
    const isLoaded = (frame: Frame): boolean => frame.parentFrame() !== null && frame.url() !== 'about:blank'
    const navigated = this.#page.waitForEvent('framenavigated', isLoaded)
    await this.#page.evaluate(
      ({ address, answers, mode }) => {
        const answer = (enabled: boolean) => ({
          protocol: 'site-editor/v1',
          type: 'setSelectionMode',
          payload: { enabled },
        })
        const state = { mode, reply: answers ? () => answer(state.mode) : undefined }
        Object.assign(window, { editor: state, reply: state.reply })
        ;(window as unknown as { open: (address: string) => void }).open(address)
      },
      { address, answers, mode },
    )
    await navigated
    await this.frame.waitForLoadState('load')
  }

  /** Switches the selection mode, which also is the answer to each page from now on. */
  async setMode(enabled: boolean): Promise<void> {
    await this.#page.evaluate((mode) => {
      Object.assign((window as unknown as { editor: object }).editor, { mode })
    }, enabled)
    await this.send('setSelectionMode', { enabled })
  }

  send(type: string, payload?: unknown, more: object = {}): Promise<void> {
    return this.post({ protocol: 'site-editor/v1', type, payload, ...more })
  }

  post(message: unknown): Promise<void> {
    return this.#page.evaluate((message) => {
      ;(window as unknown as { post: (message: unknown) => void }).post(message)
    }, message)
  }

  /** Every message so far, but those that are allowed at any time. */
  async all(): Promise<readonly Heard[]> {
    const heard = await this.#page.evaluate(() => (window as unknown as { heard: Heard[] }).heard)
    return heard.filter(({ type }) => type !== 'iframeScrolled' && type !== 'rendered')
  }

  /** The messages since the last call. */
  async news(): Promise<readonly Heard[]> {
    const all = await this.all()
    const news = all.slice(this.#seen)
    this.#seen = all.length
    return news
  }

  /** Waits for a message of a type after those already read, and returns it. */
  async next(type: string): Promise<Heard> {
    for (const until = performance.now() + 10_000; performance.now() < until; await pause(20)) {
      const all = await this.all()
      const at = all.findIndex((each, index) => index >= this.#seen && each.type === type)
      if (at === -1) continue
      this.#seen = at + 1
      return all[at] as Heard
    }
    throw new Error(`no ${type}; heard ${JSON.stringify((await this.all()).slice(-5))}`)
  }

  /** Waits long enough for a message that must not come, and returns what came. */
  async silence(): Promise<readonly Heard[]> {
    await pause(300)
    return this.news()
  }

  /** A tool of the bridge. */
  tool(action: string, more = '') {
    return this.frame.locator(`editor-overlay [data-editor-action="${action}"]${more}`)
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms))
