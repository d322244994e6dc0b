import * as v from 'valibot'
import type { OpenQuestion, Outcome, PlanningInput } from '../chat/port.ts'
import { sameJson } from '../content/same-json.ts'
import { answerTo } from './answers.ts'
import { blockForms } from './forms/blocks.ts'
import { fieldForms } from './forms/fields.ts'
import { generalForms } from './forms/general.ts'
import { pageForms } from './forms/pages.ts'
import { rowForms } from './forms/rows.ts'
import { type Form, matches, verbsOf } from './match.ts'
import { ordinalOf } from './names.ts'
import { readBlock, readField } from './references.ts'
import { examplesFor, followUps } from './suggestions.ts'
import { texts } from './texts.ts'
import { endOf, longestMessage, readRequest, type Request, type Token } from './tokens.ts'
import { Ask, type Inquiry, perform, startWork, type Work } from './work.ts'

/** All forms. The order does not matter: words that two forms read differently lead to a question. */
export const forms: readonly Form[] = [
  ...fieldForms,
  ...rowForms,
  ...blockForms,
  ...pageForms,
  ...generalForms,
]

const verbs = verbsOf(forms)

/**
 * Plans the literal edits of a message by the table of forms, without a model.
 *
 * All or nothing: each clause of the message has to match a form completely. What is ambiguous or missing is asked
 * about, and everything else is unsupported. Pure and deterministic; linear in the length of the message.
 */
export function planByRules(input: PlanningInput): Outcome {
  const said = input.message.trim()
  const message = said.replace(planFirst, '')
  const answered = input.open && answerIn(input, input.open, message)
  const outcome = planMessage(input, answered?.message ?? message, answered?.answers ?? {})
  if (outcome.kind !== 'plan' || message === said) return outcome
  return { ...outcome, plan: { ...outcome.plan, isPlanFirst: true } }
}

/** The request to see the plan first. */
const planFirst = /^(?:please )?(?:plan first|(?:show me|make) (?:the|a) plan first)\s*[:,]\s*/i

/** State of an open question: what its message has been answered so far, and what may answer it. */
const Memory = v.object({
  answers: v.record(v.string(), v.string()),
  key: v.optional(v.string()),
  choices: v.optional(v.array(v.object({ id: v.string(), label: v.string() })), []),
  joint: v.optional(v.string()),
  confirms: v.optional(v.string()),
})
type Answers = Work['answers']

const isYes = (message: string): boolean =>
  /^(?:yes|yes please|yep|ok|okay|sure|do it|go ahead)[.!]?$/i.test(message)

/** The message that an answer completes, with the answers so far; `undefined` if it is not an answer. */
function answerIn(input: PlanningInput, open: OpenQuestion, message: string) {
  if (!v.is(Memory, open.memory)) return undefined
  const { answers, key, choices, joint, confirms } = v.parse(Memory, open.memory)
  if (confirms !== undefined && isYes(message)) return { message: confirms, answers }
  const chosen = key === undefined ? undefined : choiceIn(input, choices, message)
  if (key !== undefined && chosen !== undefined)
    return { message: open.message, answers: { ...answers, [key]: chosen } }
  const { tokens } = readRequest(message)
  const isValue =
    joint === ' '
      ? tokens.length > 0 && !verbs.has(tokens[0]?.word ?? '')
      : tokens.length === 1 && tokens[0]?.kind === 'quoted'
  return joint !== undefined && isValue
    ? { message: `${open.message.slice(0, endOf(readRequest(open.message)))}${joint}${message}`, answers }
    : undefined
}

/** The choice that a message names: by its text, by its position, or as a block. */
function choiceIn(
  input: PlanningInput,
  choices: v.InferOutput<typeof Memory>['choices'],
  message: string,
): string | undefined {
  const { tokens } = readRequest(message)
  const labelled = choices.filter(({ label }) => label.toLowerCase() === message.toLowerCase())
  if (labelled.length === 1) return labelled[0]?.id
  const ordinal = ordinalOf(tokens[0])
  const isPosition =
    ordinal !== undefined && (tokens.length === 1 || (tokens.length === 2 && tokens[1]?.word === 'one'))
  if (isPosition) return choices.at(ordinal)?.id
  const blocks =
    readBlock(startWork(input, message, {}, { verbs, end: message.length }), tokens)?.candidates ?? []
  const isOf = (id: string) => blocks.some(({ block }) => id === block.id || id.startsWith(`${block.id}.`))
  const named = choices.filter(({ id }) => isOf(id))
  return named.length === 1 ? named[0]?.id : undefined
}

