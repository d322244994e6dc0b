import type { Outcome, PlanningInput } from '../port.ts'
import { sameJson } from '../../content/plain-object.ts'
import { answerTo, examplesFor, followUps, mostSuggestions } from './answers.ts'
import { forms } from './forms.ts'
import { otherLanguage, translationsFor, unknownLanguage } from './languages.ts'
import { matches } from './match.ts'
import { wordsOf } from './names.ts'
import { nearestSentence } from './offers.ts'
import { readField } from './field-references.ts'
import { type ReferenceMatches, whichOf } from './references.ts'
import { replyTo } from './replies.ts'
import { texts } from './texts.ts'
import { isAsked, readRequest } from './request.ts'
import { phraseOf, type Token, type Tokens } from './tokens.ts'
import { questionIn, requestIn } from './translated.ts'
import type { Translation } from './translations.ts'
import {
  AskError,
  blocksOn,
  type ItemField,
  type Item,
  NotMeant,
  perform,
  startWork,
  type PlanState,
} from './work.ts'
import { wishIn } from './wishes.ts'
import { retold } from './wordings.ts'

/** The forms by the words that their patterns begin with: verbs, or slots. */
const byFirst = Map.groupBy(
  forms.flatMap((form) => (form.pattern.split(' ', 1)[0] ?? '').split('|').map((first) => ({ first, form }))),
  ({ first }) => first,
)
const isVerb = (token: Token | undefined): boolean => byFirst.has(token?.word ?? '')

/** The request to see the plan first, which chat reads for every planner. */
const planFirst = /^(?:please )?(?:plan first|(?:show me|make) (?:the|a) plan first)\s*[:,]\s*/i

/** In characters. */
const longestMessage = 2000

/**
 * Plans the literal edits of a message by the table of forms, without a model.
 *
 * All or nothing: each clause of the message has to match a form completely. What is ambiguous or missing is
 * asked about, and everything else is unsupported. Pure and deterministic; linear in the length of the
 * message.
 */
export function planByRules(input: PlanningInput): Outcome {
  const text = input.message.trim().replace(planFirst, '')
  const reply = input.open && replyTo(input, input.open, text, (tokens) => isOwn(input, text, tokens))
  if (reply instanceof AskError) return asked(input.open?.message ?? text, reply)
  const { message, answers } = reply ?? { message: text }
  const request = readRequest(message.length > longestMessage ? '' : message)
  const start = startWork(input, message, request.end, answers)
  const answer = answerInLanguage(start, request.tokens) ?? answerTo(start, request.tokens)
  if (answer) return { kind: 'answer', status: 'info', suggestions: examplesFor(start), ...answer }
  const done = request.isEdit ? planClauses(start, request.tokens) : undefined
  if (!done) return unsupported(start, request)
  if (done instanceof AskError)
    return isOtherWish(done, request) || isForeign(request)
      ? unsupported(start, request)
      : toQuestion(start, done, request)
  if (done.ops.length === 0) return { kind: 'unchanged', summary: texts.alreadySo }
  const summary = texts.willDo(done.ops.length)
  return { kind: 'plan', plan: { summary, changeLog: [], ops: done.ops, suggestions: followUps(done) } }
}

type Request = ReturnType<typeof readRequest>

/** Whether what may be a text is a wish that no text fulfils: `set the banner to hidden`. */
const isOtherWish = ({ answerable }: AskError, { tokens }: Request): boolean =>
  answerable.confirms !== undefined && wishIn(tokens)?.isNear === false

/** Whether what a form asks about is a message in another language that looks like English. */
const isForeign = ({ tokens }: Request): boolean => !isVerb(tokens[0]) && otherLanguage(tokens) !== undefined

/** The answer to a question in another language, in that language. */
function answerInLanguage(work: PlanState, tokens: Tokens): ReturnType<typeof answerTo> {
  for (const language of isVerb(tokens[0]) ? [] : translationsFor(tokens)) {
    const asked = questionIn(work, tokens, language)
    const request = readRequest(asked?.sentence ?? '')
    const answer = asked && answerTo(startWork(work.input, asked.sentence, request.end), request.tokens)
    if (answer) return { ...answer, summary: asked.answer(answer) }
  }
  return undefined
}

