import type { EditorPage } from './editor-page.ts'
import { livePreview } from './live-preview.ts'

export interface LiveScriptOptions {
  /** Where the browser reaches the orchestrator: its origin, or the path of a mount on the site itself. */
  readonly orchestrator: string
  /**
   * A token for an orchestrator that asks for one. Whoever sees the page can read it: hand out one that was issued to
   * this very visitor, never ORCHESTRATOR_ACCESS_TOKEN.
   */
  readonly accessToken?: string | undefined
}

/**
 * The text of a script that keeps a draft page up to date, to be put into a `<script>` at its end; empty for a published
 * page. It holds neither `</` nor `<!--`, whatever the page is called.
 */
export function livePreviewText({ source, access, slug, page }: EditorPage, { orchestrator, accessToken }: LiveScriptOptions): string {
  if (source === 'published' || !access) return ''
  const options = { orchestrator: orchestrator.replace(/(?<!\/)\/+$/, ''), ...access, slug, updatedAt: page?.updatedAt, accessToken }
  return `(${livePreview.toString()})(${JSON.stringify(options).replaceAll('<', '\\u003c')})`
}
