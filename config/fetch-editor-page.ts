import * as v from 'valibot'
import type { Mount } from '../kernel/index.ts'
import type { ContentAdapter } from '../plugins/content/adapter.ts'
import { draftsAt, draftsIn } from '../plugins/site/draft/source.ts'
import { readEditorPage, type EditorPage } from '../plugins/site/draft/page.ts'
import type { Visit } from '../plugins/site/draft/visit.ts'
import { adapterOption, checkOptions, originsOption, siteIdOption, text } from './check-options.ts'
import { currentEnvironment } from './env.ts'
import { draftSecretIn, editorOriginsOf, orchestratorAddress } from './site-environment.ts'
import { isObject } from './values.ts'

export interface EditorPageOptions {
  /** Reads the published content. */
  readonly adapter: ContentAdapter
  /** The address of the orchestrator for this server, or the mount in this process; default: ORCHESTRATOR_URL. */
  readonly orchestrator?: string | Pick<Mount, 'get' | 'basePath'> | undefined
  /** Sent to a remote orchestrator; default: ORCHESTRATOR_ACCESS_TOKEN. */
  readonly accessToken?: string | undefined
  /** Signs draft cookies; default: DRAFT_MODE_SECRET, VITE_SITE_DRAFT_SECRET or NEXT_DRAFT_MODE_SECRET. */
  readonly draftSecret?: string | undefined
  /** The id of this site, as passed to createSiteEditor. */
  readonly siteId?: string | undefined
  /** Editors whose pages may show a draft in a frame; default: those of createSiteEditor. */
  readonly editorOrigins?: readonly string[] | undefined
}

const isMountOrText = (value: unknown): boolean =>
  typeof value === 'string' || (isObject(value) && 'get' in value && 'basePath' in value)

const Options = {
  adapter: adapterOption,
  orchestrator: v.optional(
    v.custom(isMountOrText, 'expected an address, or what createOrchestrator() returned'),
  ),
  accessToken: v.optional(text),
  draftSecret: v.optional(text),
  siteId: v.optional(siteIdOption),
  editorOrigins: v.optional(originsOption),
}

/**
 * Reads the page of a slug for a visitor: the draft with draft access, else the published page. `source`
 * names the version, and `notice` the reason why a requested draft is not shown. `page` is undefined if the
 * slug has none. Send `headers` with the page.
 *
 * `live` is the argument of a draft page for `livePreview`: its orchestrator is the path of the mount, or for
 * a remote one ORCHESTRATOR_PUBLIC_ORIGIN, else the address that was called.
 *
 * If the orchestrator does not answer within 5 s, the visitor sees the published page. Rejects if that cannot
 * be read either. Throws a BootError for unknown or mistyped options.
 */
export async function fetchEditorPage(
  slug: string,
  visit: Visit,
  options: EditorPageOptions,
): Promise<EditorPage> {
  checkOptions('fetchEditorPage', Options, options)
  const env = currentEnvironment()
  const { adapter, orchestrator = orchestratorAddress(env), siteId } = options
  const token = options.accessToken || env['ORCHESTRATOR_ACCESS_TOKEN']
  const source =
    typeof orchestrator === 'string'
      ? {
          drafts: draftsAt(orchestrator, token),
          orchestrator: env['ORCHESTRATOR_PUBLIC_ORIGIN'] ?? orchestrator,
        }
      : { drafts: draftsIn(orchestrator), orchestrator: orchestrator.basePath }
  const secret = options.draftSecret?.trim() || draftSecretIn(env)
  return readEditorPage(slug, visit, {
    ...source,
    adapter,
    secret,
    siteId,
    editorOrigins: editorOriginsOf(env, options.editorOrigins),
  })
}
