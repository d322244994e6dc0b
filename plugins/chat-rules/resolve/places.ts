import type { Noun } from '../frame/noun.ts'
import type { Place } from '../frame/places.ts'
import { sameJson } from '../../content/same-json.ts'
import { wordsBetween } from '../frame/parser.ts'
import type { WordClass } from '../language/language.ts'
import { ask } from '../work/ask.ts'
import type { Work } from '../work/work.ts'

/** The blocks of a page or rows of a list, without the one that moves. */
export interface Order {
  readonly count: number
  /** The current index; absent for something new. */
  readonly current?: number
  /** The index of an anchor among the others. */
  indexOf(anchor: Noun): number
}

type List = readonly [type: string, listKey: string]

/** Whether a numbered place is one among sections, or in a list: not `the first question`, or `the last page`. */
export function fitsPlace({ context: { parser } }: Work, { form, start, end }: Place, list?: List): boolean {
  if (!['nth', 'up', 'down'].includes(form)) return true
  const { tokens, vocabulary } = parser
  const has = (name: WordClass) => wordsBetween(parser, start, end, name).length > 0
  const rows = tokens.slice(start, end).flatMap((_, index) => vocabulary.rows.find(tokens, start + index))
    .flatMap(({ values }) => values).filter(({ lists }) => lists.length > 0)
  const isRow = rows.length === 0 || rows.some(({ lists }) => lists.some((own) => sameJson(own, list)))
  return isRow && !has('page') && !(list && has('unit'))
}

/** Resolves a place to an index among the others, from 0. */
export function placeIn(work: Work, place: Place, order: Order): number {
  const { count, current } = order
  const { anchor, other, n = 1 } = place
  const { texts } = work.context
  switch (place.form) {
    case 'front': return 0
    case 'end': return count
    case 'before': return anchor ? order.indexOf(anchor) : 0
    case 'after': return anchor ? order.indexOf(anchor) + 1 : count
    case 'between': {
      const [first, second] = [anchor, other].map((one) => (one ? order.indexOf(one) : 0))
      return Math.abs((first ?? 0) - (second ?? 0)) === 1 ? Math.max(first ?? 0, second ?? 0) : ask(texts.notNeighbours)
    }
    case 'nth': {
      const index = n < 0 ? count + 1 + n : n - 1
      return n === 0 || index < 0 || index > count ? ask(texts.noSuchPlace) : index
    }
    case 'up': case 'down': return current === undefined ? ask(texts.noSuchPlace) : steps(work, current, (place.form === 'up' ? -1 : 1) * n, count)
  }
}

/** A single step over the edge changes nothing; asks for more steps than there are. */
function steps(work: Work, current: number, by: number, count: number): number {
  const index = current + by
  if (index >= 0 && index <= count) return index
  return Math.abs(by) === 1 ? current : ask(work.context.texts.noSuchPlace)
}
