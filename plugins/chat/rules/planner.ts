import * as v from 'valibot'
import type { OpenQuestion, Outcome, PlanningInput } from '../port.ts'
import { sameJson } from '../../content/plain-object.ts'
import { answerTo, examplesFor, followUps, mostSuggestions } from './answers.ts'
import { forms } from './forms.ts'
import { otherLanguage } from './languages.ts'
import { matches } from './match.ts'
import { ordinalOf, wordsOf } from './names.ts'
import { nearestSentence } from './offers.ts'
import { type ReferenceMatches, readField, readItem, whichOf } from './references.ts'
import { texts } from './texts.ts'
import { phraseOf, readRequest, type Token, type Tokens } from './tokens.ts'
import {
  Answerable,
  AskError,
  blocksOn,
  type ItemField,
  type Item,
  NotMeant,
  perform,
  startWork,
  type PlanState,
} from './work.ts'

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
 * All or nothing: each clause of the message has to match a form completely. What is ambiguous or missing is asked
 * about, and everything else is unsupported. Pure and deterministic; linear in the length of the message.
 */
export function planByRules(input: PlanningInput): Outcome {
  const text = input.message.trim().replace(planFirst, '')
  const { message, answers } = (input.open && answerIn(input, input.open, text)) ?? { message: text }
  const request = readRequest(message.length > longestMessage ? '' : message)
  const start = startWork(input, message, request.end, answers)
  const answer = answerTo(start, phraseOf(request.tokens))
  if (answer) return { kind: 'answer', status: 'info', ...answer, suggestions: examplesFor(start) }
  const done = request.isEdit ? planClauses(start, request.tokens) : undefined
  if (!done) return unsupported(start, request)
  if (done instanceof AskError) return toQuestion(start, done, request)
  if (done.ops.length === 0) return { kind: 'unchanged', summary: texts.alreadySo }
  const summary = texts.willDo(done.ops.length)
  return { kind: 'plan', plan: { summary, changeLog: [], ops: done.ops, suggestions: followUps(done) } }
}

type Request = ReturnType<typeof readRequest>

/** The answer to a message that no form understands, with what is offered instead. */
function unsupported(work: PlanState, { tokens, mayBeEdit }: Request): Outcome {
  const language = otherLanguage(tokens)
  const nearest = mayBeEdit && language === undefined ? nearestTo(work, tokens) : undefined
  const hint = language ?? undeclaredIn(work, tokens) ?? (nearest && texts.nearest(nearest))
  return { kind: 'unsupported', suggestions: offered(work, nearest), ...(hint !== undefined && { hint }) }
}

const offered = (work: PlanState, nearest: string | undefined): readonly string[] =>
  [...(nearest === undefined ? [] : [nearest]), ...examplesFor(work)].slice(0, mostSuggestions)

/** The sentence near to a message that leads to an edit, or to a question that a click or a text answers. */
const nearestTo = (work: PlanState, tokens: Tokens): string | undefined =>
  nearestSentence(work, tokens, (sentence) => {
    const request = readRequest(sentence)
    const planned = planClauses(startWork(work.input, sentence, request.end), request.tokens)
    if (planned instanceof AskError)
      return planned.answerable.opening !== undefined || !!planned.answerable.choices
    return planned !== undefined && planned.ops.length > 0
  })

/** Says of a section on the page that its type is not declared, if the message names it. */
function undeclaredIn(work: PlanState, tokens: Tokens): string | undefined {
  const phrase = ` ${phraseOf(tokens)} `
  const isNamed = ({ name }: Item) =>
    phrase.includes(` ${wordsOf(name)} `) || phrase.includes(` ${name.toLowerCase()} `)
  const item = blocksOn(work, work.slug).find((each) => each.type === undefined && isNamed(each))
  return item && texts.undeclared(item.name)
}

function toQuestion(
  work: PlanState,
  { message: question, answerable }: AskError,
  { tokens }: Request,
): Outcome {
  const { message, answers } = work
  const { confirms, choices } = answerable
  const suggestions =
    choices?.map(({ label }) => label) ??
    (confirms === undefined ? offered(work, nearestTo(work, tokens)) : [confirms])
  if (Object.keys(answerable).length === 0) return { kind: 'question', question, suggestions }
  return { kind: 'question', question, suggestions, open: { message, memory: { answers, ...answerable } } }
}

/** State of an open question: what its message has been answered so far, and what may answer it. */
const Memory = v.object({ answers: v.record(v.string(), v.string()), ...Answerable.entries })

/** The message that an answer completes, with the answers so far; `undefined` if it is not an answer. */
function answerIn(input: PlanningInput, { message, memory }: OpenQuestion, reply: string) {
  const { success, output } = v.safeParse(Memory, memory)
  if (!success) return undefined
  const { answers, key, choices = [], joint, opening, confirms } = output
  if (confirms !== undefined && /^(?:yes|yes please|yep|ok|okay|sure|do it|go ahead)[.!]?$/i.test(reply))
    return { message: confirms, answers }
  const { tokens, end } = readRequest(reply)
  const chosen = choiceIn(startWork(input, reply, end), choices, tokens)
  if (key !== undefined && chosen) return { message, answers: { ...answers, [key]: chosen.id } }
  if (opening !== undefined) {
    const text = textIn(input, tokens, reply)
    return text === undefined ? undefined : { message: `${opening}${text}`, answers }
  }
  return joint !== undefined && tokens[0] && !isVerb(tokens[0])
    ? { message: `${message.slice(0, readRequest(message).end)}${joint}${reply}`, answers }
    : undefined
}

const declines = /^(?:no|nothing|never ?mind|cancel|stop|forget it|leave it|help)\b[\s\w]*[.!]?$/i

/** The answer to what a text should be, in quotes; `undefined` for a request of its own and for a refusal to answer. */
function textIn(input: PlanningInput, [first, second]: Tokens, reply: string): string | undefined {
  if (first?.kind === 'quoted' && !second) return reply
  if (reply === '' || declines.test(reply) || /["“”„‟«»＂]/.test(reply)) return undefined
  const { open: _open, ...alone } = input
  const { kind } = planByRules({ ...alone, message: reply })
  return kind === 'unsupported' || (kind === 'question' && !isVerb(first)) ? `"${reply}"` : undefined
}

/** The choice that a message names: by its text, by its position, or as an item. */
function choiceIn(work: PlanState, choices: NonNullable<AskError['answerable']['choices']>, tokens: Tokens) {
  const text = work.message.toLowerCase()
  const labelled = choices.find(({ label }) => label.toLowerCase() === text)
  if (labelled) return labelled
  const position = ordinalOf(tokens[0])
  if (position !== undefined && tokens.slice(1).every(({ word }) => word === 'one'))
    return choices.at(position)
  const items = readItem(work, tokens)?.candidates ?? []
  const named = choices.filter(({ id }) => items.some((item) => `${id}.`.startsWith(`${item.id}.`)))
  return named.length === 1 ? named[0] : undefined
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

/** The possible first clauses, longest first, each with the tokens behind it: they begin with a verb, or set a field. */
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
