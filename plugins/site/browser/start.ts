/** The script of a page: the bridge or the live preview of a draft, or the reason why none is shown. */
import { bridge } from './bridge/index.ts'
import { protocol, readMessage } from './bridge/messages.ts'
import { shareScroll } from './bridge/scroll.ts'
import type { LivePreviewOptions } from './live-preview.ts'

/** Says to the editor around the frame why a published page is shown. One that the editor asked for scrolls with its draft. */
export interface PreviewStatus {
  readonly editorOrigin: string
  readonly slug: string
  readonly reason: 'not_let_in' | 'no_secret' | 'orchestrator_unreachable' | 'asked_for'
}

interface StartOptions extends LivePreviewOptions {
  readonly handshake?: 'required' | undefined
}

export function start(options: StartOptions | PreviewStatus): void {
  if ('reason' in options) report(options)
  else bridge(options)
}

function report({ editorOrigin, slug, reason }: PreviewStatus): void {
  if (window.parent === window) return
  const post = (type: string, payload: object): void =>
    window.parent.postMessage({ protocol, type, payload }, editorOrigin)
  if (reason === 'asked_for') {
    const shared = shareScroll((place) => post('pageScrolled', place))
    window.addEventListener('message', ({ source, origin, data }) => {
      const { message } = (source === window.parent && origin === editorOrigin && readMessage(data)) || {}
      if (message?.type === 'scrollPage') shared.to(message.payload)
    })
  }
  post('previewStatus', { slug, state: 'published', reason })
}
