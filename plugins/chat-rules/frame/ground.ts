import { perObject } from '../../content/plain-object.ts'
import type { Language, WordClass } from '../language/language.ts'
import { type PhraseTable, toPhraseTable } from '../message/phrases.ts'
import type { Token } from '../message/tokens.ts'
import type { NameKind } from './names.ts'
import type { Vocabulary } from './vocabulary.ts'

/** What a message is read with. */
export interface Ground {
  readonly message: string
  readonly tokens: readonly Token[]
  readonly language: Language
  readonly vocabulary: Vocabulary
  readonly names: PhraseTable<NameKind>
  /** The classes that words at a token belong to, as far as they were asked for. */
  readonly words: (ReadonlyMap<string, readonly number[]> | undefined)[]
  /** Steps that are left; a message that needs more is not understood. */
  readonly budget: { steps: number }
}

/** Thrown when a message would take too long to read. */
export class TooManySteps extends Error {
  override readonly name = 'TooManySteps'
}

export function step({ budget }: Ground): void {
  budget.steps -= 1
  if (budget.steps < 0) throw new TooManySteps('The message takes too many steps to read.')
}

const tableOf = perObject(({ words }: Language) =>
  toPhraseTable(Object.entries(words).flatMap(([name, phrases]) => phrases.map((phrase) => [phrase, name] as const))))
const noEnds: readonly number[] = []

/** Where words of a class end that begin at a token, longest first. */
export function ends(ground: Ground, at: number, name: WordClass): readonly number[] {
  const found = ground.words[at] ?? wordsAt(ground, at)
  ground.words[at] = found
  return found.get(name) ?? noEnds
}

/** Every class that words at a token belong to, and where these words end. */
function wordsAt({ tokens, language }: Pick<Ground, 'tokens' | 'language'>, at: number): ReadonlyMap<string, readonly number[]> {
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

export const isWord = (ground: Ground, at: number, name: WordClass): boolean => ends(ground, at, name).includes(at + 1)

const little = ['connector', 'filler', 'leadIn', 'polite'] as const

/** The place behind connectors and little words. */
export function behind(ground: Ground, at: number): number {
  let next = at
  for (;;) {
    const [end] = (next === at ? ['connector'] as const : little).flatMap((name) => ends(ground, next, name))
    if (end === undefined) return next
    next = end
  }
}

/** Remembers what was read of a message, so that it is read once. */
export function createMemo<T>(): (ground: Ground, key: string, read: () => T) => T {
  const memoOf = perObject<Ground, Map<string, T>>(() => new Map())
  return (ground, key, read) => {
    const memo = memoOf(ground)
    const made = memo.get(key) ?? read()
    memo.set(key, made)
    return made
  }
}

/** The message from one token up to another, as it was written. */
export function textBetween({ message, tokens }: Ground, start: number, end: number): string {
  return message.slice(tokens[start]?.start ?? 0, tokens[end - 1]?.end ?? 0).replace(/\s+/g, ' ').trim()
}
