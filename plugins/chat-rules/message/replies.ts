import { perObject } from '../../content/plain-object.ts'
import { languages } from '../language/index.ts'
import type { Language, WordClass } from '../language/language.ts'
import { phraseEnds } from './phrases.ts'
import { cleanMessage, longestMessage, readRequest } from './request.ts'
import { fold, type Token, tokensOf } from './tokens.ts'

const longestReply = 60

/** Whether a message is one of these phrases, optionally with a courtesy. */
function isOnly(phrases: readonly string[], courtesies: readonly string[], message: string): boolean {
  if (message.length > longestReply) return false
  const plain = fold(message).toLowerCase().replace(/[^\p{L}\p{N}' ]+/gu, ' ').split(' ').filter(Boolean).join(' ')
  const courtesy = courtesies.find((phrase) => plain.endsWith(` ${phrase}`)) ?? ''
  return [plain, plain.slice(0, plain.length - courtesy.length).trim()].some((text) => phrases.includes(text))
}

const isReply = (message: string, name: 'yes' | 'no') => languages.some(({ words }) => isOnly(words[name], words.tail, cleanMessage(message)))

/** Whether a message is only a yes. */
export const isConfirmation = (message: string): boolean => isReply(message, 'yes')

/** Whether a message is only a no. */
export const isRefusal = (message: string): boolean => isReply(message, 'no')

/** Whether a message is only a courtesy. */
export const isCourtesy = (message: string): boolean => languages.some((language) => courtesyIn(cleanMessage(message), language) !== undefined)

/** Whether a message asks to see the plan first. Only the beginning and the end of a long message are read. */
export function wantsPlanFirst(message: string): boolean {
  const text = cleanMessage(message)
  const parts = text.length <= longestMessage ? [text] : [text.slice(0, longestMessage / 2), text.slice(-longestMessage / 2)]
  return parts.some((part) => languages.some((language) => readRequest(part, language).isPlanFirst))
}

/** Maximum words of an answer that names something, and of any other. */
const longest = { naming: 8, other: 5 }
const longestAnswer = 200

/**
 * Whether a message reads as the answer to a question rather than as a new request.
 *
 * An answer corrects or confirms, names something, or is a few words without a verb.
 */
export function isAnswer(message: string): boolean {
  const text = cleanMessage(message)
  if (text.length > longestAnswer) return false
  const parsed = parseMessage(text)
  if (parsed.some(startsWithReply)) return true
  return !parsed.some((one) => isVerb(one, 0) || startsAsQuestion(one) || startsAsRequest(one)) && parsed.some((one) =>
    (one.tokens.length <= longest.naming && namesThing(one)) || (one.tokens.length <= longest.other && !one.tokens.some((_, at) => isVerb(one, at))))
}

/** Whether a message is a request or a question; a correction such as `no, …` is an answer. */
export function isRequest(message: string): boolean {
  const parsed = parseMessage(cleanMessage(message))
  return parsed.some(startsAsRequest) && !parsed.some(startsWithReply)
}

/**
 * Whether a message can only be the text that was asked for: not a request, question, correction, bare yes or statement
 * about a part of the page. Quoted text always is.
 */
export function isText(message: string): boolean {
  if (isQuoted(message)) return true
  const parsed = parseMessage(message)
  const isMixed = tokensOf(message).some(({ kind, word }) => kind === 'quoted' || word === '→')
  if (isMixed || namesWithColon(message) || isConfirmation(message) || isRefusal(message)) return false
  return !parsed.some((one) => startsAsRequest(one) || one.tokens.some((_, at) => has(one, at, 'closingVerb')) || namesPart(one) || isCorrection(one, message))
}

/** `New heading: …` is a request, whatever follows. */
const namesWithColon = (message: string): boolean => message.includes(':') && parseMessage(message.split(':')[0] ?? '').some((one) => one.tokens.some((_, at) => isPart(one, at)))

/** Whether a message is only quoted text. */
export function isQuoted(message: string): boolean {
  const parts = tokensOf(message).filter(({ kind }) => kind !== 'sign')
  return parts.length > 0 && parts.every(({ kind }) => kind === 'quoted')
}

type ParsedMessage = ReturnType<typeof parseMessage>[number]

/** A message read in each language, without punctuation and courtesies. */
const parseMessage = (message: string) => languages.map((language) => {
  const { tokens, isPolite, isQuestion } = readRequest(message.slice(0, longestMessage), language)
  return { language, tokens: tokens.filter(({ kind }) => kind !== 'sign'), isPolite, isQuestion }
})

const has = ({ language, tokens }: ParsedMessage, at: number, name: WordClass) =>
  phraseEnds(tokens, at, language.words[name]).length > 0

const startsWithReply = (said: ParsedMessage) => has(said, 0, 'reply')

/** `No, the other one`, but not `No fuss, no noise`. */
function isCorrection({ language }: ParsedMessage, message: string): boolean {
  const [first = '', ...others] = message.split(',')
  return others.length > 0 && language.words.reply.includes(first.trim().toLowerCase())
}

/** Tests a word class in all languages: question and answer may be in different ones. */
const isWordOf = (name: WordClass, { word = '' }: Partial<Token> = {}) =>
  languages.some(({ words }) => words[name].includes(word))

const startsAsQuestion = ({ tokens, isPolite }: ParsedMessage) =>
  tokens.length === 0 || isPolite || isWordOf('question', tokens[0])

/** Titles may begin with a question word: `How it works`, but not `how does it work`. */
function startsAsRequest(said: ParsedMessage): boolean {
  const { tokens, isQuestion, language: { words } } = said
  const [first, second] = tokens
  const isTitle = isWordOf('titleWord', first) && !isWordOf('question', second) && !isWordOf('askedOf', second)
  const isWanted = tokens.some(({ word }) => words.duty.includes(word)) && namesThing(said)
  const isVerbLast = words.closingVerb.includes(tokens.at(-1)?.word ?? '')
  return isQuestion || (startsAsQuestion(said) && !isTitle) || isWanted || isVerbLast || has(said, 0, 'opening') || has(said, 0, 'otherVerb') || isPlainVerb(said)
}

const plainClasses = ['set', 'remove', 'add', 'move', 'copy', 'replace', 'rename', 'link', 'clear', 'swap'] as const

/** Verbs that begin a request; excludes verbs that often begin a button label, such as `get`. */
const isPlainVerb = ({ language, tokens }: ParsedMessage) => verbsOf(language).plain.includes(tokens[0]?.word ?? '')

const isVerb = ({ tokens }: ParsedMessage, at: number) => languages.some((language) => verbsOf(language).any.includes(tokens[at]?.word ?? ''))

const verbsOf = perObject(({ requestVerbs, words, verbs }: Language) => {
  const one = (phrases: readonly string[]) => phrases.filter((phrase) => !phrase.includes(' '))
  const plain = verbs.filter(([classes]) => classes.some((name) => plainClasses.some((each) => each === name)))
  return { plain: requestVerbs, any: [...one(words.otherVerb), ...plain.flatMap(([, phrases]) => one(phrases))] }
})

/** Whether a message contains a number, an ordinal, or a noun for a part of a page. */
const namesThing = (said: ParsedMessage): boolean => said.tokens.some(({ word }, at) => /\d/.test(word) || Object.hasOwn(said.language.ordinals, word) || isPart(said, at))

const mostBetween = 2

/** Whether a message is about a part of the page: `the hero is too dark`. */
const namesPart = (said: ParsedMessage): boolean => said.tokens.some((_, at) => {
  const isNamed = (place: number) => isPart(said, place) || Object.hasOwn(said.language.ordinals, said.tokens[place]?.word ?? '')
    || (['unit', 'page', 'pages', 'site', 'menu'] as const).some((name) => has(said, place, name))
  return has(said, at, 'definite') && Array.from({ length: mostBetween + 1 }, (__, between) => at + 1 + between).some(isNamed)
})

const partsIn = perObject(({ blockNouns, rowNouns, fieldNouns }: Language): readonly string[] =>
  [...Object.values(blockNouns).flat(), ...rowNouns.flatMap(({ one, many }) => [...one, ...many]), ...fieldNouns.flatMap(([, words]) => words)])

const isPart = ({ language, tokens }: ParsedMessage, at: number): boolean => phraseEnds(tokens, at, partsIn(language)).length > 0

/** The kind of a courtesy. */
export type Courtesy = 'thanks' | 'greeting' | 'farewell'

const mostWords = 12
const isCheering = /^(?:👍|👏|🙏|🎉|❤|💯|🙌|👌|😀|😃|😄|😊|🙂|😍|🥳|\p{Emoji_Modifier}|\u{fe0f}|\s)+$/u
const kinds = ['thanks', 'praise', 'greetings', 'farewells', 'around'] as const

/** The kind of a message that is only a courtesy; `undefined` for any other. Praise counts as thanks. */
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
