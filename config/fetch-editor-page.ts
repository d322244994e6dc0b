import * as v from 'valibot'
import type { Mount } from '../kernel/index.ts'
import type { ContentAdapter } from '../plugins/content/adapter.ts'
import { draftsAt, draftsIn } from '../plugins/site/draft-source.ts'
import { readEditorPage, type EditorPage } from '../plugins/site/editor-page.ts'
import type { Visit } from '../plugins/site/visit.ts'
import { adapterOption, checkOptions, originOption, siteIdOption } from './check-options.ts'
import { draftSecretIn } from './draft-secret.ts'
import { editorOriginsOf } from './editor-origins.ts'
import { currentEnvironment } from './env.ts'
import { orchestratorAddress } from './orchestrator-address.ts'

export interface EditorPageOptions {
  /** Reads what is published. */
  readonly adapter: ContentAdapter
  /** Where this server reaches the orchestrator, or the one that it mounts itself; ORCHESTRATOR_URL without it. */
  readonly orchestrator?: string | Pick<Mount, 'get' | 'basePath'> | undefined
  /** Sent to an orchestrator elsewhere; ORCHESTRATOR_ACCESS_TOKEN without it. */
  readonly accessToken?: string | undefined
  /** What draft cookies are signed with; DRAFT_MODE_SECRET, VITE_SITE_DRAFT_SECRET or NEXT_DRAFT_MODE_SECRET without it. */
  readonly draftSecret?: string | undefined
  /** The id of this site, as createSiteEditor was told it. */
  readonly siteId?: string | undefined
  /** Whose pages may show a draft in a frame; those that createSiteEditor lets call without it. */
  readonly editorOrigins?: readonly string[] | undefined
}

const isMountOrText = (value: unknown): boolean =>
  typeof value === 'string' || (typeof value === 'object' && value !== null && 'get' in value && 'basePath' in value)

const Options = {
  adapter: adapterOption,
  orchestrator: v.optional(v.custom(isMountOrText, 'expected an address, or what createOrchestrator() gave')),
  accessToken: v.optional(v.string('expected a text')),
  draftSecret: v.optional(v.string('expected a text')),
  siteId: v.optional(siteIdOption),
  editorOrigins: v.optional(v.array(originOption, 'expected a list of origins')),
}

/**
 * Gives the page of a slug as this visitor may see it: of the draft where the visitor was let into it, else of what is
 * published. `source` says which, and `notice` why somebody who asked for a draft does not see one; `page` is undefined
 * where there is none under this slug. `headers` are to be sent with the page.
 *
 * `live` is what a draft page passes to `livePreview`: the orchestrator that it names is the path of the mount, or for
 * one elsewhere ORCHESTRATOR_PUBLIC_ORIGIN, without that the address it is asked at.
 *
 * An orchestrator that cannot be asked within 5 s leaves the visitor with what is published. Rejects when that cannot be
 * read either. Refuses, with a BootError, options that are unknown or of the wrong kind.
 */
export async function fetchEditorPage(slug: string, visit: Visit, options: EditorPageOptions): Promise<EditorPage> {
  checkOptions('fetchEditorPage', Options, options)
  const env = currentEnvironment()
  const { adapter, orchestrator = orchestratorAddress(env), siteId } = options
  const token = options.accessToken || env['ORCHESTRATOR_ACCESS_TOKEN']
  const found =
    typeof orchestrator === 'string'
      ? { drafts: draftsAt(orchestrator, token), orchestrator: env['ORCHESTRATOR_PUBLIC_ORIGIN'] ?? orchestrator }
      : { drafts: draftsIn(orchestrator), orchestrator: orchestrator.basePath }
  const secret = options.draftSecret?.trim() || draftSecretIn(env)
  return readEditorPage(slug, visit, { ...found, adapter, secret, siteId, editorOrigins: editorOriginsOf(env, options.editorOrigins) })
}
