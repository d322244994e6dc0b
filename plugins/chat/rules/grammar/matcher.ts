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
export function matchAll(ground: Ground, pattern: Pattern, at: number, parts: Parts = noParts): readonly Match[] {
  ground.step()
  switch (pattern.kind) {
    case 'word': return isWord(ground.tokens[at], pattern.word) ? [{ end: at + 1, parts }] : []
    case 'class': return classEnds(ground, pattern.name, at, pattern.isRepeated).map((end) => ({ end, parts }))
    case 'slot': return ground.slot(pattern.name, at)
      .map((node) => ({ end: node.end, parts: { ...parts, [pattern.key]: node } }))
    case 'choice': return pattern.options.flatMap((option) => matchAll(ground, option, at, parts))
    case 'sequence': return matchInOrder(ground, pattern.pieces, at, parts)
  }
}

function matchInOrder(
  ground: Ground, pieces: readonly Pattern[], at: number, parts: Parts,
): readonly Match[] {
  let matches: readonly Match[] = [{ end: at, parts }]
  for (const piece of pieces) {
    matches = matches.flatMap((match) => matchAll(ground, piece, match.end, match.parts))
    if (matches.length === 0) return matches
  }
  return matches
}

/** Nobody says more words of one class in a row. */
const mostRepeats = 3

function classEnds(ground: Ground, name: string, at: number, isRepeated: boolean, left = mostRepeats): readonly number[] {
  if (left === 0) return [at]
  const ends = phraseEnds(ground.tokens, ground.phrases(name), at)
  return isRepeated ? [...ends.flatMap((end) => classEnds(ground, name, end, true, left - 1)), at] : ends
}

/** The first few of the readings that end at the same place: lists of many members have endlessly many. */
export function withoutExcess<T extends { readonly end: number }>(readings: readonly T[]): readonly T[] {
  const counts = new Map<number, number>()
  return readings.filter(({ end }) => {
    const count = (counts.get(end) ?? 0) + 1
    counts.set(end, count)
    return count <= mostReadings
  })
}

const mostReadings = 4

/** Where phrases that begin at a token end, longest first. */
export function phraseEnds(tokens: readonly Token[], phrases: PhraseIndex, at: number): readonly number[] {
  const first = tokens[at]
  const candidates = first && first.kind !== 'quoted' ? (phrases.get(first.word) ?? []) : []
  return candidates
    .filter((words) => words.every((word, index) => isWord(tokens[at + index], word)))
    .map((words) => at + words.length)
}

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
