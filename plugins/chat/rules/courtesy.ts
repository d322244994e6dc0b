import { indexPhrases, phraseEnds, type PhraseIndex } from './grammar/matcher.ts'
import type { Courtesies, Lexicon } from './lexicon/lexicon.ts'
import { tokensOf } from './message/tokens.ts'

/** What a message is that says nothing but something friendly. */
export type Courtesy = 'thanks' | 'greeting' | 'farewell'

/** Nobody says more words than these to be friendly. */
const mostWords = 12

/** Tells what a friendly message is; `undefined` for a message that says anything else as well. Praise counts as thanks. */
export function courtesyIn(message: string, lexicon: Lexicon): Courtesy | undefined {
  const tokens = tokensOf(message, lexicon.typos)
  const words = tokens.filter(({ kind }) => kind !== 'sign')
  if (words.length === 0) return isCheering.test(message) ? 'thanks' : undefined
  if (words.length > mostWords) return undefined
  const said = new Set<keyof Courtesies>()
  for (let at = 0; at < words.length;) {
    const [found] = indexesFor(lexicon).map(({ kind, index }) => ({ kind, end: phraseEnds(words, index, at)[0] ?? at })).toSorted((a, b) => b.end - a.end)
    if (!found || found.end === at) return undefined
    said.add(found.kind)
    at = found.end
  }
  if (said.has('farewells')) return 'farewell'
  if (said.has('thanks')) return 'thanks'
  if (said.has('greetings')) return 'greeting'
  return said.has('praise') && !tokens.some(({ word }) => word === '?') ? 'thanks' : undefined
}

const isCheering = /^(?:👍|👏|🙏|🎉|❤|💯|🙌|👌|😀|😃|😄|😊|🙂|😍|🥳|\p{Emoji_Modifier}|\u{fe0f}|\s)+$/u

const kinds = ['thanks', 'praise', 'greetings', 'farewells', 'around'] as const

interface NamedIndex {
  readonly kind: keyof Courtesies
  readonly index: PhraseIndex
}

const indexes = new WeakMap<Lexicon, readonly NamedIndex[]>()

function indexesFor(lexicon: Lexicon): readonly NamedIndex[] {
  const known = indexes.get(lexicon) ?? kinds.map((kind) => ({ kind, index: indexPhrases(lexicon.courtesies[kind]) }))
  indexes.set(lexicon, known)
  return known
}
