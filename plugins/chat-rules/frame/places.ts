import { createMemo, ends, type Parser } from './parser.ts'
import type { Noun } from './noun.ts'
import { isRelativePosition, nounsAt, numberAt } from './nouns.ts'

/** A parsed position phrase, not yet resolved against the draft. */
export interface Place {
  readonly form: 'front' | 'end' | 'before' | 'after' | 'between' | 'nth' | 'up' | 'down'
  readonly start: number
  readonly end: number
  readonly anchor?: Noun
  readonly other?: Noun
  readonly n?: number
}

const remember = createMemo<readonly Place[]>()

/** All position phrases: `at the top`, `right after the hero`, `between A and B`, `two places down`, `to position 3`. */
export function placesAt(parser: Parser, start: number): readonly Place[] {
  return remember(parser, String(start), () => nearEnds(parser, start).flatMap((at) => [
    ...edges(parser, start, at), ...relative(parser, start, at), ...between(parser, start, at), ...steps(parser, start, at), ...numbered(parser, start, at),
  ]))
}

/** Skips words such as `just` and `up so that it sits right` before a position. */
const nearEnds = (parser: Parser, start: number): readonly number[] => {
  const near = ends(parser, start, 'near')
  return [...new Set([start, ...near, ...near.flatMap((at) => ends(parser, at, 'near'))])]
}

const edges = (parser: Parser, start: number, at: number): readonly Place[] => [
  ...ends(parser, at, 'front').map((end): Place => ({ form: 'front', start, end })),
  ...ends(parser, at, 'end').map((end): Place => ({ form: 'end', start, end })),
]

const relative = (parser: Parser, start: number, at: number): readonly Place[] => (['before', 'after'] as const).flatMap((form) =>
  ends(parser, at, form).flatMap((end) => nounsAt(parser, end)).filter(({ isNew }) => !isNew).map((anchor): Place => ({ form, start, end: anchor.end, anchor })))

const between = (parser: Parser, start: number, at: number): readonly Place[] => ends(parser, at, 'between').flatMap((end) => nounsAt(parser, end))
  .flatMap((anchor) => ends(parser, anchor.end, 'and').flatMap((end) => nounsAt(parser, end))
    .map((other): Place => ({ form: 'between', start, end: other.end, anchor, other })))

/** A number of steps: `up`, `two down`, `up by one place`, `one position higher`. */
function steps(parser: Parser, start: number, at: number): readonly Place[] {
  const directions = [['up', 'up'], ['down', 'down']] as const
  const n = numberAt(parser, at)
  const counts = n === undefined ? [] : [{ n, end: at + 1 }, ...ends(parser, at + 1, 'steps').map((end) => ({ n, end }))]
  const first = counts.flatMap((count) => directions.flatMap(([form, name]) => ends(parser, count.end, name).map((end): Place => ({ form, start, end, n: count.n }))))
  const second = directions.flatMap(([form, name]) => ends(parser, at, name).flatMap((end): readonly Place[] => {
    const by = ['by', 'um'].includes(parser.tokens[end]?.word ?? '') ? end + 1 : end
    const behind = numberAt(parser, by)
    const all = behind === undefined ? [] : [by + 1, ...ends(parser, by + 1, 'steps')].map((last): Place => ({ form, start, end: last, n: behind }))
    return [{ form, start, end }, ...all]
  }))
  return [...first, ...second]
}

/** A numbered position: `second`, `as the second section`, `to position 3`, `as section 3`. */
function numbered(parser: Parser, start: number, at: number): readonly Place[] {
  const { tokens, language: { ordinals } } = parser
  const positions = ends(parser, at, 'places').flatMap((end) => {
    const n = numberAt(parser, end)
    return n === undefined ? [] : [{ form: 'nth' as const, start, end: end + 1, n }]
  })
  const prepositions = isRelativePosition(parser, at) ? [] : (['to', 'in', 'as'] as const)
  const froms = [at, ...prepositions.flatMap((name) => ends(parser, at, name))]
  const ordered = froms.flatMap((from) => [from, ...ends(parser, from, 'the')]).flatMap((place): readonly Place[] => {
    const word = tokens[place]?.word ?? ''
    const n = Object.hasOwn(ordinals, word) ? ordinals[word] : undefined
    if (n === undefined) return []
    const rows = parser.vocabulary.rows.find(tokens, place + 1).map(({ end }) => end)
    return [place + 1, ...ends(parser, place + 1, 'position'), ...rows].map((end): Place => ({ form: 'nth', start, end, n }))
  })
  return [...positions, ...ordered]
}
