import type { Language } from '../language/language.ts'
import { phraseEnds } from './phrases.ts'
import { tokensOf } from './tokens.ts'

/** What a message is that says nothing but something friendly. */
export type Courtesy = 'thanks' | 'greeting' | 'farewell'

const mostWords = 12
const isCheering = /^(?:👍|👏|🙏|🎉|❤|💯|🙌|👌|😀|😃|😄|😊|🙂|😍|🥳|\p{Emoji_Modifier}|\u{fe0f}|\s)+$/u
const kinds = ['thanks', 'praise', 'greetings', 'farewells', 'around'] as const

/** The kind of a friendly message; `undefined` for a message that says anything else as well. Praise counts as thanks. */
export function courtesyIn(message: string, { courtesies, typos }: Language): Courtesy | undefined {
  const tokens = tokensOf(message, typos)
  const words = tokens.filter(({ kind }) => kind !== 'sign')
  if (words.length === 0) return isCheering.test(message) ? 'thanks' : undefined
  if (words.length > mostWords) return undefined
  const said = new Set<(typeof kinds)[number]>()
  for (let at = 0; at < words.length;) {
    const [found] = kinds.map((kind) => ({ kind, end: phraseEnds(words, at, courtesies[kind])[0] ?? at })).toSorted((a, b) => b.end - a.end)
    if (!found || found.end === at) return undefined
    said.add(found.kind)
    at = found.end
  }
  if (said.has('farewells')) return 'farewell'
  if (said.has('thanks')) return 'thanks'
  if (said.has('greetings')) return 'greeting'
  return said.has('praise') && !tokens.some(({ word }) => word === '?') ? 'thanks' : undefined
}
