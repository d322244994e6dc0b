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

/** A pattern in which each step knows what comes after it. */
export type Step =
  | { readonly kind: 'word'; readonly word: string; readonly next: Step }
  | { readonly kind: 'class'; readonly name: string; readonly isRepeated: boolean; readonly next: Step }
  | { readonly kind: 'slot'; readonly name: string; readonly key: string; readonly next: Step }
  | { readonly kind: 'choice'; readonly options: readonly Step[] }
  | { readonly kind: 'end' }

/** Gives the first step of a pattern. */
export function stepsOf(pattern: Pattern, next: Step = { kind: 'end' }): Step {
  switch (pattern.kind) {
    case 'sequence': return pattern.pieces.reduceRight((after, piece) => stepsOf(piece, after), next)
    case 'choice': return { kind: 'choice', options: pattern.options.map((option) => stepsOf(option, next)) }
    default: return { ...pattern, next }
  }
}

/** Every way to read the tokens from a place on by a pattern; which comes first is the order of the pattern. */
export function matchAll(ground: Ground, first: Step, at: number): readonly Match[] {
  const found: Match[] = []
  follow(ground, first, at, noParts, found)
  return found
}

/** Adds to what was found; most patterns match nothing, which has to cost next to nothing. */
function follow(ground: Ground, step: Step, at: number, parts: Parts, found: Match[]): void {
  ground.step()
  switch (step.kind) {
    case 'word':
      if (isWord(ground.tokens[at], step.word)) follow(ground, step.next, at + 1, parts, found)
      return
    case 'class':
      for (const end of classEnds(ground.tokens, ground.phrases(step.name), at, step.isRepeated ? mostRepeats : 1)) follow(ground, step.next, end, parts, found)
      if (step.isRepeated) follow(ground, step.next, at, parts, found)
      return
    case 'slot':
      for (const node of ground.slot(step.name, at)) follow(ground, step.next, node.end, { ...parts, [step.key]: node }, found)
      return
    case 'choice':
      for (const option of step.options) follow(ground, option, at, parts, found)
      return
    case 'end':
      found.push({ end: at, parts })
  }
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
  if (readings.length <= mostReadings) return readings
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
  const ends: number[] = []
  for (const words of candidates) if (isPhrase(tokens, at, words)) ends.push(at + words.length)
  return ends
}

const isPhrase = (tokens: readonly Token[], at: number, words: readonly string[]): boolean => words.every((word, index) => isWord(tokens[at + index], word))

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
