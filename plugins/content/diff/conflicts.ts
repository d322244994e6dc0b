import { rowKey } from '../items.ts'
import type { Block } from '../model.ts'
import { keysOfPath, nestedPlaces } from '../nested-places.ts'
import { isPlainObject, ownValue, perObject } from '../plain-object.ts'
import type { FieldDiff, PageDiff } from './schema.ts'

/** What a difference needs to know of a conflict; the paths are those of the merge, see `merge/conflict.ts`. */
interface ConflictParts {
  readonly id: string
  readonly blockId?: string
  readonly path?: string
  readonly ours?: unknown
  readonly theirs?: unknown
}

/** Returns the diff of a page whose values name their conflicts; `blocks` are those of the draft, for positions of rows. */
export function withConflicts(
  page: PageDiff,
  conflicts: readonly ConflictParts[],
  blocks: readonly Block[],
): PageDiff {
  const byBlock = Map.groupBy(conflicts, ({ blockId }) => blockId)
  const ofPage = byBlock.get(undefined) ?? []
  const whole = ofPage.filter(({ path }) => path === undefined)
  // Of blocks with one id, the first has the rows.
  const drafted = new Map(blocks.toReversed().map((block) => [block.id, block]))
  const findIn = cached((id: string) =>
    conflictFinder([...(byBlock.get(id) ?? []), ...whole], drafted.get(id)?.props),
  )
  const blockDiffs = page.blockDiffs.map((block) =>
    block.fieldDiffs ? { ...block, fieldDiffs: withIds(block.fieldDiffs, findIn(block.blockId)) } : block,
  )
  const inMeta = (path: string): string => (path.startsWith('[') ? `meta${path}` : `meta.${path}`)
  const findInPage = conflictFinder(ofPage)
  const metaDiffs = page.metaDiffs && withIds(page.metaDiffs, (path) => findInPage(inMeta(path)))
  return { ...page, blockDiffs, ...(metaDiffs && { metaDiffs }) }
}

/** Returns differences of the site config with the ids of the conflicts about their values. */
export const marked = (diffs: readonly FieldDiff[], conflicts: readonly ConflictParts[]): FieldDiff[] =>
  withIds(diffs, conflictFinder(conflicts))

type ConflictFinder = (path: string) => string | undefined

const withIds = (diffs: readonly FieldDiff[], find: ConflictFinder): FieldDiff[] =>
  diffs.map((diff) => {
    const id = find(diff.path)
    return id === undefined ? diff : { ...diff, conflict: id }
  })

/** Returns a function that finds the first conflict about a path; `props` are those of the draft. */
function conflictFinder(conflicts: readonly ConflictParts[], props?: unknown): ConflictFinder {
  const places = nestedPlaces<string>()
  for (const conflict of conflicts)
    for (const place of placesOf(conflict, props)) places.add(keysIn(place), conflict.id)
  return (path) => places.find(keysIn(path))
}

/** The keys of a path in its block, or page, which is around all of them. */
const keysIn = (path: string): readonly string[] => (path === '' ? [''] : ['', ...keysOfPath(path)])

function cached<T>(make: (key: string) => T): (key: string) => T {
  const made = new Map<string, T>()
  return (key) => {
    const value = made.get(key) ?? make(key)
    made.set(key, value)
    return value
  }
}

/** A step of the path of a conflict: a name, or a row by its key, or the run of rows behind one. */
const step = /\.?([^.[\]]+)|\[("(?:[^"\\]|\\.)*")\]|\[(id|after)=("(?:[^"\\]|\\.)*"|[^\]"]+)\]/gy

/** The places of the rows of a list by their keys; of a key that is used twice, the first. */
const placesByKey = perObject(
  (rows: readonly unknown[]): ReadonlyMap<unknown, number> =>
    new Map(rows.map((row, at) => [isPlainObject(row) ? rowKey(row) : undefined, at] as const).toReversed()),
)

/** Returns the paths of a conflict by positions: several for a run of rows, none for rows that are not in the draft. */
function placesOf({ path = '', ours, theirs }: ConflictParts, props: unknown): readonly string[] {
  // Keys of a block beside its props are in no diff.
  if (path.startsWith('.')) return []
  let place = ''
  let value = props
  for (const [text, name, quoted, kind, key] of path.matchAll(step)) {
    if (kind === undefined) {
      place += text
      value = isPlainObject(value) ? ownValue(value, name ?? JSON.parse(String(quoted))) : undefined
      continue
    }
    const rows: readonly unknown[] = Array.isArray(value) ? value : []
    const wanted: unknown = JSON.parse(String(key))
    const at = placesByKey(rows).get(wanted) ?? -1
    if (at === -1 && wanted !== null) return []
    if (kind === 'after') {
      const length = Math.max(...[ours, theirs].map((side) => [side].flat().length))
      return Array.from({ length }, (_, index) => `${place}[${at + 1 + index}]`)
    }
    place += `[${at}]`
    value = rows[at]
  }
  return [place]
}
