import { openChannel } from './channel.ts'
import type { DraftEvent } from '../draft-stream.ts'
import { whenHydrated } from '../hydrated.ts'
import type { OpenBridge, OpenBridgeOptions } from './open.ts'
import { findBlock, slugOf } from '../page.ts'

type BridgeTools = Pick<OpenBridge, 'hear' | 'rendered'>

interface ConnectOptions<Tools> {
  readonly editorOrigin: string
  /** `required` refuses editors that do not answer with the nonce of this document. */
  readonly handshake?: 'required' | undefined
  readonly keep?: readonly string[] | undefined
  /** Follows links of the site, which are else followed as they are. */
  readonly navigate?: ((href: string) => void) | undefined
  readonly slug: () => string
  /** Shows what has changed; false if it could not be shown. */
  readonly refresh: (cause: 'message') => Promise<boolean>
  /** Called with a change of the draft that the editor has read. */
  readonly changed: (event: DraftEvent) => void
  /** Opens the tools once the editor answers. */
  readonly openTools: (options: OpenBridgeOptions) => Tools
  /** Called after the page has changed. */
  readonly onMutation?: (() => void) | undefined
}

/** Set while an editor that confirmed the nonce is there, which says itself that this is a draft. */
const boundMark = 'data-editor-bound'

/** Connects a page with the editor around its frame. The tools open once that answers. */
export function connect<Tools extends BridgeTools>(options: ConnectOptions<Tools>) {
  const { slug, changed, onMutation, keep = [] } = options
  const ending = new AbortController()
  const { signal } = ending
  let tools: Tools | undefined

  const channel = openChannel({
    editorOrigin: options.editorOrigin,
    handshake: options.handshake,
    onOpen() {
      tools = options.openTools({
        ...options,
        keep,
        send,
        scrolled: () => channel.send('iframeScrolled', {}),
        acknowledge: (ack) => channel.acknowledge(ack),
        confirms: () => !channel.isBound(),
        signal,
      })
    },
    onBound(sendsChanges) {
      document.documentElement.toggleAttribute(boundMark, true)
      // What has changed since the page was rendered.
      if (sendsChanges) changed({ type: 'hello' })
    },
    onMessage: (message) => tools?.hear(message),
    signal,
  })

  /** A block of another page of content than the one that is shown has the slug of that one. */
  const send = (type: string, payload: Readonly<Record<string, unknown>>): void => {
    const { blockId } = payload
    const of = typeof blockId === 'string' ? slugOf(findBlock(blockId)) : undefined
    channel.send(type, { slug: of ?? slug(), ...payload })
  }

  const mutations = new MutationObserver(() => {
    onMutation?.()
    whenHydrated(() => tools?.rendered(), signal)
  })
  mutations.observe(document.body, { childList: true, subtree: true })
  whenHydrated(() => document.documentElement.toggleAttribute('data-editor-active', true), signal)

  return {
    channel,
    send,
    signal,
    tools: (): Tools | undefined => tools,
    close(): void {
      mutations.disconnect()
      for (const mark of ['data-editor-active', boundMark]) document.documentElement.removeAttribute(mark)
      ending.abort()
    },
  }
}
