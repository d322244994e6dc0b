import type { EditorPage } from './editor-page.ts'
import { livePreview } from './live-preview.ts'

export interface LiveScriptOptions {
  /** Where the browser reaches the orchestrator, where that is elsewhere than the page says. */
  readonly orchestrator?: string | undefined
  /**
   * A token for an orchestrator that asks for one. Whoever sees the page can read it: hand out one that was issued to
   * this very visitor, never ORCHESTRATOR_ACCESS_TOKEN.
   */
  readonly accessToken?: string | undefined
}

/**
 * The text of a script that keeps a draft page up to date in the browser, to be put into a `<script>` at the end of the
 * page; empty for a published one. It holds neither `</` nor `<!--`, whatever the page is called. A page that is rendered
 * by a framework calls `livePreview` of `content-orchestrator/site/live` instead, with `live` of the page and `render`.
 */
export function livePreviewScript({ live }: Pick<EditorPage, 'live'>, { orchestrator = live?.orchestrator, accessToken }: LiveScriptOptions = {}): string {
  if (!live) return ''
  return `(${livePreview.toString()})(${JSON.stringify({ ...live, orchestrator, accessToken }).replaceAll('<', '\\u003c')})`
}
