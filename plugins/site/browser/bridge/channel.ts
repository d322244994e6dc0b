import { whenHydrated } from '../hydrated.ts'
import { fits, protocol, readMessage, type Message } from './messages.ts'

const version = '1.1'
const capabilities = ['select', 'inline', 'list', 'image', 'patch', 'events', 'shortcut', 'changes']
/** The waits before an unanswered announcement is repeated. */
const repeatAfterMs = [250, 1000, 3000]

interface ChannelOptions {
  /** The only origin that is heard and spoken to. */
  readonly editorOrigin: string
  /** `required` refuses editors that do not answer with the nonce of this document. */
  readonly handshake?: 'required' | undefined
  readonly onOpen: () => void
  /**
   * Called when the editor confirmed the nonce of this document; says whether it sends the changes of the
   * draft.
   */
  readonly onBound: (sendsChanges: boolean) => void
  readonly onMessage: (message: Message) => void
  /** Ends the channel. */
  readonly signal: AbortSignal
}

export interface Channel {
  /** Posts a message to the editor, once the channel is open; larger ones than 256 KiB are dropped. */
  readonly send: (type: string, payload: Readonly<Record<string, unknown>>) => void
  /** Announces the page that is shown, repeatedly until an editor answers. */
  readonly announce: (slug: string) => void
  /** Answers a patch, in the form without a payload. */
  readonly acknowledge: (ack: Readonly<Record<string, unknown>>) => void
  /** Whether an editor has answered. */
  readonly isOpen: () => boolean
  /** Whether the editor confirmed the nonce of this document. */
  readonly isBound: () => boolean
}

/**
 * Opens the channel between this page and the editor in whose frame it is shown.
 *
 * It opens with the nonce of this document in `hello`, after which messages without it are dropped, because
 * they were meant for another document. An editor that does not know `hello` opens it by any valid message.
 */
export function openChannel(options: ChannelOptions): Channel {
  const { editorOrigin, handshake, onOpen, onBound, onMessage, signal } = options
  const nonce = crypto.getRandomValues(new Uint32Array(4)).join('-')
  let isOpen = false
  let isBound = false
  let hasDropped = false
  let announced: string | undefined

  const post = (type: string, payload: Readonly<Record<string, unknown>>): void => {
    const message = { protocol, type, payload, ...(isBound && { nonce }) }
    if (fits(message)) window.parent.postMessage(message, editorOrigin)
  }

  const drop = (): void => {
    if (!hasDropped) console.debug('Message dropped.')
    hasDropped = true
  }

  const open = (): void => {
    if (isOpen) return
    isOpen = true
    whenHydrated(onOpen, signal)
  }

  const listen = ({ source, origin, data }: MessageEvent): void => {
    if (source !== window.parent || origin !== editorOrigin) return
    const read = readMessage(data)
    if (!read) return drop()
    const { message } = read
    if (message.type === 'hello') {
      if (message.payload.nonce !== nonce) return drop()
      isBound = true
      whenHydrated(() => onBound(message.payload.sendsChanges === true), signal)
      return open()
    }
    const isForThis = isBound ? read.nonce === nonce : handshake !== 'required'
    if (!isForThis) return drop()
    open()
    whenHydrated(() => onMessage(message), signal)
  }

  window.addEventListener('message', listen, { signal })
  return {
    send(type, payload) {
      if (isOpen) post(type, payload)
    },
    acknowledge(ack) {
      const message = { source: protocol, type: 'patchAck', ...ack, ...(isBound && { nonce }) }
      window.parent.postMessage(message, editorOrigin)
    },
    announce(slug) {
      announced = slug
      const say = (): void => post('routeChanged', { slug, bridge: { version, nonce, capabilities } })
      say()
      const repeat = (): void => {
        if (!isOpen && announced === slug && !signal.aborted) say()
      }
      for (const wait of isOpen ? [] : repeatAfterMs) setTimeout(repeat, wait)
    },
    isOpen: () => isOpen,
    isBound: () => isBound,
  }
}
