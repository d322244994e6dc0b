import * as v from 'valibot'
import { longestSuggestion, type OpenQuestion, type Outcome, type PlanningInput } from '../chat/port.ts'
import { sameJson } from '../content/same-json.ts'
import { shortened } from '../content/words.ts'
import { answerTo, examplesFor, followUps } from './answers.ts'
import { fieldForms } from './forms/fields.ts'
import { itemForms } from './forms/items.ts'
import { pageForms } from './forms/pages.ts'
import { type Form, matches, verbsOf } from './match.ts'
import { ordinalOf } from './names.ts'
import { readBlock, readField } from './references.ts'
import { texts } from './texts.ts'
import { phraseOf, readRequest, type Tokens } from './tokens.ts'
import { type Answerable, Ask, type Choice, perform, startWork, type Work } from './work.ts'

/** All forms. The order does not matter: words that two forms read differently lead to a question. */
export const forms: readonly Form[] = [...fieldForms, ...itemForms, ...pageForms]
const verbs = verbsOf(forms)

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
  const said = input.message.trim().replace(planFirst, '')
  const { message, answers } = (input.open && answerIn(input, input.open, said)) ?? {
    message: said,
    answers: {},
  }
  const request = readRequest(message.length > longestMessage ? '' : message)
  const { tokens, end } = request
  const start = startWork(input, { message, answers, verbs, end })
  const answer = answerTo(start, phraseOf(tokens))
  if (answer) return { kind: 'answer', status: 'info', ...answer, suggestions: examplesFor(start) }
  const isConditional = tokens.some(({ word }) => conditions.has(word))
  const done = request.isQuestion || isConditional ? undefined : planClauses(start, tokens)
  if (!done) return { kind: 'unsupported', suggestions: examplesFor(start) }
  if (done instanceof Ask) return asked(start, done)
  if (done.ops.length === 0) return { kind: 'unchanged', summary: texts.alreadySo }
  const summary = texts.willDo(done.ops.length)
  return { kind: 'plan', plan: { summary, changeLog: [], ops: done.ops, suggestions: followUps(done) } }
}

const conditions: ReadonlySet<string> = new Set(
  "if unless don't dont never not except without instead".split(' '),
)

function asked({ message, answers, ...work }: Work, { message: question, answerable }: Ask): Outcome {
  const { confirms, choices = [] } = answerable
  const labels = [...(confirms === undefined ? [] : [confirms]), ...choices.map(buttonOf)]
  const suggestions = labels.length > 0 ? labels : examplesFor({ message, answers, ...work })
  if (Object.keys(answerable).length === 0) return { kind: 'question', question, suggestions }
  return { kind: 'question', question, suggestions, open: { message, memory: { answers, ...answerable } } }
}

/** The label of a choice, short enough for a button; the number tells shortened ones apart. */
const buttonOf = ({ label }: Choice, at: number): string =>
  label.length <= longestSuggestion ? label : shortened(`${at + 1}. ${label}`, longestSuggestion - 1)

/** State of an open question: what its message has been answered so far, and what may answer it. */
const Memory = v.object({
  answers: v.record(v.string(), v.string()),
  key: v.optional(v.string()),
  choices: v.optional(v.array(v.object({ id: v.string(), label: v.string() })), []),
  joint: v.optional(v.string()),
  confirms: v.optional(v.string()),
})

/** The message that an answer completes, with the answers so far; `undefined` if it is not an answer. */
function answerIn(input: PlanningInput, open: OpenQuestion, said: string) {
  const { success, output } = v.safeParse(Memory, open.memory)
  if (!success) return undefined
  const { answers, key, choices, joint, confirms } = output
  if (confirms !== undefined && /^(?:yes|yes please|yep|ok|okay|sure|do it|go ahead)[.!]?$/i.test(said))
    return { message: confirms, answers }
  const chosen = choiceIn(input, choices, said)
  if (key !== undefined && chosen !== undefined)
    return { message: open.message, answers: { ...answers, [key]: chosen } }
  const [first, ...others] = readRequest(said).tokens
  const isPart =
    joint === ' ' ? !verbs.has(first?.word ?? '') : first?.kind === 'quoted' && others.length === 0
  if (joint === undefined || !first || !isPart) return undefined
  return { message: `${open.message.slice(0, readRequest(open.message).end)}${joint}${said}`, answers }
}