/** The answer to a message that no form understands, with what is offered instead. */
function unsupported(work: PlanState, { tokens, mayBeEdit }: Request): Outcome {
  const whole = (hint: string): Outcome => ({
    kind: 'unsupported',
    suggestions: examplesFor(work),
    hint,
    isHintAll: true,
  })
  const language = otherLanguage(tokens)
  const same = sameInEnglish(work, tokens).find(({ sentence }) => isDone(work, sentence))
  if (same) {
    const { sentence, by = language?.translation } = same
    const hint = by?.offer(sentence) ?? texts.canDo(sentence, undefined, '')
    const suggestions = offered(work, sentence)
    return { kind: 'unsupported', suggestions, hint, isHintAll: by !== undefined, offer: sentence }
  }
  if (language !== undefined) return whole(language.answer)
  const undeclared = undeclaredIn(work, tokens)
  const wish = undeclared === undefined ? wishIn(tokens) : undefined
  const isNear = mayBeEdit && undeclared === undefined && (wish?.isNear ?? wish === undefined)
  const nearest = isNear ? nearestTo(work, tokens) : undefined
  const answer = nearest?.isWhole ? undefined : (undeclared ?? wish?.answer)
  const hint = [answer, nearest?.hint].filter((each) => each !== undefined).join(' ')
  const unknown = hint === '' ? unknownLanguage(tokens) : undefined
  if (unknown !== undefined) return whole(unknown)
  return {
    kind: 'unsupported',
    suggestions: offered(work, nearest?.sentence),
    ...(hint !== '' && { hint }),
    ...(nearest && { offer: nearest.sentence }),
  }
}

/** The sentences that say what a whole message says, with the language that it is in where that is known. */
const sameInEnglish = (
  work: PlanState,
  tokens: Tokens,
): readonly { readonly sentence: string; readonly by?: Translation }[] => [
  ...retold(work, tokens).map((sentence) => ({ sentence })),
  ...translationsFor(tokens).flatMap((by) => {
    const sentence = requestIn(work, tokens, by)
    return sentence === undefined ? [] : [{ sentence, by }]
  }),
]

/** Whether a sentence is done at once, as one change. */
function isDone({ input }: PlanState, sentence: string): boolean {
  const { tokens, end } = readRequest(sentence)
  const planned = planClauses(startWork(input, sentence, end), tokens)
  return planned !== undefined && !(planned instanceof AskError) && planned.ops.length === 1
}

const offered = (work: PlanState, nearest: string | undefined): readonly string[] =>
  [...(nearest === undefined ? [] : [nearest]), ...examplesFor(work)].slice(0, mostSuggestions)

/**
 * The sentence near to a message that leads to an edit, or to another question that a click or a text
 * answers.
 */
const nearestTo = (work: PlanState, tokens: Tokens, question?: string) =>
  nearestSentence(work, tokens, (sentence) => {
    const request = readRequest(sentence)
    const planned = planClauses(startWork(work.input, sentence, request.end), request.tokens)
    if (planned instanceof AskError) {
      const { opening, joint, choices } = planned.answerable
      return planned.message !== question && ((opening ?? joint) !== undefined || choices)
        ? planned
        : undefined
    }
    return planned && planned.ops.length > 0 ? planned : undefined
  })

/**
 * Says of a section on the page that its type is not declared, if the message names it, and of the rows of a
 * table.
 */
function undeclaredIn(work: PlanState, tokens: Tokens): string | undefined {
  const phrase = ` ${phraseOf(tokens)} `
  if (/ (?:rows?|columns?|cells?) .*\btable /.test(phrase)) return texts.ofTable
  const isNamed = ({ name }: Item) =>
    phrase.includes(` ${wordsOf(name)} `) || phrase.includes(` ${name.toLowerCase()} `)
  const item = blocksOn(work, work.slug).find((each) => each.type === undefined && isNamed(each))
  return item && texts.undeclared(item.name)
}

function toQuestion(work: PlanState, error: AskError, { tokens }: Request): Outcome {
  const { confirms, choices } = error.answerable
  const suggestions =
    choices?.map(({ label }) => label) ??
    [confirms ?? nearestTo(work, tokens, error.message)?.sentence].filter((each) => each !== undefined)
  return asked(work.message, error, suggestions, work.answers)
}

