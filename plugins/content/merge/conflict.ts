import { createHash } from 'node:crypto'
import { stableJson } from '../../../kernel/index.ts'
import { withoutGeneratedItemIds } from '../items.ts'
import type { MergedValue, Three } from './sides.ts'

/**
 * A place in the content of a site. The slug is that of the merged page; it is empty for the site config.
 *
 * Paths are those of the publish diff, below the props of a block or the keys of a page such as `meta.title`,
 * with three additions: `items[id="a"].q` names a row by its key, `items[after="a"]` the run of rows behind a
 * row, from the start of the list for `null`, and `.note` a key of a block beside its props.
 */
export interface ConflictPlace {
  readonly slug: string
  readonly blockId?: string
  readonly blockType?: string
  readonly path?: string
}

/** Returns a text that tells places apart. */
export const keyOfPlace = ({ slug, blockId, path }: ConflictPlace): string =>
  JSON.stringify([slug, blockId, path])

/**
 * Something that both sides changed to different values. `removed_on_site` was removed by theirs and changed
 * by ours, `removed_here` the other way round. A side without the value lacks its key.
 */
export interface Conflict extends Omit<ConflictPlace, 'blockType'> {
  /** Made of the place and the value of ours, so it stays the same while theirs changes. */
  readonly id: string
  /** Equal for equal values of theirs. */
  readonly theirsVersion: string
  readonly kind: 'changed' | 'removed_on_site' | 'removed_here'
  readonly base?: unknown
  readonly ours?: unknown
  readonly theirs?: unknown
}

/** What theirs brought: a value, row, block or page, or another position of one. */
export interface Taken extends ConflictPlace {
  readonly what: 'added' | 'removed' | 'changed' | 'moved'
}

export type Winner = 'ours' | 'theirs'

/** Who decides conflicts; one that is not decided keeps ours and stays open. */
export interface Decisions {
  /** Decides all that are not decided one by one, or those of a kind. */
  readonly wins?: Winner | ((kind: Conflict['kind']) => Winner) | undefined
  /** By the ids of conflicts. */
  readonly decided?: ReadonlyMap<string, Winner> | undefined
  /** Returns what counts of a value of theirs for its version; by default all of it. */
  readonly lasting?: ((value: unknown) => unknown) | undefined
}

/** Collects what a merge takes and cannot decide. */
export interface Ledger {
  readonly taken: Taken[]
  readonly conflicts: Conflict[]
  take(place: ConflictPlace, what: Taken['what']): void
  /** Returns who wins a conflict; `undefined` if it stays open. `read` returns what counts of a value. */
  decide<T>(
    place: ConflictPlace,
    kind: Conflict['kind'],
    values: Three<T>,
    read?: (value: T) => unknown,
  ): Winner | undefined
}

/**
 * Creates a ledger. The conflicts of a page that both sides have renamed are known by the slug `page`,
 * whichever of both it gets.
 */
export function createLedger({ wins, decided, lasting }: Decisions, page?: string): Ledger {
  const taken: Taken[] = []
  const conflicts: Conflict[] = []
  const ids = new Set<string>()
  return {
    taken,
    conflicts,
    take: (place, what) => void taken.push({ ...place, what }),
    decide({ blockType: _type, ...place }, kind, { base, ours, theirs }, read = (value) => value) {
      let id = fingerprint([page ?? place.slug, place.blockId, place.path, { ours: read(ours) }])
      // Blocks that share an id may have the same conflict.
      while (ids.has(id)) id = fingerprint([id])
      ids.add(id)
      const value = read(theirs)
      const theirsVersion = fingerprint({ theirs: lasting ? lasting(value) : value })
      const winner = decided?.get(id) ?? (typeof wins === 'function' ? wins(kind) : wins)
      if (!winner)
        conflicts.push({
          id,
          ...place,
          kind,
          theirsVersion,
          ...(base !== undefined && { base }),
          ...(ours !== undefined && { ours }),
          ...(theirs !== undefined && { theirs }),
        })
      return winner
    },
  }
}

/** Returns the values after a decision. An open conflict keeps the former base, so that it is found again. */
export function settled<T>({ base, ours, theirs }: Three<T>, winner: Winner | undefined): MergedValue<T> {
  if (!winner) return { merged: ours, base }
  return { merged: winner === 'ours' ? ours : theirs, base: theirs }
}

/**
 * Returns a short text that is equal for equal content, regardless of generated row ids and the order of
 * keys.
 */
export const fingerprint = (content: unknown): string =>
  createHash('sha256')
    .update(stableJson(withoutGeneratedItemIds(content)))
    .digest('hex')
    .slice(0, 16)
