import { type Outcome, PlannerFailure, type PlanningInput, type PlanningRun } from '../chat/port.ts'
import type { ShapeIssue } from '../content/operations/parse.ts'
import { isPlainObject } from '../content/plain-object.ts'
import { wordsOf } from '../content/words.ts'
import { readJson } from './answer/json.ts'
import { judge, type Judgement } from './answer/judge.ts'
import { type PlanReading, readPlan, type ReadPlan } from './answer/plan.ts'
import { askUntilUsable, type ModelDeps } from './call/ask.ts'
import { createAsker } from './call/asker.ts'
import { hasEditVerb, isWide } from './language.ts'
import { contextOf } from './prompt/context.ts'
import type { Feedback } from './prompt/prompt.ts'
import type { PlanTools } from './prompt/tool.ts'
import { textsFor } from './texts.ts'

/** `now` is fixed for the complete run: generated ids are the same each time a plan is read. */
export type SessionDeps = ModelDeps & { readonly tools: PlanTools; readonly now: Date }

/** A longer plan is not sent back, only its problems. */
const longestPlan = 200_000
const mostNamed = 5
const shortestQuestion = 21

/** Plans one request: asks, reads the answer, retries unless it is a plan, and asks once for a repair. */
export async function planRequest(deps: SessionDeps, input: PlanningInput, run: PlanningRun): Promise<Outcome> {
  const { settings, log, now } = deps
  const words = wordsOf(input.message)
  const texts = textsFor(input.locale)
  const context = contextOf(input, words, settings.requestBytes)
  if (!context) return question(texts.tooLong(Math.floor(settings.requestBytes / 2)), input)
  const subject = { input, words, now, context }
  const asker = createAsker(deps, subject, run)
  const partly = isWide(words) ? context.partly : []
  let hasEvaded = false

  /** Asks for a plan and reads the answer; prose without a plan is a separate outcome. */
  async function answered(feedback?: Feedback): Promise<PlanReading | { readonly kind: 'outcome'; readonly outcome: Outcome }> {
    const answer = await asker.ask(feedback)
    if (!answer) return { kind: 'unusable', problem: 'the answer does not end' }
    const text = answer.plan ?? planInProse(answer.prose)
    if (text === undefined) return { kind: 'outcome', outcome: fromProse(answer.prose, input) }
    const reading = readPlan(text, subject)
    if (reading.kind === 'plan' && reading.plan.repairs.length > 0) {
      const { repairs, isCut } = reading.plan
      log.info({ run: run.id, repairs, dropped: Number(isCut) }, 'plan repaired')
    }
    return reading
  }

  /** Asks once for a repair of a plan with mistakes. The answer is judged again; there is no second repair. */
  async function repaired(problem: readonly ShapeIssue[], text: string): Promise<ReadPlan | undefined> {
    log.warn({ run: run.id, paths: problem.map(({ path }) => path) }, 'plan sent back')
    run.noted?.({ type: 'repair_attempt', reason: problem.map(({ path, message }) => `${path}: ${message}`).join('; ') })
    run.emit({ type: 'status', message: texts.again })
    const reading = await answered({ problem, plan: text.length <= longestPlan ? text : undefined })
    if (reading.kind !== 'plan') return undefined
    run.noted?.({ type: 'repair_generated', opTypes: opTypesOf(reading.plan) })
    return reading.plan
  }

  async function settled(first: ReadPlan, text: string): Promise<Outcome> {
    if (first.intent !== 'edit_plan' || first.ops.length === 0) return toOutcome(first, input, partly)
    run.noted?.({ type: 'plan_generated', opTypes: opTypesOf(first) })
    const before = judge(first.ops, subject)
    if (before.violations.length === 0) return toOutcome(first, input, partly)
    const second = await repaired(before.violations, text)
    if (second && before.unseen.length > 0 && second.intent !== 'edit_plan') return toOutcome(second, input, partly)
    if (!second || second.ops.length === 0) return left(first, before)
    const after = judge(second.ops, subject)
    return before.fits && !after.fits ? left(first, before) : left(second, after)
  }

  /** The outcome of a plan after its one repair: remaining problems are reported or asked about. */
  function left(plan: ReadPlan, { unseen, untranslated, missed }: Judgement): Outcome {
    // Other mistakes are refused when the plan is applied.
    if (unseen.length > 0) throw unrepaired(unseen)
    return missed.length > 0 ? question(texts.bothButtons, input) : toOutcome(plan, input, partly, untranslated)
  }

  await asker.route()
  const found = await askUntilUsable(async (before, attempt) => {
    if (before !== undefined) run.emit({ type: 'status', message: texts.again })
    const reading = await answered(before === undefined ? undefined : { problem: before })
    const isEvasion = !hasEvaded && reading.kind === 'plan' && reading.plan.intent === 'content_answer' && hasEditVerb(words)
    if (reading.kind !== 'unusable' && !isEvasion) return { value: reading }
    hasEvaded ||= isEvasion
    if (isEvasion) asker.upgrade()
    const problem = reading.kind === 'unusable' ? reading.problem : 'the request asks for an edit, and the answer has none'
    log.warn({ run: run.id, attempt, problem }, 'answer is not a plan')
    run.noted?.({ type: 'attempt_failed', attempt: asker.tries, category: 'malformed_output', reason: problem })
    return { problem }
  }, { what: 'noPlan', locale: input.locale })
  if (found.kind === 'outcome') return found.outcome
  if (found.kind === 'plan') return settled(found.plan, found.text)
  const plan = await repaired(found.issues, found.text)
  if (!plan) throw unrepaired(found.issues)
  return plan.intent === 'edit_plan' ? left(plan, judge(plan.ops, subject)) : toOutcome(plan, input, partly)
}

