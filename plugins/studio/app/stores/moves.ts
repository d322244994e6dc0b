/** Which blocks of a page moved: as few as possible, so that one block that moved is one move. */
import type { Answer } from '../service.ts'

type BlockDiff = Answer<'GET /publish/diff'>['pages'][number]['blockDiffs'][number]

export interface Move {
  /** The places among the blocks that are on both sides, from 1 on. */
  readonly from: number
  readonly to: number
}

/** Returns the moves by the ids of the blocks. Blocks between two moves keep their order, and are not moved. */
export function movesIn(blocks: readonly BlockDiff[]): ReadonlyMap<string, Move> {
  const both = blocks.flatMap(({ blockId, positionBefore, positionAfter }) =>
    positionBefore === undefined || positionAfter === undefined
      ? []
      : [{ blockId, before: positionBefore, after: positionAfter }],
  )
  const now = both.toSorted((a, b) => a.after - b.after)
  const before = both.toSorted((a, b) => a.before - b.before).map(({ blockId }) => blockId)
  const stays = longestRising(now.map(({ before }) => before))
  return new Map(
    now.flatMap(({ blockId }, at) =>
      stays.has(at) ? [] : [[blockId, { from: before.indexOf(blockId) + 1, to: at + 1 }]],
    ),
  )
}

/** The blocks that a person sees as changed: one that others were moved past is not. */
export function changedIn(blocks: readonly BlockDiff[]): readonly BlockDiff[] {
  const moves = movesIn(blocks)
  return blocks.filter(
    ({ blockId, status }) => moves.has(blockId) || (status !== 'unchanged' && status !== 'moved'),
  )
}

/** Returns the positions of a longest rising subsequence of different numbers. */
export function longestRising(numbers: readonly number[]): ReadonlySet<number> {
  /** The position of the lowest end of a rising subsequence of each length. */
  const ends: number[] = []
  const previous: (number | undefined)[] = []
  numbers.forEach((number, at) => {
    const found = ends.findIndex((end) => (numbers[end] ?? 0) >= number)
    const length = found === -1 ? ends.length : found
    previous[at] = ends[length - 1]
    ends[length] = at
  })
  const chosen = new Set<number>()
  for (let at = ends.at(-1); at !== undefined; at = previous[at]) chosen.add(at)
  return chosen
}

const plural = new Intl.PluralRules('en', { type: 'ordinal' })
const endings: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd', other: 'th' }

/** A place as a word, such as `4th`. */
export const ordinal = (place: number): string => `${place}${endings[plural.select(place)]}`