function planMessage(input: PlanningInput, message: string, answers: Answers): Outcome {
  const request = readRequest(message.length > longestMessage ? '' : message)
  const start = startWork(input, message, answers, { verbs, end: endOf(request) })
  const unsupported: Outcome = { kind: 'unsupported', suggestions: examplesFor(start) }
  const answer = answerTo(start, request)
  if (answer) return { kind: 'answer', status: 'info', ...answer, suggestions: examplesFor(start) }
  if (request.isQuestion || isConditional(request)) return unsupported
  const done = planClauses(start, request.tokens, { evaluations: mostEvaluations })
  if (!done) return unsupported
  if (done instanceof Ask) return asked(start, done.inquiry)
  if (done.ops.length === 0 || isUndone(start, done)) return { kind: 'unchanged', summary: texts.alreadySo }
  const suggestions = followUps(done)
  return {
    kind: 'plan',
    plan: { summary: texts.willDo(done.ops.length), changeLog: [], ops: done.ops, suggestions },
  }
}

const conditions: ReadonlySet<string> = new Set([
  'if',
  'unless',
  "don't",
  'dont',
  'never',
  'not',
  'except',
  'without',
  'instead',
])
const isConditional = ({ tokens }: Request): boolean => tokens.some(({ word }) => conditions.has(word))

/** Whether later clauses undo earlier ones. */
const isUndone = (start: Work, { draft }: Work): boolean =>
  sameJson(draft.order, start.draft.order) &&
  sameJson(draft.config, start.draft.config) &&
  draft.order.every(
    (slug) =>
      sameJson(draft.page(slug)?.blocks, start.draft.page(slug)?.blocks) &&
      draft.page(slug)?.title === start.draft.page(slug)?.title &&
      sameJson(draft.page(slug)?.meta, start.draft.page(slug)?.meta),
  )

function asked(work: Work, inquiry: Inquiry): Outcome {
  const { question, ...more } = inquiry
  const labels = [
    ...(more.confirms === undefined ? [] : [more.confirms]),
    ...(more.choices ?? []).map(({ label }) => label),
  ]
  const isAnswerable = Object.keys(more).length > 0
  const open: OpenQuestion = { message: work.message, memory: { answers: work.answers, ...more } }
  return {
    kind: 'question',
    question,
    suggestions: labels.length > 0 ? labels : examplesFor(work),
    ...(isAnswerable && { open }),
  }
}

/** Bounds the work for one message. */
const mostEvaluations = 30

interface Budget {
  evaluations: number
}

/** Plans clause after clause, each as long as possible; later ones see the effect of earlier ones. */
function planClauses(work: Work, tokens: readonly Token[], budget: Budget): Work | Ask | undefined {
  let question: Ask | undefined
  for (const { end, next } of clauseEnds(work, tokens)) {
    if ((budget.evaluations -= 1) < 0) return undefined
    const done = planClause(work, tokens.slice(0, end))
    if (done instanceof Ask) question ??= next.length === 0 ? done : question
    if (!done || done instanceof Ask) {
      if (done instanceof Ask && next.length > 0) question ??= done
      continue
    }
    const rest = next.length === 0 ? done : planClauses(done, next, budget)
    if (rest instanceof Ask) question ??= rest
    else if (rest) return rest
  }
  return question
}

const connectors: ReadonlySet<string> = new Set([',', 'and', 'then', ';', '.', '!'])
const setting: ReadonlySet<string> = new Set(['set', 'change', 'update', 'rename'])

/** The possible ends of the first clause, longest first, with the tokens of the next clauses. */
function clauseEnds(work: Work, tokens: readonly Token[]) {
  const found = [{ end: tokens.length, next: [] as readonly Token[] }]
  for (let at = tokens.length - 2; at > 0; at -= 1) {
    if (!connectors.has(tokens[at]?.word ?? '')) continue
    const rest = tokens.slice(at + 1)
    const [first] = rest
    const [verb] = tokens
    if (!first || connectors.has(first.word)) continue
    let end = at
    while (end > 1 && connectors.has(tokens[end - 1]?.word ?? '')) end -= 1
    if (first.kind === 'word' && verbs.has(first.word)) found.push({ end, next: rest })
    else if (verb && setting.has(verb.word) && isSetting(work, tokens.slice(1)) && isSetting(work, rest))
      found.push({ end, next: [{ ...verb, start: first.start }, ...rest] })
  }
  return found
}

/** `the subheading to "…"`: behind "and", the verb of the clause before is meant. */
function isSetting(work: Work, tokens: readonly Token[]): boolean {
  const to = tokens.slice(0, 12).findIndex(({ word }) => word === 'to' || word === ':')
  return to > 0 && (readField(work, tokens.slice(0, to))?.candidates.length ?? 0) > 0
}

/** Plans one clause: every form that matches has to give the same operations. */
function planClause(work: Work, tokens: readonly Token[]): Work | Ask | undefined {
  let done: Work | undefined
  let question: Ask | undefined
  for (const form of forms) {
    for (const readings of matches(work, form, tokens)) {
      try {
        const change = form.plan(work, readings as never, tokens)
        if (!change) continue
        const planned = perform(work, change)
        if (done && !sameJson(done.ops, planned.ops)) return new Ask({ question: texts.twoReadings })
        done = planned
      } catch (error) {
        if (!(error instanceof Ask)) throw error
        // A question with choices is a second reading.
        if (!question || (error.inquiry.choices && !question.inquiry.choices)) question = error
      }
    }
  }
  return question?.inquiry.choices ? question : (done ?? question)
}
