/** The script of a page: the bridge or the live preview of a draft, or the reason why none is shown. */
import { bridge } from './bridge/index.ts'
import { protocol } from './bridge/messages.ts'
import type { LivePreviewOptions } from './live-preview.ts'

/** Says to the editor around the frame that a published page is shown, although a draft was asked for. */
export interface PreviewStatus {
  readonly editorOrigin: string
  readonly slug: string
  readonly reason: 'not_let_in' | 'no_secret' | 'orchestrator_unreachable'
}

export interface StartOptions extends LivePreviewOptions {
  readonly handshake?: 'required' | undefined
}

export function start(options: StartOptions | PreviewStatus): void {
  if ('reason' in options) report(options)
  else bridge(options)
}

function report({ editorOrigin, slug, reason }: PreviewStatus): void {
  if (window.parent === window) return
  const payload = { slug, state: 'published', reason }
  window.parent.postMessage({ protocol, type: 'previewStatus', payload }, editorOrigin)
}