/** The id of the choice that a message names: by its text, by its position, or as a block. */
function choiceIn(
  input: PlanningInput,
  choices: NonNullable<Answerable['choices']>,
  message: string,
): string | undefined {
  const { tokens, end } = readRequest(message)
  const said = message.toLowerCase()
  const labelled = choices.filter((choice, at) =>
    [choice.label, buttonOf(choice, at)].some((text) => text.toLowerCase() === said),
  )
  if (labelled.length === 1) return labelled[0]?.id
  const position = ordinalOf(tokens[0])
  if (position !== undefined && (tokens.length === 1 || (tokens.length === 2 && tokens[1]?.word === 'one')))
    return choices.at(position)?.id
  const blocks = readBlock(startWork(input, { message, verbs, end }), tokens)?.candidates ?? []
  const named = choices.filter(({ id }) => blocks.some((block) => `${id}.`.startsWith(`${block.id}.`)))
  return named.length === 1 ? named[0]?.id : undefined
}

/** Bounds the work for one message. */
const mostClauses = 12

/** Plans clause after clause, each as long as possible; later ones see the effect of earlier ones. */
function planClauses(start: Work, tokens: Tokens): Work | Ask | undefined {
  let [work, rest] = [start, tokens]
  for (let count = 0; count < mostClauses; count += 1) {
    const clauses = clausesAt(work, rest).slice(0, mostClauses)
    let question: Ask | undefined
    let done: { readonly work: Work; readonly next: Tokens } | undefined
    for (const { clause, next } of clauses) {
      const planned = planClause(work, clause)
      if (planned instanceof Ask) question ??= planned
      else if (planned) {
        done = { work: planned, next }
        break
      }
    }
    if (!done) return question
    if (done.next.length === 0) return done.work
    ;({ work, next: rest } = done)
  }
  return undefined
}

const connectors: ReadonlySet<string> = new Set([',', 'and', 'then', ';', '.', '!'])
const setting: ReadonlySet<string> = new Set(['set', 'change', 'update', 'rename'])

/** The possible first clauses, longest first, each with the tokens of the next ones. */
function clausesAt(
  work: Work,
  tokens: Tokens,
): readonly { readonly clause: Tokens; readonly next: Tokens }[] {
  const found = [{ clause: tokens, next: [] as Tokens }]
  const [verb] = tokens
  for (let at = tokens.length - 2; at > 0; at -= 1) {
    const [first, ...others] = tokens.slice(at + 1)
    if (!connectors.has(tokens[at]?.word ?? '') || !first || connectors.has(first.word)) continue
    const clause = tokens.slice(
      0,
      tokens.findLastIndex(({ word }, index) => index < at && !connectors.has(word)) + 1,
    )
    if (first.kind === 'word' && verbs.has(first.word)) found.push({ clause, next: [first, ...others] })
    else if (
      verb &&
      setting.has(verb.word) &&
      isSetting(work, clause.slice(1)) &&
      isSetting(work, [first, ...others])
    )
      found.push({ clause, next: [{ ...verb, start: first.start }, first, ...others] })
  }
  return found
}

/** `the subheading to "…"`: behind "and", the verb of the clause before is meant. */
function isSetting(work: Work, tokens: Tokens): boolean {
  const to = tokens.slice(0, 12).findIndex(({ word }) => word === 'to' || word === ':')
  return to > 0 && (readField(work, tokens.slice(0, to))?.candidates.length ?? 0) > 0
}

/** Plans one clause: every form that matches has to give the same operations. */
function planClause(work: Work, tokens: Tokens): Work | Ask | undefined {
  let done: Work | undefined
  let question: Ask | undefined
  for (const { elements, plan } of forms) {
    for (const readings of matches(work, elements, tokens)) {
      try {
        const change = plan(work, readings as never)
        if (!change) continue
        const planned = perform(work, change)
        if (done && !sameJson(done.ops, planned.ops)) return new Ask(texts.twoReadings)
        done = planned
      } catch (error) {
        if (!(error instanceof Ask)) throw error
        // A question with choices is a second reading.
        if (!question || (error.answerable.choices && !question.answerable.choices)) question = error
      }
    }
  }
  return question?.answerable.choices ? question : (done ?? question)
}
