import { applyDelta } from '../../content/delta.ts'
import type { PageChange } from '../../content/model.ts'
import { stampAfter } from '../../content/stamp.ts'
import { aboutOf, changes, versionKey, type Stack } from '../collections.ts'
import type { OpenDraft } from '../open-draft.ts'
import { nothing, type Nothing, type Planned } from '../planned.ts'
import type { Edit } from '../port.ts'
import { placesAgain } from './places.ts'
import { revertedConfig, ways } from './undo.ts'

/**
 * Plans taking back what a run did after a version, newest first.
 *
 * On a page where something newer stands on top, by whomever, it is left as it is, and the page is named in `kept`.
 * What was rolled back cannot be redone: no user has seen it complete.
 */
export async function planRollback(
  draft: OpenDraft,
  { run, since, summary }: Extract<Edit, { kind: 'rollback' }>,
  now: Date,
): Promise<Planned | Nothing> {
  const later = await draft.tx.of(changes).list(draft.scope, { after: versionKey(since) })
  const own = later.filter(({ body }) => body.run === run).toReversed()
  const pages = new Map<string, PageChange>()
  const ranks = new Map<string, string>()
  const stacks = new Map<string, Stack>()
  const kept = new Set<string>()
  for (const { key, body } of own) {
    for (const { slug, delta, rank, redo = [] } of body.pages) {
      const stack = stacks.get(slug) ?? (await draft.stack(slug))
      if (stack.undo.at(-1) !== Number(key)) {
        kept.add(slug)
        continue
      }
      stacks.set(slug, { undo: stack.undo.slice(0, -1), redo })
      const stored = await draft.page(slug)
      const newer = pages.has(slug) ? pages.get(slug)?.after : stored
      const after = delta ? applyDelta(newer, delta, 'backward') : newer
      if (delta) pages.set(slug, { before: stored, after: after && { ...after, updatedAt: stampAfter((stored ?? after).updatedAt, now) } })
      if (after && rank?.before !== undefined) ranks.set(slug, rank.before)
    }
  }
  const config = await revertedConfig(draft, own.flatMap(({ body }) => body.config), ways.undo)
  const [newest] = own
  if (!newest || (stacks.size === 0 && !config)) return { ...nothing, kept: [...kept] }
  const gone = new Set([...pages].filter(([, { after }]) => !after).map(([slug]) => slug))
  return {
    pages,
    ranks: await placesAgain(draft, ranks, gone),
    config,
    stacks: { set: stacks },
    log: { source: 'chat', slug: aboutOf(newest).slug, summary },
    kept: [...kept],
  }
}