function asked(
  message: string,
  { message: question, answerable }: AskError,
  suggestions: readonly string[] = ['Yes', 'No'],
  answers: PlanState['answers'] = {},
): Outcome {
  if (Object.keys(answerable).length === 0) return { kind: 'question', question, suggestions }
  return { kind: 'question', question, suggestions, open: { message, memory: { answers, ...answerable } } }
}

/** Whether a reply is a question or a command of its own, or is understood without the question before it. */
function isOwn(input: PlanningInput, message: string, tokens: Tokens): boolean {
  if (isVerb(tokens[0]) || isAsked(message, tokens)) return true
  const { open: _open, ...alone } = input
  return !['unsupported', 'question'].includes(planByRules({ ...alone, message }).kind)
}

/** Bounds the work for one message. */
const mostClauses = 12

/** Plans clause after clause, each as long as possible; later ones see the effect of earlier ones. */
function planClauses(work: PlanState, tokens: Tokens, most = mostClauses): PlanState | AskError | undefined {
  let question: AskError | undefined
  const clauses = clausesAt(work, tokens).slice(0, most)
  const cuts = clauses.flatMap(({ next }) => next[0]?.start ?? [])
  for (const { clause, next } of clauses) {
    const planned = planClause({ ...work, cuts }, clause)
    if (planned instanceof AskError) question ??= planned
    else if (planned) return next.length > 0 ? planClauses(planned, next, most - 1) : planned
  }
  return question
}

const isConnector = (token: Token | undefined): boolean => /^(?:[,;.!]|and|then)$/.test(token?.word ?? '')

/**
 * The possible first clauses, longest first, each with the tokens behind it: they begin with a verb, or set a
 * field.
 */
function clausesAt(work: PlanState, tokens: Tokens) {
  const cuts = tokens.flatMap((token, at) => {
    const next = isConnector(token) && !isConnector(tokens[at + 1]) ? tokens.slice(at + 1) : []
    if (!isVerb(next[0]) && !isSetting(work, next)) return []
    const end = tokens.findLastIndex((each, index) => index < at && !isConnector(each))
    return [{ clause: tokens.slice(0, end + 1), next }]
  })
  return [{ clause: tokens, next: [] }, ...cuts.toReversed()]
}

/** `the subheading to "…"`: behind "and", it needs no verb. */
function isSetting(work: PlanState, tokens: Tokens): boolean {
  const to = tokens.slice(0, 12).findIndex(({ word }) => word === 'to' || word === ':')
  return to > 0 && (readField(work, tokens.slice(0, to))?.candidates.length ?? 0) > 0
}

/** Plans one clause: every form that matches has to give the same operations. */
function planClause(work: PlanState, tokens: Tokens): PlanState | AskError | undefined {
  let done: PlanState | undefined
  let question: AskError | undefined
  const read: object[] = []
  const firsts = [tokens[0]?.word ?? '', 'FIELD', 'VALUE'].flatMap((first) => byFirst.get(first) ?? [])
  for (const { form } of firsts) {
    for (const readings of matches(work, form.elements, tokens)) {
      try {
        const change = form.plan(work, readings as never)
        if (!change) continue
        read.push(readings)
        const planned = perform(work, change)
        if (done && !sameJson(done.ops, planned.ops)) return new AskError(texts.twoReadings)
        done = planned
      } catch (error) {
        if (error instanceof NotMeant) continue
        if (!(error instanceof AskError)) throw error
        read.push(readings)
        // A question with choices is a second reading.
        if (!question || (error.answerable.choices && !question.answerable.choices)) question = error
      }
    }
  }
  const { key, choices, confirms } = question?.answerable ?? {}
  if (key !== undefined && choices) return withAll(key, read) ?? question
  return confirms === undefined ? (done ?? question) : question
}

/** The question which of all meanings of some words is meant, in whatever form they were read. */
function withAll(key: string, readings: readonly object[]): AskError | undefined {
  const found = readings.flatMap((reading) => Object.values(reading).flat()).filter(isFound)
  const candidates = found.filter(({ words }) => words === key).flatMap((each) => each.candidates)
  const byId = new Map(candidates.map((each) => [each.id, each]))
  if (byId.size === 0) return undefined
  try {
    return whichOf(key, [...byId.values()])
  } catch (error) {
    return error instanceof AskError ? error : undefined
  }
}

const isFound = (reading: unknown): reading is ReferenceMatches<Item | ItemField> =>
  typeof reading === 'object' && reading !== null && 'words' in reading && 'candidates' in reading
