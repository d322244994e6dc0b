import { rowKey } from '../items.ts'
import type { Block } from '../model.ts'
import { isPlainObject, ownValue } from '../plain-object.ts'
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
  const ofPage = conflicts.filter(({ blockId }) => blockId === undefined)
  const whole = ofPage.filter(({ path }) => path === undefined)
  const blockDiffs = page.blockDiffs.map((block) => {
    const own = conflicts.filter(({ blockId }) => blockId === block.blockId)
    const props = blocks.find(({ id }) => id === block.blockId)?.props
    return block.fieldDiffs
      ? { ...block, fieldDiffs: marked(block.fieldDiffs, [...own, ...whole], props) }
      : block
  })
  const inMeta = (path: string): string => (path.startsWith('[') ? `meta${path}` : `meta.${path}`)
  const metaDiffs = page.metaDiffs && marked(page.metaDiffs, ofPage, undefined, inMeta)
  return { ...page, blockDiffs, ...(metaDiffs && { metaDiffs }) }
}

/** Returns differences with the ids of the conflicts about their values; `toPath` turns their paths into those of conflicts. */
export function marked(
  diffs: readonly FieldDiff[],
  conflicts: readonly ConflictParts[],
  props?: unknown,
  toPath = (path: string): string => path,
): FieldDiff[] {
  const places = conflicts.flatMap((conflict) =>
    placesOf(conflict, props).map((place) => ({ id: conflict.id, place })),
  )
  return diffs.map((diff) => {
    const path = toPath(diff.path)
    const id = places.find(({ place }) => contains(place, path) || contains(path, place))?.id
    return id === undefined ? diff : { ...diff, conflict: id }
  })
}

const contains = (outer: string, inner: string): boolean =>
  outer === '' || (inner.startsWith(outer) && [undefined, '.', '['].includes(inner[outer.length]))

/** A step of the path of a conflict: a name, or a row by its key, or the run of rows behind one. */
const step = /\.?([^.[\]]+)|\[("(?:[^"\\]|\\.)*")\]|\[(id|after)=("(?:[^"\\]|\\.)*"|[^\]"]+)\]/gy

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
    const rows = [value].flat()
    const wanted: unknown = JSON.parse(String(key))
    const at = rows.findIndex((row) => isPlainObject(row) && rowKey(row) === wanted)
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
