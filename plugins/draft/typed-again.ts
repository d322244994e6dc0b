import { Refusal } from '../../kernel/index.ts'
import { typedPlaces } from '../content/merge/typed-places.ts'
import type { ConflictPlace } from '../content/merge/index.ts'
import type { Operation } from '../content/operations/index.ts'
import { builtinRegistry } from '../content/registry.ts'
import { decidesByEdits } from './actor.ts'
import { noPages } from './bootstrap.ts'
import type { DraftsContext } from './context.ts'
import type { Committed, CommitRequest, Drafts, LinkedSite } from './port.ts'

/** Returns the operations of a request that decide conflicts. */
function typedIn({ edit, actor }: CommitRequest): readonly Operation[] {
  if (!decidesByEdits(actor)) return []
  if (edit.kind === 'config') return [{ op: 'update_site_config', patch: edit.patch }]
  return edit.kind === 'operations' && edit.source === 'direct' && !edit.logSource ? edit.ops : []
}

/**
 * Returns `commit` with the rule that a value which a person types again, as it is in the draft, decides its
 * conflict with the site for the draft, if that was shown. A batch that does nothing else is accepted then.
 */
export function withTypedAgain(
  { store, sites, site, log }: DraftsContext,
  page: Drafts['page'],
  commit: Drafts['commit'],
): Drafts['commit'] {
  const placesIn = async (
    { id, edit }: CommitRequest,
    ops: readonly Operation[],
    committed?: Committed,
  ): Promise<readonly ConflictPlace[]> => {
    const places: ConflictPlace[] = []
    const types = { registry: builtinRegistry, manifest: 'manifest' in edit ? edit.manifest : undefined }
    const isSetting =
      committed?.changed === true && (committed.config !== undefined || edit.kind === 'config')
    for (const op of ops) {
      if (op.op === 'update_site_config' && isSetting) continue
      const slug = 'pageSlug' in op ? op.pageSlug : undefined
      const change = slug === undefined ? undefined : committed?.pages.get(slug)
      const now = change?.before ?? (slug === undefined ? undefined : (await page(id, slug))?.page)
      const settings = op.op === 'update_site_config' ? await sites.draftConfig(store, id) : undefined
      places.push(...typedPlaces(op, { page: now, config: settings ?? {} }, types))
    }
    return places
  }

  const decided = async (request: CommitRequest, committed?: Committed) => {
    const { id, actor, channel } = request
    const ops = typedIn(request)
    if (ops.length === 0) return undefined
    try {
      const places = await placesIn(request, ops, committed)
      return places.length === 0 ? undefined : await site.decideTyped({ id, actor, channel, places })
    } catch (err) {
      log.warn({ err, siteId: id.siteId }, 'a conflict that was shown could not be decided')
      return undefined
    }
  }

  return async (request, toAnswer) => {
    const committed: Committed[] = []
    try {
      const answer = await commit(request, (result) => {
        committed.push(result)
        return toAnswer(result)
      })
      const [result] = committed
      const decision = result?.hadConflicts ? await decided(request, result) : undefined
      return result && decision ? toAnswer({ ...result, previewVersion: decision.version }) : answer
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'no_effective_change')) throw error
      const decision = await decided(request)
      if (!decision) throw error
      const { id, actor, channel, idempotency } = request
      const answer = toAnswer(onlyDecided(decision, typedIn(request)))
      // A repetition under the same key gets the same answer.
      return commit({ id, edit: noPages, actor, channel, idempotency }, () => answer)
    }
  }
}

const onlyDecided = (
  { version, label }: NonNullable<Awaited<ReturnType<LinkedSite['decideTyped']>>>,
  ops: readonly Operation[],
): Committed => ({
  previewVersion: version,
  rebased: 0,
  hadConflicts: true,
  changed: true,
  pages: new Map(),
  notes: [],
  labels: [label],
  ops,
  results: {
    mentionedSlugs: [...new Set(ops.flatMap((op) => ('pageSlug' in op ? [op.pageSlug] : [])))],
    duplicatedPages: [],
    appliedCount: ops.length,
    skippedOps: [],
    fuzzyMatches: [],
    notes: [],
  },
})
