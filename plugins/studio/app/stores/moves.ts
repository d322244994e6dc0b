/** Which blocks of a page moved: as few as possible, so that one block that moved is one move. */
import type { Answer } from '../service.ts'

type BlockDiff = Answer<'GET /publish/diff'>['pages'][number]['blockDiffs'][number]

export interface Move {
  /** The places on the page, from 1 on. */
  readonly from: number
  readonly to: number
}

/** Whether the log names blocks of a type as moved. */
export type IsNamed = (type: string) => boolean
const none: IsNamed = () => false

/** A sentence of the log without what it says of an undo. */
const sentence = (summary: string): string => summary.toLowerCase().replace(/^(?:undo|redo) of /, '')

/** Whether one of the sentences of the log begins with the move of a block of this name. */
export const hasMoveOf =
  (summaries: readonly string[]) =>
  (name: string): boolean =>
    summaries.some((summary) => sentence(summary).startsWith(`${name.toLowerCase()} moved on `))

/**
 * Returns the moves by the ids of the blocks. Blocks between two moves keep their order, and are not moved. Where
 * either of two blocks may have moved past the other, it is the one that the log names.
 */
export function movesIn(blocks: readonly BlockDiff[], isNamed: IsNamed = none): ReadonlyMap<string, Move> {
  const now = blocks
    .flatMap(({ blockId, type, positionBefore: before, positionAfter: after }) =>
      before === undefined || after === undefined ? [] : [{ blockId, type, before, after }],
    )
    .toSorted((a, b) => a.after - b.after)
  const stays = longestRising(
    now.map(({ before }) => before),
    now.map(({ type }) => isNamed(type)),
  )
  return new Map(
    now.flatMap(({ blockId, before, after }, at) =>
      stays.has(at) ? [] : [[blockId, { from: before + 1, to: after + 1 }]],
    ),
  )
}

/** The blocks that a person sees as changed: one that others were moved past is not. */
export function changedIn(blocks: readonly BlockDiff[], isNamed?: IsNamed): readonly BlockDiff[] {
  const moves = movesIn(blocks, isNamed)
  return blocks.filter(
    ({ blockId, status }) => moves.has(blockId) || (status !== 'unchanged' && status !== 'moved'),
  )
}

/** Returns the positions of a longest rising subsequence; of several, one with few avoided ones. */
export function longestRising(
  numbers: readonly number[],
  isAvoided: readonly boolean[] = [],
): ReadonlySet<number> {
  /** The worth of the best subsequence that ends at each position, and the position before in it. */
  const worths: number[] = []
  const previous: (number | undefined)[] = []
  const avoided = 1 - 1 / (numbers.length + 1)
  numbers.forEach((number, at) => {
    let best: number | undefined
    let worth = 0
    for (let end = 0; end < at; end += 1) {
      if ((numbers[end] ?? 0) > number || (worths[end] ?? 0) < worth) continue
      best = end
      worth = worths[end] ?? 0
    }
    worths[at] = worth + (isAvoided[at] ? avoided : 1)
    previous[at] = best
  })
  const chosen = new Set<number>()
  const last = worths.lastIndexOf(Math.max(...worths))
  for (let at: number | undefined = last; at !== undefined && at >= 0; at = previous[at]) chosen.add(at)
  return chosen
}

const plural = new Intl.PluralRules('en', { type: 'ordinal' })
const endings: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd', other: 'th' }

/** A place as a word, such as `4th`. */
export const ordinal = (place: number): string => `${place}${endings[plural.select(place)]}`
