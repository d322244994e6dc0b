import { lexicons } from './lexicon/index.ts'
import type { Lexicon } from './lexicon/lexicon.ts'
import { cleanMessage, isOnly } from './message/clean.ts'
import { readRequest } from './message/read.ts'
import { tokensOf } from './message/tokens.ts'

/** An answer that names a thing has at most so many words, any other at most so many. */
const longest = { naming: 8, other: 5 }
/** Longer messages are no answers. */
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
  if (said.some(replies)) return true
  return !said.some((one) => isVerb(one.words[0] ?? '') || asks(one) || opens(one)) && said.some(({ words, lexicon }) =>
    (words.length <= longest.naming && namesThing(spaced(words), lexicon)) || (words.length <= longest.other && !words.some(isVerb)))
}

/** Tells whether a message begins as a request, or asks something, in any language; a correction such as `no, …` answers. */
export function isRequest(message: string): boolean {
  const said = saidIn(message)
  return said.some(opens) && !said.some(replies)
}

/**
 * Tells whether a message can be the text that was asked for, and nothing else: no request, question, correction or bare yes,
 * and nothing that is said of a part of the page. A text in quotes is one whatever it says.
 */
export function isText(message: string): boolean {
  if (isQuoted(message)) return true
  const said = saidIn(message)
  const isMixed = tokensOf(message, {}).some(({ kind, word }) => kind === 'quoted' || word === '→')
  return !isMixed && !said.some((one) => opens(one) || namesPart(one) || corrects(one, message)) && !lexicons.some(({ confirmations, refusals, words }) =>
    isOnly([...confirmations, ...refusals], words['tail'] ?? [], message))
}

/** Tells whether a message is a text in quotes and nothing else. */
export function isQuoted(message: string): boolean {
  const parts = tokensOf(message, {}).filter(({ kind }) => kind !== 'sign')
  return parts.length > 0 && parts.every(({ kind }) => kind === 'quoted')
}

const saidIn = (message: string) => lexicons.map((lexicon) => wordsSaid(cleanMessage(message).slice(0, longestMessage), lexicon))

interface Said {
  readonly lexicon: Lexicon
  readonly words: readonly string[]
  readonly isPolite: boolean
  readonly isQuestion: boolean
}

/** What is said, without what one language says around a request. */
function wordsSaid(text: string, lexicon: Lexicon): Said {
  const { tokens, isPolite, isQuestion } = readRequest(text, lexicon)
  return { lexicon, isPolite, isQuestion, words: tokens.flatMap(({ kind, word }) => (kind === 'sign' ? [] : [word])) }
}

const spaced = (words: readonly string[]) => ` ${words.join(' ')} `

const begins = ({ words }: Said, phrases: readonly string[] = []) => phrases.some((phrase) => spaced(words).startsWith(` ${phrase} `))

const replies = (said: Said) => begins(said, said.lexicon.words['reply'])

/** `No, the other one`, as opposed to `No fuss, no noise`. */
function corrects({ lexicon: { words } }: Said, message: string): boolean {
  const [first = '', ...others] = message.split(',')
  return others.length > 0 && (words['reply'] ?? []).includes(first.trim().toLowerCase())
}

const asks = ({ words: [first], isPolite }: Said) => first === undefined || isPolite || isOf('questionWord', first)

/** Titles may begin with a question word: `How it works`, as opposed to `how does it work`. */
function opens(said: Said): boolean {
  const { lexicon, lexicon: { words: classes }, words, isQuestion } = said
  const [first = '', second = ''] = words
  const isTitle = isOf('titleWord', first) && !isOf('questionWord', second) && !isOf('askedOf', second)
  const isWanted = words.some((word) => classes['duty']?.includes(word)) && namesThing(spaced(words), lexicon)
  return isQuestion || (asks(said) && !isTitle) || isWanted || (classes['closingVerb'] ?? []).includes(words.at(-1) ?? '')
    || ['anyVerb', 'otherVerb', 'opening'].some((name) => begins(said, classes[name]))
}

/** Tells whether a word is of a class in any language: an answer may be in another one than the question. */
const isOf = (className: string, word: string) => lexicons.some(({ words }) => (words[className] ?? []).includes(word))
const isVerb = (word: string) => verbClasses.some((name) => isOf(name, word))

const verbClasses = ['anyVerb', 'otherVerb', 'set', 'add', 'create', 'remove', 'move', 'link']

function namesThing(said: string, { ordinals, ...lexicon }: Lexicon): boolean {
  return /\d/.test(said) || [...Object.keys(ordinals), ...partsIn(lexicon)].some((name) => said.includes(` ${name} `))
}

/** What parts of a page are called. */
function partsIn({ blockNouns, rowNouns, fieldNouns }: Pick<Lexicon, 'blockNouns' | 'rowNouns' | 'fieldNouns'>): readonly string[] {
  const rows = rowNouns.flatMap(({ singular, plural }) => [...singular, ...plural])
  return [...Object.keys(fieldNouns), ...Object.values(blockNouns).flat(), ...rows].map((name) => name.toLowerCase())
}

/** So many words may stand between an article and a noun. */
const mostBetween = 2

/** Something is said of a part of the page, such as `the hero is too dark`. */
function namesPart({ lexicon, words }: Said): boolean {
  const names = [...partsIn(lexicon), ...Object.keys(lexicon.ordinals), ...(lexicon.words['unit'] ?? []), ...(lexicon.words['whole'] ?? [])]
  return words.some((word, at) => (lexicon.words['definite'] ?? []).includes(word) && Array.from({ length: mostBetween + 1 }, (_, between) => spaced(words.slice(at + 1 + between)))
    .some((rest) => names.some((name) => rest.startsWith(` ${name} `))))
}
