import { type Conflict, fingerprint, type Side, type Three } from '../content/merge/index.ts'
import { isPlainObject, sameJson } from '../content/plain-object.ts'
import type { Store, Transaction } from '../store/port.ts'
import { type DraftId, draftKey } from '../scope/port.ts'
import { defineCollection, trusted } from '../store/port.ts'
import type { Actor } from './change.ts'

/** Who published something, and when. */
export interface Published {
  readonly at: string
  readonly actor: Actor
}

/** A conflict with the time since when the site has its value, and who published that, where it is known. */
export type OpenConflict = Conflict & Pick<Published, 'at'> & Partial<Published>

/** Tells who published what a site has; the slug of the site config is empty. */
export interface SiteAuthors {
  /** Returns who published the site's value of a conflict; `undefined` if it came from elsewhere. */
  ofConflict(
    reader: Store | Transaction,
    conflict: Conflict,
    sides: Three<Side>,
  ): Promise<Published | undefined>
  /** Returns who published all that a site has changed on these pages; `undefined` if that was not one person. */
  ofPages(
    reader: Store | Transaction,
    slugs: Iterable<string>,
    sides: Pick<Three<Side>, 'base' | 'theirs'>,
  ): Promise<Actor | undefined>
}

/** What is known of the conflicts of a draft since it was last compared with its site. */
export interface ConflictNotes {
  /** By the place and the value of the site; also of conflicts that have ended. */
  readonly seen: Readonly<Record<string, Omit<OpenConflict, keyof Conflict>>>
  /** The number of open ones by page. */
  readonly pages: Readonly<Record<string, number>>
}

/** Under (draft, `notes`). */
export const conflictNotes = defineCollection('draft_conflicts', trusted<ConflictNotes>(), { columns: {} })
export const notesKey = 'notes'

/** The number of ended conflicts whose time is known if they are opened again. */
const mostEnded = 200

/** Returns conflicts with their times and authors, and the notes after that; those of a value stay the same. */
export async function noted(
  conflicts: readonly Conflict[],
  { seen }: ConflictNotes,
  { now, authorOf }: { now: Date; authorOf: (conflict: Conflict) => Promise<Published | undefined> },
): Promise<{ readonly conflicts: readonly OpenConflict[]; readonly notes: ConflictNotes }> {
  const open: OpenConflict[] = []
  const known = new Map(Object.entries(seen))
  for (const conflict of conflicts) {
    const key = valueKey(conflict)
    const about = known.get(key) ?? (await authorOf(conflict)) ?? { at: now.toISOString() }
    known.delete(key)
    known.set(key, about)
    open.push({ ...conflict, ...about })
  }
  const pages: Record<string, number> = {}
  for (const { slug } of open) pages[slug] = (pages[slug] ?? 0) + 1
  const latest = [...known].slice(-(open.length + mostEnded))
  return { conflicts: open, notes: { seen: Object.fromEntries(latest), pages } }
}

/** Returns a key for the place of a conflict with the value that the site has there. */
function valueKey({ slug, blockId, path, theirs }: Conflict): string {
  const isPage = path === undefined && blockId === undefined && isPlainObject(theirs)
  return fingerprint([slug, blockId, path, { theirs: isPage ? { ...theirs, updatedAt: '' } : theirs }])
}

export const noNotes: ConflictNotes = { seen: {}, pages: {} }

export const isSameNotes = (a: ConflictNotes, b: ConflictNotes): boolean => sameJson(a, b)

/** Returns the number of open conflicts by page, as of the last comparison. */
export const conflictsByPage = async (store: Store, id: DraftId): Promise<ConflictNotes['pages']> =>
  (await store.of(conflictNotes).get(draftKey(id), notesKey))?.body.pages ?? noNotes.pages
