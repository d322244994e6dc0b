import type { Token } from '../message/tokens.ts'
import { noParts, type Node, type Parts } from './node.ts'
import type { Pattern } from './pattern.ts'

/** One way to read tokens by a pattern. */
export interface Match {
  readonly end: number
  readonly parts: Parts
}

/** Word sequences by their first word, longest first. */
export type PhraseIndex = ReadonlyMap<string, readonly (readonly string[])[]>

/** What a pattern is matched against. */
export interface Ground {
  readonly tokens: readonly Token[]
  phrases(className: string): PhraseIndex
  /** Every reading of a slot that begins at a token. */
  slot(name: string, at: number): readonly Node[]
  /** Counts a step; throws `TooManySteps` when there were too many. */
  step(): void
}

/** Thrown where a message has so many readings that looking for the right one would take too long. */
export class TooManySteps extends Error {
  override readonly name = 'TooManySteps'
}

/** Every way to read the tokens from a place on by a pattern; which comes first is the order of the pattern. */
export function matchAll(ground: Ground, pattern: Pattern, at: number): readonly Match[] {
  const found: Match[] = []
  match(ground, pattern, at, noParts, found)
  return found
}

/** Adds to what was found; most patterns match nothing, which has to cost next to nothing. */
function match(ground: Ground, pattern: Pattern, at: number, parts: Parts, found: Match[]): void {
  ground.step()
  switch (pattern.kind) {
    case 'word':
      if (isWord(ground.tokens[at], pattern.word)) found.push({ end: at + 1, parts })
      return
    case 'class':
      for (const end of classEnds(ground.tokens, ground.phrases(pattern.name), at, pattern.isRepeated ? mostRepeats : 1)) found.push({ end, parts })
      if (pattern.isRepeated) found.push({ end: at, parts })
      return
    case 'slot':
      for (const node of ground.slot(pattern.name, at)) found.push({ end: node.end, parts: { ...parts, [pattern.key]: node } })
      return
    case 'choice':
      for (const option of pattern.options) match(ground, option, at, parts, found)
      return
    case 'sequence':
      return matchInOrder(ground, pattern.pieces, 0, { end: at, parts }, found)
  }
}

function matchInOrder(ground: Ground, pieces: readonly Pattern[], index: number, before: Match, found: Match[]): void {
  const piece = pieces[index]
  if (!piece) return void found.push(before)
  const matches: Match[] = []
  match(ground, piece, before.end, before.parts, matches)
  for (const next of matches) matchInOrder(ground, pieces, index + 1, next, found)
}

/** Nobody says more words of one class in a row. */
const mostRepeats = 3

/** Where up to so many phrases in a row end, the most of them first. */
function classEnds(tokens: readonly Token[], phrases: PhraseIndex, at: number, most: number): readonly number[] {
  const ends = phraseEnds(tokens, phrases, at)
  return most === 1 || ends.length === 0 ? ends : ends.flatMap((end) => [...classEnds(tokens, phrases, end, most - 1), end])
}

/** The first few of the readings that end at the same place: lists of many members have endlessly many. */
export function withoutExcess<T extends { readonly end: number }>(readings: readonly T[]): readonly T[] {
  const counts = new Map<number, number>()
  return readings.filter(({ end }) => {
    const count = (counts.get(end) ?? 0) + 1
    counts.set(end, count)
    return count <= mostReadings
  }).slice(0, mostInAll)
}

const mostReadings = 4
/** Longer lists are read in part: nobody means them. */
const mostInAll = 60

/** Where phrases that begin at a token end, longest first. */
export function phraseEnds(tokens: readonly Token[], phrases: PhraseIndex, at: number): readonly number[] {
  const first = tokens[at]
  const candidates = first && first.kind !== 'quoted' ? phrases.get(first.word) : undefined
  if (!candidates) return none
  return candidates
    .filter((words) => words.every((word, index) => isWord(tokens[at + index], word)))
    .map((words) => at + words.length)
}

const none: readonly number[] = []

const isWord = (token: Token | undefined, word: string) => token?.word === word && token.kind !== 'quoted'

/** Sorts phrases for looking them up. */
export function indexPhrases(phrases: Iterable<string>): PhraseIndex {
  const index = new Map<string, (readonly string[])[]>()
  for (const phrase of new Set(phrases)) {
    const words = phrase.split(' ')
    const [first = ''] = words
    index.set(first, [...(index.get(first) ?? []), words])
  }
  for (const list of index.values()) list.sort((a, b) => b.length - a.length)
  return index
}
