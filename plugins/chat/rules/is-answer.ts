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
  return text.length <= longestMessage && lexicons.some((lexicon) => answers(text, lexicon))
}

function answers(text: string, lexicon: Lexicon): boolean {
  const { tokens, isPolite } = readRequest(text, lexicon)
  const words = tokens.flatMap(({ kind, word }) => (kind === 'sign' ? [] : [word]))
  const said = ` ${words.join(' ')} `
  const of = (name: string): readonly string[] => lexicon.words[name] ?? []
  if (of('reply').some((phrase) => said.startsWith(` ${phrase} `))) return true
  const isVerb = (word: string): boolean => germanVerbs.has(word) || verbClasses.some((name) => of(name).includes(word))
  const [first] = words
  if (first === undefined || isPolite || isVerb(first) || of('questionWord').includes(first)) return false
  if (words.length <= longest.naming && namesThing(said, lexicon)) return true
  return words.length <= longest.other && !words.some(isVerb)
}

const verbClasses = ['anyVerb', 'otherVerb', 'set', 'add', 'create', 'remove', 'move', 'link']
/** No lexicon has them, and models are asked in German as well. */
const germanVerbs = new Set(
  'ändere ändern lösche löschen entferne entfernen füge erstelle erstellen setze verschiebe ersetze übersetze kürze schreibe benenne mach mache verlinke kopiere dupliziere passe'.split(' '),
)

function namesThing(said: string, { ordinals, blockNouns, rowNouns, fieldNouns }: Lexicon): boolean {
  const rows = rowNouns.flatMap(({ singular, plural }) => [...singular, ...plural])
  const names = [...Object.keys(ordinals), ...Object.keys(fieldNouns), ...Object.values(blockNouns).flat(), ...rows]
  return /\d/.test(said) || names.some((name) => said.includes(` ${name.toLowerCase()} `))
}
