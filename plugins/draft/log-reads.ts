import { toChangeEvent } from './apply.ts'
import {
  aboutOf,
  changes,
  oldestKept,
  pages,
  scopeOf,
  stacks,
  versionKey,
  withoutGone,
} from './collections.ts'
import type { Heads, ReadContext } from './heads.ts'
import { asOf, newestEntries } from './log.ts'
import type { Drafts } from './port.ts'

/** Reads the version log and the undo stacks of drafts. */
export function createLogReads(
  { store, limits }: ReadContext,
  { head }: Heads,
): Pick<Drafts, 'steps' | 'log' | 'pageAt' | 'changesAfter'> {
  const records = store.of(changes)
  const undoStacks = store.of(stacks)
  return {
    async steps(id, slug) {
      const stored = (await undoStacks.get(scopeOf(id), slug))?.body
      const stack = stored && withoutGone(stored, oldestKept(await head(id), limits.keptChangesPerDraft))
      return { canUndo: (stack?.undo.length ?? 0) > 0, canRedo: (stack?.redo.length ?? 0) > 0 }
    },
    async log(id, { slug, limit }) {
      const newest = await newestEntries(records, scopeOf(id))
      return newest
        .filter((entry) => slug === undefined || entry.slug === slug)
        .slice(0, limit)
        .toReversed()
    },
    pageAt: (id, slug, version) =>
      store.transaction(async (tx) => {
        const [scope, records] = [scopeOf(id), tx.of(changes)]
        const entry = (await newestEntries(records, scope)).find((each) => each.version === version)
        if (!entry) return undefined
        const today = (await tx.of(pages).get(scope, slug))?.body
        return { page: (await asOf(records, scope, { slug, today, version })).page, entry }
      }),
    async changesAfter(id, version) {
      const now = await head(id)
      if (version === now.version) return []
      const oldest = oldestKept(now, limits.keptChangesPerDraft)
      if (version > now.version || version < oldest - 1) return undefined
      const rows = await records.rows(scopeOf(id), { after: versionKey(version) })
      return rows.map((row) => toChangeEvent(id, Number(row.key), aboutOf(row)))
    },
  }
}
