import { perObject } from '../../content/plain-object.ts'
import type { Language } from '../language/language.ts'
import { phraseEnds } from './phrases.ts'
import { lineEnd, type Token, tokensOf } from './tokens.ts'

/** The longest message that is read. */
export const longestMessage = 2000

/** Older clients append site context to the message. */
const appended = /\[site context\][\s\S]*?(?:\[\/site context\]|$)/gi

/** The message without the context that older clients append. */
export const cleanMessage = (message: string): string => message.replace(appended, ' ').trim()

/** A message without the courtesies around the request. */
export interface Request {
  readonly message: string
  readonly tokens: readonly Token[]
  readonly isPlanFirst: boolean
  /** Begins with a phrase such as `can you`. */
  readonly isPolite: boolean
  /** Begins with a phrase such as `can I`, or ends with a question mark and is not polite. */
  readonly isQuestion: boolean
}

/** Strips greetings, courtesies and the request for a plan from a message; keeps at least one token. */
export function readRequest(message: string, language: Language): Request {
  const all = withoutDecoration(tokensOf(message, language.typos), language)
  const opening = readOpening(all, language)
  const { isPolite, isPermission } = opening
  const end = readEnd(all, opening, language)
  return { message, ...end, isPolite, isQuestion: isPermission || (end.isQuestion && !isPolite) }
}

/** Emoji, their modifiers, and ornamental characters. */
const decoration = /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u{200d}|\u{fe0f}|[~*^])$/u

/** Drops punctuation before the first word and emoji after the last, unless they are a value. */
function withoutDecoration(tokens: readonly Token[], { words }: Language): readonly Token[] {
  const start = tokens.findIndex(({ kind }) => kind !== 'sign')
  if (start < 0) return tokens
  const end = tokens.findLastIndex(({ kind, word }) => kind !== 'sign' || !decoration.test(word)) + 1
  return tokens.slice(start, phraseEnds(tokens, end - 1, words.value).includes(end) ? tokens.length : end)
}

type Opening = ReturnType<typeof readOpening>

/** Verbs such as `can we have`. */
const wishesIn = perObject(({ verbs }: Language) => verbs.flatMap(([classes, phrases]) => (classes.includes('want') ? phrases : [])))

function readOpening(tokens: readonly Token[], language: Language) {
  const { words } = language
  let opening = { at: 0, isPlanFirst: false, isPolite: false, isPermission: false }
  for (;;) {
    const { at } = opening
    const [plan] = planEnds(tokens, at, words.planFirst)
    const [polite] = phraseEnds(tokens, at, words.polite)
    const permission = polite ?? phraseEnds(tokens, at, words.permission)[0]
    const isWish = permission !== undefined && phraseEnds(tokens, at, wishesIn(language)).some((end) => end > permission)
    const next = plan ?? (isWish ? undefined : permission ?? phraseEnds(tokens, at, words.leadIn)[0])
    if (next === undefined) return { ...opening, isPolite: opening.isPolite || isWish }
    const isSeparated = tokens[next]?.kind === 'sign' && [',', '!', '.', ':', '-', '–', '—', lineEnd].includes(tokens[next].word)
    const behind = isSeparated || (plan !== undefined && ['to', 'for'].includes(tokens[next]?.word ?? '')) ? next + 1 : next
    const end = tokens[behind]?.word === lineEnd ? behind + 1 : behind
    if (end >= tokens.length || (plan !== undefined && end === next)) return opening
    opening = {
      at: end,
      isPlanFirst: opening.isPlanFirst || plan !== undefined,
      isPolite: opening.isPolite || polite !== undefined,
      isPermission: opening.isPermission || permission !== polite,
    }
  }
}

function planEnds(tokens: readonly Token[], at: number, planFirst: readonly string[]): readonly number[] {
  return phraseEnds(tokens, at, planFirst).filter((end) => [':', ',', '.', 'to', 'for'].includes(tokens[end]?.word ?? ''))
}

/** Strips courtesies and a request for a plan from the end. */
function readEnd(tokens: readonly Token[], { at, isPlanFirst, isPolite }: Opening, { words }: Language) {
  let rest = tokens.slice(at)
  let isPlan = isPlanFirst
  let isQuestion = false
  for (;;) {
    const end = rest.findLastIndex(({ kind, word }) => kind !== 'sign' || !'.!?'.includes(word)) + 1
    const hasQuestionMark = rest.slice(end).some(({ word }) => word === '?')
    const tail = tailStart(rest, end, words.tail) ?? lastPart(rest, end, words.restUnchanged, false) ?? lastPart(rest, end, words.planFirst, true)
    isQuestion ||= hasQuestionMark
    if (tail === undefined) {
      return { tokens: isPolite && hasQuestionMark ? rest.slice(0, end) : rest, isPlanFirst: isPlan, isQuestion }
    }
    isPlan ||= tail.isPlan
    rest = rest.slice(0, tail.start)
  }
}

function tailStart(tokens: readonly Token[], end: number, tail: readonly string[]) {
  const start = [end - 2, end - 1].find((at) => at > 0 && phraseEnds(tokens, at, tail).includes(end))
  return start === undefined ? undefined : { start: [',', lineEnd].includes(tokens[start - 1]?.word ?? '') && start > 1 ? start - 1 : start, isPlan: false }
}

const joints = new Set([',', '.', ';', 'but', 'and', 'aber', 'und'])

/** `…, but show me the plan first`: a phrase to strip, which begins after its connectors. */
function lastPart(tokens: readonly Token[], end: number, phrases: readonly string[], isPlan: boolean) {
  const start = tokens.findIndex((token, at) => at > 0 && at >= end - 10 && joints.has(tokens[at - 1]?.word ?? '') && token.kind === 'word'
    && phraseEnds(tokens, at, phrases).includes(end))
  if (start < 0) return undefined
  let cut = start
  while (cut > 1 && joints.has(tokens[cut - 1]?.word ?? '')) cut -= 1
  return { start: cut, isPlan }
}
