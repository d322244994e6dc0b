import type { Pattern } from './pattern.ts'

/** What tells that a pattern matches nothing, before it is tried. */
export interface Clues {
  readonly first: FirstWords
  /** Of each of these sets one word has to be in the message. */
  readonly needs: readonly Words[]
}

type Words = ReadonlySet<string>

/** The words that what a pattern reads may begin with; `undefined` where it may be any. */
export type FirstWords = Words | undefined

/** What the clues of patterns depend on. */
export interface ClueGround {
  /** The first words of a word class; the same set for the same class. */
  ofClass(name: string): Words
  ofSlot(name: string): FirstWords
}

export const cluesOf = (pattern: Pattern, ground: ClueGround): Clues => ({ first: firstWordsOf(pattern, ground), needs: needsOf(pattern, ground) })

/** A choice needs nothing: one of its options may do without. */
function needsOf(pattern: Pattern, ground: ClueGround): readonly Words[] {
  switch (pattern.kind) {
    case 'word': return [new Set([pattern.word])]
    case 'class': return pattern.isRepeated ? [] : [ground.ofClass(pattern.name)]
    case 'sequence': return pattern.pieces.flatMap((piece) => needsOf(piece, ground))
    default: return []
  }
}

/** The words that a pattern may begin with. What may read nothing at all may begin with any. */
export function firstWordsOf(pattern: Pattern, ground: ClueGround): FirstWords {
  const { words, isEmpty } = startOf(pattern, ground)
  return isEmpty ? undefined : words
}

interface Start {
  readonly words: FirstWords
  /** Whether the pattern may read nothing, so that it begins with what comes after it. */
  readonly isEmpty: boolean
}

function startOf(pattern: Pattern, ground: ClueGround): Start {
  switch (pattern.kind) {
    case 'word': return { words: new Set([pattern.word]), isEmpty: false }
    case 'class': return { words: ground.ofClass(pattern.name), isEmpty: pattern.isRepeated }
    case 'slot': return { words: ground.ofSlot(pattern.name), isEmpty: false }
    case 'choice': {
      const options = pattern.options.map((option) => startOf(option, ground))
      return { words: union(options), isEmpty: options.some(({ isEmpty }) => isEmpty) }
    }
    case 'sequence': {
      const pieces = pattern.pieces.map((piece) => startOf(piece, ground))
      const last = pieces.findIndex(({ isEmpty }) => !isEmpty)
      return { words: union(last < 0 ? pieces : pieces.slice(0, last + 1)), isEmpty: last < 0 }
    }
  }
}

function union(starts: readonly Pick<Start, 'words'>[]): FirstWords {
  const all = new Set<string>()
  for (const { words } of starts) {
    if (!words) return undefined
    for (const word of words) all.add(word)
  }
  return all
}

/** Gives the rows that may begin with a word, in their order; each word is looked for once. */
export function byFirstWord<T extends { readonly first: FirstWords }>(rows: readonly T[]): (word: string) => readonly T[] {
  const anyway = rows.filter(({ first }) => !first)
  const words = new Set(rows.flatMap(({ first }) => [...(first ?? [])]))
  const known = new Map<string, readonly T[]>()
  return (word) => {
    if (!words.has(word)) return anyway
    const found = known.get(word) ?? rows.filter(({ first }) => !first || first.has(word))
    known.set(word, found)
    return found
  }
}
