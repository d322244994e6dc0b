import { perObject } from '../../content/plain-object.ts'
import type { Language, WordClass } from '../language/language.ts'
import { type PhraseTable, toPhraseTable } from '../message/phrases.ts'
import type { Token } from '../message/tokens.ts'
import type { NameKind } from './names.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Parser state for one message. */
export interface Parser {
  readonly message: string
  readonly tokens: readonly Token[]
  readonly language: Language
  readonly vocabulary: Vocabulary
  readonly names: PhraseTable<NameKind>
  /** Cache of the word classes at each token, with the ends of the phrases. */
  readonly words: (ReadonlyMap<string, readonly number[]> | undefined)[]
  /** Steps left; a message that needs more fails. */
  readonly budget: { steps: number }
}

/** Thrown when the step budget is used up. */
export class TooManySteps extends Error {
  override readonly name = 'TooManySteps'
}

export function step({ budget }: Parser): void {
  budget.steps -= 1
  if (budget.steps < 0) throw new TooManySteps('The message takes too many steps to read.')
}

const tableOf = perObject(({ words }: Language) =>
  toPhraseTable(Object.entries(words).flatMap(([name, phrases]) => phrases.map((phrase) => [phrase, name] as const))))
const noEnds: readonly number[] = []

/** The ends of phrases of a word class that begin at a token, longest first. */
export function ends(parser: Parser, at: number, name: WordClass): readonly number[] {
  const found = parser.words[at] ?? wordsAt(parser, at)
  parser.words[at] = found
  return found.get(name) ?? noEnds
}

/** The word classes of phrases that begin at a token, with the ends of the phrases. */
function wordsAt({ tokens, language }: Pick<Parser, 'tokens' | 'language'>, at: number): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>()
  for (const { values, end } of tableOf(language).find(tokens, at)) {
    for (const name of values) {
      const known = found.get(name)
      if (known) known.push(end)
      else found.set(name, [end])
    }
  }
  return found
}

export const isWord = (parser: Parser, at: number, name: WordClass): boolean => ends(parser, at, name).includes(at + 1)

/** The positions of words of a class in a token range. */
export const wordsBetween = (parser: Parser, start: number, end: number, name: WordClass): readonly number[] =>
  Array.from({ length: end - start }, (_, index) => start + index).filter((at) => isWord(parser, at, name))

const skippable = ['connector', 'filler', 'leadIn', 'polite'] as const

/** The position after connectors and filler words. */
export function skipConnectors(parser: Parser, at: number): number {
  let next = at
  for (;;) {
    const [end] = (next === at ? ['connector'] as const : skippable).flatMap((name) => ends(parser, next, name))
    if (end === undefined) return next
    next = end
  }
}

/** Creates a memo table per parser. */
export function createMemo<T>(): (parser: Parser, key: string, read: () => T) => T {
  const memoOf = perObject<Parser, Map<string, T>>(() => new Map())
  return (parser, key, read) => {
    const memo = memoOf(parser)
    const made = memo.get(key) ?? read()
    memo.set(key, made)
    return made
  }
}

/** The source text of a token range. */
export function textBetween({ message, tokens }: Parser, start: number, end: number): string {
  return message.slice(tokens[start]?.start ?? 0, tokens[end - 1]?.end ?? 0).replace(/\s+/g, ' ').trim()
}
