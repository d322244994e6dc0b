/** The editor's side of the bridge: what passes between the studio and the page in its frame. */
import { signal } from '@preact/signals'

export interface FrameMessage {
  readonly type: string
  readonly payload: Readonly<Record<string, unknown>>
}

/**
 * What a page in a frame may do: run, with its own cookies, send forms, and open windows. It never replaces
 * the studio, nor asks in its name. A site at the origin of the studio, as a mount is, is as trusted as the
 * studio itself.
 */
export const sandbox =
  'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox'

export const protocol = 'site-editor/v1'
const version = '1.1'
/** How long a page may take to load. */
const loadsWithinMs = 8000

/** `silent` when a page was loaded but nothing in it answers; `published` when no draft is shown. */
export const connection = signal<
  | { readonly state: 'waiting' | 'connected' | 'silent' }
  | { readonly state: 'published'; readonly reason: string }
>({ state: 'waiting' })

let frame: HTMLIFrameElement | undefined
let nonce: string | undefined
let timer = 0

const origin = (): string => new URL(frame?.src ?? location.href).origin

/** Whether the keyboard is with the page in the frame. */
export const hasFocus = (): boolean => frame !== undefined && document.activeElement === frame

/** Begins to speak with a frame; each document in it is a stranger until it has named its nonce. */
export function connect(element: HTMLIFrameElement, onMessage: (message: FrameMessage) => void): () => void {
  frame = element
  const listen = ({ source, origin: from, data }: MessageEvent): void => {
    if (source !== element.contentWindow || from !== origin()) return
    if (typeof data !== 'object' || data === null || data.protocol !== protocol) return
    const { type, payload } = data as Partial<FrameMessage>
    if (typeof type !== 'string' || typeof payload !== 'object' || payload === null) return
    if (type === 'routeChanged') greet(payload)
    else if (type === 'previewStatus')
      connection.value = { state: 'published', reason: String(payload['reason']) }
    else if (nonce !== undefined && data.nonce !== nonce) return
    onMessage({ type, payload })
  }
  window.addEventListener('message', listen)
  return () => window.removeEventListener('message', listen)
}

function greet(payload: FrameMessage['payload']): void {
  const { bridge } = payload as { readonly bridge?: { readonly nonce?: unknown } }
  nonce = typeof bridge?.nonce === 'string' ? bridge.nonce : undefined
  clearTimeout(timer)
  connection.value = { state: 'connected' }
  if (nonce !== undefined) post('hello', { nonce, version, sendsChanges: true })
}

/** Waits for the page that the frame loads now. */
export function expectPage(): void {
  nonce = undefined
  connection.value = { state: 'waiting' }
  expectWordWithin(loadsWithinMs)
}

/** Waits for the first message of the loaded page, or of an error page; returns false if none is expected. */
export function notePageLoaded(speaksWithinMs: number): boolean {
  if (!frame?.src || connection.peek().state !== 'waiting') return false
  expectWordWithin(speaksWithinMs)
  return true
}

function expectWordWithin(milliseconds: number): void {
  clearTimeout(timer)
  timer = window.setTimeout(() => {
    if (connection.value.state === 'waiting') connection.value = { state: 'silent' }
  }, milliseconds)
}

export function post(type: string, payload: Readonly<Record<string, unknown>>): void {
  const message = { protocol, type, payload, ...(nonce !== undefined && { nonce }) }
  frame?.contentWindow?.postMessage(message, origin())
}
