import type { Noun } from '../frame/nouns.ts'
import type { Place } from '../frame/places.ts'
import { ask } from '../work/ask.ts'
import type { Work } from '../work/work.ts'
import { choose } from './choose.ts'

/** The blocks of a page or rows of a list, without the one that moves. */
export interface Order {
  readonly count: number
  /** The current index; absent for something new. */
  readonly current?: number
  /** The index of an anchor among the others. */
  indexOf(anchor: Noun): number
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
    case 'rise': case 'sink': return rise(work, place, order)
    case 'up': case 'down': return current === undefined ? ask(texts.noSuchPlace) : steps(work, current, (place.form === 'up' ? -1 : 1) * n, count)
  }
}

/** `up` may mean one step or to the edge; asks when these differ. */
function rise(work: Work, { form, start, end }: Place, { count, current }: Order): number {
  const way = form === 'rise' ? 'rise' : 'sink'
  const edge = way === 'rise' ? 0 : count
  if (current === undefined) return edge
  const step = steps(work, current, way === 'rise' ? -1 : 1, count)
  if (step === edge) return edge
  const { texts, language } = work.context
  return choose(work, { kind: 'name', start, end, text: '', cost: 0 }, [{ id: 'edge', index: edge }, { id: 'step', index: step }] as const, {
    toChoice: ({ id }) => ({ id, label: language.ways[way][id], words: language.ways[way][id] }), question: () => texts.howFar,
  }).index
}

/** A single step over the edge changes nothing; asks for more steps than there are. */
function steps(work: Work, current: number, by: number, count: number): number {
  const index = current + by
  if (index >= 0 && index <= count) return index
  return Math.abs(by) === 1 ? current : ask(work.context.texts.noSuchPlace)
}
