import type { EditorPage } from '../plugins/site/editor-page.ts'
import { livePreviewText, type LiveScriptOptions } from '../plugins/site/live-script.ts'
import { currentEnvironment } from './env.ts'
import { orchestratorAddress } from './orchestrator-address.ts'

/**
 * The text of a script that keeps a draft page up to date in the browser, to be put into a `<script>` at the end of the
 * page; empty for a published one. A page that is rendered by a framework calls `livePreview` of
 * `content-orchestrator/site/live` instead, with `render`.
 *
 * Without `orchestrator` the browser is sent to ORCHESTRATOR_PUBLIC_ORIGIN, else to ORCHESTRATOR_URL.
 */
export function livePreviewScript(shown: EditorPage, options: Partial<LiveScriptOptions> = {}): string {
  const env = currentEnvironment()
  const { orchestrator = env['ORCHESTRATOR_PUBLIC_ORIGIN'] ?? orchestratorAddress(env), accessToken } = options
  return livePreviewText(shown, { orchestrator, accessToken })
}
