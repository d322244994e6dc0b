import { lexicons } from './lexicon/index.ts'
import type { Lexicon } from './lexicon/lexicon.ts'
import { cleanMessage } from './message/clean.ts'
import { readRequest } from './message/read.ts'

/** An answer that names a thing has at most so many words, any other at most so many. */
const longest = { naming: 8, other: 5 }
/** Nobody has to read more of a message to see that it is no answer. */
const longestMessage = 200

/**
 * Tells whether a message reads as the answer to a question, and not as a request of its own.
 *
 * It corrects or confirms something, names one of several things, or is a few words without a verb. What begins with a
 * verb, or asks something itself, is a request.
 */
export function isAnswer(message: string): boolean {
  const text = cleanMessage(message)
  if (text.length > longestMessage) return false
  const said = lexicons.map((lexicon) => wordsSaid(text, lexicon))
  if (said.some(({ words, lexicon }) => (lexicon.words['reply'] ?? []).some((phrase) => spaced(words).startsWith(` ${phrase} `)))) return true
  return !said.some(isRequest) && said.some(({ words, lexicon }) =>
    (words.length <= longest.naming && namesThing(spaced(words), lexicon)) || (words.length <= longest.other && !words.some(isVerb)))
}

interface Said {
  readonly lexicon: Lexicon
  readonly words: readonly string[]
  readonly isPolite: boolean
}

/** What is said, without what one language says around a request. */
function wordsSaid(text: string, lexicon: Lexicon): Said {
  const { tokens, isPolite } = readRequest(text, lexicon)
  return { lexicon, isPolite, words: tokens.flatMap(({ kind, word }) => (kind === 'sign' ? [] : [word])) }
}

const spaced = (words: readonly string[]) => ` ${words.join(' ')} `

const isRequest = ({ words: [first], isPolite }: Said) => first === undefined || isPolite || isVerb(first) || isOf('questionWord', first)

/** Tells whether a word is of a class in any language: nobody says in which one somebody answers. */
const isOf = (className: string, word: string) => lexicons.some(({ words }) => (words[className] ?? []).includes(word))
const isVerb = (word: string) => verbClasses.some((name) => isOf(name, word))

const verbClasses = ['anyVerb', 'otherVerb', 'set', 'add', 'create', 'remove', 'move', 'link']
function namesThing(said: string, { ordinals, blockNouns, rowNouns, fieldNouns }: Lexicon): boolean {
  const rows = rowNouns.flatMap(({ singular, plural }) => [...singular, ...plural])
  const names = [...Object.keys(ordinals), ...Object.keys(fieldNouns), ...Object.values(blockNouns).flat(), ...rows]
  return /\d/.test(said) || names.some((name) => said.includes(` ${name.toLowerCase()} `))
}