const opTypesOf = ({ ops }: ReadPlan): readonly string[] => ops.map(({ op }) => op)

/** The failure for a plan that still has mistakes after the repair. */
function unrepaired(violations: readonly ShapeIssue[]): PlannerFailure {
  const attempts = violations.map(({ path, message }) => (message.startsWith('ops[') ? message : `${path}: ${message}`))
  return new PlannerFailure('unrepaired', 'The plan of the model cannot be applied, and came back with mistakes when it was sent back. Word the request differently, or ask for less at once.', { attempts })
}

/** The outcome of a plan, with remarks on untranslated texts and on pages shown only in part. */
function toOutcome(plan: ReadPlan, input: PlanningInput, partly: readonly string[], untranslated: readonly string[] = []): Outcome {
  const texts = textsFor(input.locale)
  const { summary, changeLog, ops, suggestions, isCut } = plan
  const images = input.findsImages ? plan.images : []
  const unseen = partly.length > 0 ? [texts.partly(partly.slice(0, mostNamed), partly.length - mostNamed)] : []
  if (plan.isAimless) return question(texts.whichBlock, input, suggestions)
  if (plan.intent === 'needs_clarification') return question(summary, input, suggestions)
  if (plan.intent === 'content_answer') return { kind: 'answer', status: 'info', summary, findings: [...changeLog, ...unseen], suggestions }
  if (ops.length === 0 && images.length === 0) return { kind: 'unchanged', summary: `${summary} ${texts.nothing}` }
  const remarks = [
    ...(untranslated.length > 0 ? [texts.left(untranslated.slice(0, mostNamed), untranslated.length - mostNamed)] : []),
    ...unseen,
    ...(isCut ? [texts.cut] : []),
  ]
  return { kind: 'plan', plan: { summary, ...(remarks.length > 0 && { remarks }), changeLog, ops, suggestions, ...(images.length > 0 && { images }) } }
}

/** Returns a plan that a model wrote as prose; `undefined` if there is none. */
function planInProse(prose: string): string | undefined {
  const value = readJson(prose)?.value
  return isPlainObject(value) && ['ops', 'operations', 'intent', 'op'].some((key) => Object.hasOwn(value, key)) ? prose : undefined
}

/** The outcome of prose without a plan: the prose as a question, or a fixed question if it is too short. */
function fromProse(prose: string, input: PlanningInput): Outcome {
  const { whatInstead, suggestions } = textsFor(input.locale)
  const text = prose.trim()
  return text.length < shortestQuestion ? question(whatInstead, input, suggestions) : question(text, input)
}

/** A question back to the person, which the next message may answer. */
function question(text: string, input: PlanningInput, suggestions: readonly string[] = []): Outcome {
  return { kind: 'question', question: text, suggestions, open: { message: input.message } }
}
