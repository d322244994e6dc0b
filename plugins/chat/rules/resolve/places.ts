import { Ask } from '../ask.ts'
import type { Node } from '../grammar/node.ts'
import type { Work } from '../work.ts'
import { choose } from './references.ts'

/** What a place is counted among: blocks of a page, or rows of a list, without what is to be placed. */
export interface Order<T> {
  readonly others: readonly T[]
  /** Where the thing stands now; absent for something new. */
  readonly current?: number
  /** The place of an anchor among the others. */
  indexOf(anchor: Node): number
}

/** Where something is to stand among the others, from 0. */
export function placeIn<T>(work: Work, place: Node, order: Order<T>): number {
  const { at, a, b, ord, n } = place.parts
  const { others, indexOf } = order
  const { texts } = work.scene
  switch (place.form) {
    case 'front': return 0
    case 'end': return others.length
    case 'before': return at ? indexOf(at) : 0
    case 'after': return at ? indexOf(at) + 1 : others.length
    case 'between': return a && b ? between(work, indexOf(a), indexOf(b)) : 0
    case 'rise': return rise(work, place, order, 'rise')
    case 'sink': return rise(work, place, order, 'sink')
    case 'nth': return nth(work, ord?.number ?? n?.number ?? 0, others.length)
    default: {
      if (order.current === undefined) throw new Ask({ question: texts.noSuchPlace })
      return steps(work, order.current, (place.form === 'up' ? -1 : 1) * (n?.number ?? 1), others.length)
    }
  }
}

function between(work: Work, first: number, second: number): number {
  if (Math.abs(first - second) !== 1) throw new Ask({ question: work.scene.texts.notNeighbours })
  return Math.max(first, second)
}

function nth(work: Work, n: number, count: number): number {
  const index = n < 0 ? count + 1 + n : n - 1
  if (n === 0 || index < 0 || index > count) throw new Ask({ question: work.scene.texts.noSuchPlace })
  return index
}

/** Words that mean one step as well as all the way to the edge; asks where that is not the same. */
function rise<T>(work: Work, place: Node, { others, current }: Order<T>, way: 'rise' | 'sink'): number {
  const edge = way === 'rise' ? 0 : others.length
  if (current === undefined) return edge
  const step = steps(work, current, way === 'rise' ? -1 : 1, others.length)
  const { texts, lexicon } = work.scene
  if (step === edge) return edge
  const ways = [{ id: 'edge', index: edge }, { id: 'step', index: step }] as const
  return choose(work, place, ways, {
    toChoice: ({ id }) => {
      const words = lexicon.ways[way][id]
      return { id, label: words, words }
    },
    inquiry: () => ({ question: texts.howFar }),
  }).index
}

/** One step over the edge changes nothing; more is asked back. */
function steps(work: Work, current: number, by: number, count: number): number {
  const index = current + by
  if (index >= 0 && index <= count) return index
  if (Math.abs(by) === 1) return current
  throw new Ask({ question: work.scene.texts.noSuchPlace })
}
