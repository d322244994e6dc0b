import { perObject } from '../../content/plain-object.ts'
import { languages } from '../language/index.ts'
import type { Language, WordClass } from '../language/language.ts'
import { phraseEnds } from './phrases.ts'
import { cleanMessage, longestMessage, readRequest } from './request.ts'
import { fold, type Token, tokensOf } from './tokens.ts'

const longestReply = 60

/** Whether a message says nothing but one of these phrases, and perhaps a courtesy. */
function isOnly(phrases: readonly string[], courtesies: readonly string[], message: string): boolean {
  if (message.length > longestReply) return false
  const said = fold(message).toLowerCase().replace(/[^\p{L}\p{N}' ]+/gu, ' ').split(' ').filter(Boolean).join(' ')
  const courtesy = courtesies.find((phrase) => said.endsWith(` ${phrase}`)) ?? ''
  return [said, said.slice(0, said.length - courtesy.length).trim()].some((text) => phrases.includes(text))
}

const isReply = (message: string, name: 'yes' | 'no') => languages.some(({ words }) => isOnly(words[name], words.tail, cleanMessage(message)))

/** Whether a message says nothing but yes. */
export const isConfirmation = (message: string): boolean => isReply(message, 'yes')

/** Whether a message says nothing but no. */
export const isRefusal = (message: string): boolean => isReply(message, 'no')

/** Whether a message is only friendly. */
export const isCourtesy = (message: string): boolean => languages.some((language) => courtesyIn(cleanMessage(message), language) !== undefined)

/** Whether a message asks to see the plan before anything is done. Of a long one the beginning and the end are read. */
export function wantsPlanFirst(message: string): boolean {
  const text = cleanMessage(message)
  const parts = text.length <= longestMessage ? [text] : [text.slice(0, longestMessage / 2), text.slice(-longestMessage / 2)]
  return parts.some((part) => languages.some((language) => readRequest(part, language).isPlanFirst))
}

/** Words that an answer has at most: one that names a thing, and any other. */
const longest = { naming: 8, other: 5 }
const longestAnswer = 200

/**
 * Whether a message reads as the answer to a question, and not as a request of its own.
 *
 * It corrects or confirms something, names one of several things, or is a few words without a verb.
 */
export function isAnswer(message: string): boolean {
  const text = cleanMessage(message)
  if (text.length > longestAnswer) return false
  const said = saidIn(text)
  if (said.some(replies)) return true
  return !said.some((one) => isVerb(one, 0) || asks(one) || opens(one)) && said.some((one) =>
    (one.tokens.length <= longest.naming && namesThing(one)) || (one.tokens.length <= longest.other && !one.tokens.some((_, at) => isVerb(one, at))))
}

/** Whether a message begins as a request or asks something; a correction such as `no, …` answers. */
export function isRequest(message: string): boolean {
  const said = saidIn(cleanMessage(message))
  return said.some(opens) && !said.some(replies)
}

/**
 * Whether a message can be the text that was asked for, and nothing else: no request, question, correction or bare yes,
 * and no statement about a part of the page. A text in quotes always is one.
 */
export function isText(message: string): boolean {
  if (isQuoted(message)) return true
  const said = saidIn(message)
  const isMixed = tokensOf(message).some(({ kind, word }) => kind === 'quoted' || word === '→')
  if (isMixed || namesWithColon(message) || isConfirmation(message) || isRefusal(message)) return false
  return !said.some((one) => opens(one) || one.tokens.some((_, at) => has(one, at, 'closingVerb')) || namesPart(one) || corrects(one, message))
}

/** `New heading: …` is a request, however it goes on. */
const namesWithColon = (message: string): boolean => message.includes(':') && saidIn(message.split(':')[0] ?? '').some((one) => one.tokens.some((_, at) => isPart(one, at)))

/** Whether a message is a text in quotes and nothing else. */
export function isQuoted(message: string): boolean {
  const parts = tokensOf(message).filter(({ kind }) => kind !== 'sign')
  return parts.length > 0 && parts.every(({ kind }) => kind === 'quoted')
}

/** A message in a language, without signs and what is said around it. */
interface Said {
  readonly language: Language
  readonly tokens: readonly Token[]
  readonly isPolite: boolean
  readonly isQuestion: boolean
}

const saidIn = (message: string): readonly Said[] => languages.map((language) => {
  const { tokens, isPolite, isQuestion } = readRequest(message.slice(0, longestMessage), language)
  return { language, tokens: tokens.filter(({ kind }) => kind !== 'sign'), isPolite, isQuestion }
})

const has = ({ language, tokens }: Said, at: number, name: WordClass) => phraseEnds(tokens, at, language.words[name]).length > 0

const replies = (said: Said) => has(said, 0, 'reply')

/** `No, the other one`, as opposed to `No fuss, no noise`. */
function corrects({ language }: Said, message: string): boolean {
  const [first = '', ...others] = message.split(',')
  return others.length > 0 && language.words.reply.includes(first.trim().toLowerCase())
}

/** A word of a class in any language: an answer may be in another one than the question. */
const isOf = (name: WordClass, { word = '' }: Partial<Token> = {}) => languages.some(({ words }) => words[name].includes(word))

const asks = ({ tokens, isPolite }: Said) => tokens.length === 0 || isPolite || isOf('question', tokens[0])

/** Titles may begin with a question word: `How it works`, as opposed to `how does it work`. */
function opens(said: Said): boolean {
  const { tokens, isQuestion, language: { words } } = said
  const [first, second] = tokens
  const isTitle = isOf('titleWord', first) && !isOf('question', second) && !isOf('askedOf', second)
  const isWanted = tokens.some(({ word }) => words.duty.includes(word)) && namesThing(said)
  const isVerbLast = words.closingVerb.includes(tokens.at(-1)?.word ?? '')
  return isQuestion || (asks(said) && !isTitle) || isWanted || isVerbLast || has(said, 0, 'opening') || has(said, 0, 'otherVerb') || isPlainVerb(said)
}

const plainClasses = ['set', 'remove', 'add', 'move', 'copy', 'replace', 'rename', 'link', 'clear', 'swap'] as const

/** Verbs as requests begin with them; what buttons often begin with, such as `get`, is none here. */
const isPlainVerb = ({ language, tokens }: Said) => verbsOf(language).plain.includes(tokens[0]?.word ?? '')

const isVerb = ({ tokens }: Said, at: number) => languages.some((language) => verbsOf(language).any.includes(tokens[at]?.word ?? ''))

interface VerbWords {
  readonly plain: readonly string[]
  readonly any: readonly string[]
}

const verbsOf = perObject(({ requestVerbs, words, verbs }: Language): VerbWords => {
  const one = (phrases: readonly string[]) => phrases.filter((phrase) => !phrase.includes(' '))
  const plain = verbs.filter(([classes]) => classes.some((name) => plainClasses.some((each) => each === name)))
  return { plain: requestVerbs, any: [...one(words.otherVerb), ...plain.flatMap(([, phrases]) => one(phrases))] }
})

/** A number, an ordinal, or what a part of a page is called. */
const namesThing = (said: Said): boolean => said.tokens.some(({ word }, at) => /\d/.test(word) || Object.hasOwn(said.language.ordinals, word) || isPart(said, at))

const mostBetween = 2

/** Something is said of a part of the page, such as `the hero is too dark`. */
const namesPart = (said: Said): boolean => said.tokens.some((_, at) => {
  const isNamed = (place: number) => isPart(said, place) || Object.hasOwn(said.language.ordinals, said.tokens[place]?.word ?? '')
    || (['unit', 'page', 'pages', 'site', 'menu'] as const).some((name) => has(said, place, name))
  return has(said, at, 'definite') && Array.from({ length: mostBetween + 1 }, (__, between) => at + 1 + between).some(isNamed)
})

const partsIn = perObject(({ blockNouns, rowNouns, fieldNouns }: Language): readonly string[] =>
  [...Object.values(blockNouns).flat(), ...rowNouns.flatMap(({ one, many }) => [...one, ...many]), ...fieldNouns.flatMap(([, words]) => words)])

const isPart = ({ language, tokens }: Said, at: number): boolean => phraseEnds(tokens, at, partsIn(language)).length > 0

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
