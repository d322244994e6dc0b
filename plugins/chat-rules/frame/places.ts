import { createMemo, ends, type Ground } from './ground.ts'
import { isBeside, type Noun, nounsAt, numberAt } from './nouns.ts'

/** Where something goes, as far as the words tell. */
export interface Place {
  readonly form: 'front' | 'end' | 'before' | 'after' | 'between' | 'nth' | 'up' | 'down' | 'rise' | 'sink'
  /** Where the words begin: an answer to a question is kept under it. */
  readonly start: number
  readonly end: number
  readonly anchor?: Noun
  readonly other?: Noun
  readonly n?: number
}

const remember = createMemo<readonly Place[]>()

/** Every place that words may say: `at the top`, `right after the hero`, `between A and B`, `two places down`, `to position 3`. */
export function placesAt(ground: Ground, start: number): readonly Place[] {
  return remember(ground, String(start), () => nearEnds(ground, start).flatMap((at) => [
    ...edges(ground, start, at), ...beside(ground, start, at), ...between(ground, start, at), ...steps(ground, start, at), ...counted(ground, start, at),
  ]))
}

/** Words such as `just` and `up so that it sits right` may stand in front of a place. */
const nearEnds = (ground: Ground, start: number): readonly number[] => {
  const near = ends(ground, start, 'near')
  return [...new Set([start, ...near, ...near.flatMap((at) => ends(ground, at, 'near'))])]
}

const edges = (ground: Ground, start: number, at: number): readonly Place[] => [
  ...ends(ground, at, 'front').map((end): Place => ({ form: 'front', start, end })),
  ...ends(ground, at, 'end').map((end): Place => ({ form: 'end', start, end })),
]

const beside = (ground: Ground, start: number, at: number): readonly Place[] => (['before', 'after'] as const).flatMap((form) =>
  ends(ground, at, form).flatMap((end) => nounsAt(ground, end)).filter(({ isNew }) => !isNew).map((anchor): Place => ({ form, start, end: anchor.end, anchor })))

const between = (ground: Ground, start: number, at: number): readonly Place[] => ends(ground, at, 'between').flatMap((end) => nounsAt(ground, end))
  .flatMap((anchor) => ends(ground, anchor.end, 'and').flatMap((end) => nounsAt(ground, end))
    .map((other): Place => ({ form: 'between', start, end: other.end, anchor, other })))

/** One step or more: `up`, `two down`, `up by one place`, `one position higher`. */
function steps(ground: Ground, start: number, at: number): readonly Place[] {
  const ways = [['up', 'up'], ['down', 'down']] as const
  const n = numberAt(ground, at)
  const counts = n === undefined ? [] : [{ n, end: at + 1 }, ...ends(ground, at + 1, 'steps').map((end) => ({ n, end }))]
  const first = counts.flatMap((count) => ways.flatMap(([form, name]) => ends(ground, count.end, name).map((end): Place => ({ form, start, end, n: count.n }))))
  const second = ways.flatMap(([form, name]) => ends(ground, at, name).flatMap((end): readonly Place[] => {
    const by = ['by', 'um'].includes(ground.tokens[end]?.word ?? '') ? end + 1 : end
    const behind = numberAt(ground, by)
    const all = behind === undefined ? [] : [by + 1, ...ends(ground, by + 1, 'steps')].map((last): Place => ({ form, start, end: last, n: behind }))
    return [{ form, start, end }, ...all]
  }))
  return [...first, ...second, ...ends(ground, at, 'upMost').map((end): Place => ({ form: 'rise', start, end }))]
}

/** A place by its number: `second`, `as the second section`, `to position 3`, `as section 3`. */
function counted(ground: Ground, start: number, at: number): readonly Place[] {
  const { tokens, language: { ordinals } } = ground
  const numbered = ends(ground, at, 'places').flatMap((end) => {
    const n = numberAt(ground, end)
    return n === undefined ? [] : [{ form: 'nth' as const, start, end: end + 1, n }]
  })
  const froms = [at, ...(isBeside(ground, at) ? [] : (['to', 'in', 'as'] as const).flatMap((name) => ends(ground, at, name)))]
  const ordered = froms.flatMap((from) => [from, ...ends(ground, from, 'the')]).flatMap((place): readonly Place[] => {
    const word = tokens[place]?.word ?? ''
    const n = Object.hasOwn(ordinals, word) ? ordinals[word] : undefined
    if (n === undefined) return []
    const rows = ground.vocabulary.rows.find(tokens, place + 1).map(({ end }) => end)
    return [place + 1, ...ends(ground, place + 1, 'position'), ...rows].map((end): Place => ({ form: 'nth', start, end, n }))
  })
  return [...numbered, ...ordered]
}
