import { paced } from '../../kernel/index.ts'
import { type Conflict, fingerprint } from '../content/merge/index.ts'
import { type DraftId, draftKey } from '../scope/port.ts'
import { defineCollection, type Store, trusted } from '../store/port.ts'
import type { OpenConflict, Published } from './change.ts'

/** What is known of the conflicts of a draft since it was last compared with its site. */
export interface ConflictNotes {
  /** By the place and the value of the site; also of conflicts that have ended. */
  readonly seen: Readonly<Record<string, Omit<OpenConflict, keyof Conflict>>>
  /** The values of the site that are decided for the draft, by place; see `edits/decision.ts`. */
  readonly settled?: Readonly<Record<string, string>> | undefined
  /** The number of open ones by page. */
  readonly pages: Readonly<Record<string, number>>
}

/** Under (draft, `notes`). */
export const conflictNotes = defineCollection('draft_conflicts', trusted<ConflictNotes>(), { columns: {} })
export const notesKey = 'notes'

/** The number of ended conflicts whose time is known if they are opened again. */
const mostEnded = 200

/** Returns conflicts with their times and authors, which stay the same for a value, and the notes then. */
export async function datedConflicts(
  conflicts: readonly Conflict[],
  { seen, settled }: ConflictNotes,
  now: Date,
  authorsOf: (conflicts: readonly Conflict[]) => Promise<ReadonlyMap<string, Published>>,
): Promise<{ readonly conflicts: readonly OpenConflict[]; readonly notes: ConflictNotes }> {
  const open: OpenConflict[] = []
  const byKey = new Map(Object.entries(seen))
  const keys = new Map<Conflict, string>()
  for await (const conflict of paced(conflicts)) {
    keys.set(conflict, valueKey(conflict))
  }
  const authors = await authorsOf(conflicts.filter((conflict) => !byKey.has(keys.get(conflict) ?? '')))
  for (const [conflict, key] of keys) {
    const published = byKey.get(key) ?? authors.get(conflict.id) ?? { at: now.toISOString() }
    byKey.delete(key)
    byKey.set(key, published)
    open.push({ ...conflict, ...published })
  }
  const pages: Record<string, number> = {}
  for (const { slug } of open) pages[slug] = (pages[slug] ?? 0) + 1
  const latest = [...byKey].slice(-(open.length + mostEnded))
  return { conflicts: open, notes: { seen: Object.fromEntries(latest), pages, settled } }
}

/** Returns a key for the place of a conflict with the value that the site has there. */
const valueKey = ({ slug, blockId, path, theirsVersion }: Conflict): string =>
  fingerprint([slug, blockId, path, theirsVersion])

export const noNotes: ConflictNotes = { seen: {}, pages: {} }

/** Returns the number of open conflicts by page, as of the last comparison. */
export const conflictsByPage = async (store: Store, id: DraftId): Promise<ConflictNotes['pages']> =>
  (await store.of(conflictNotes).get(draftKey(id), notesKey))?.body.pages ?? noNotes.pages
