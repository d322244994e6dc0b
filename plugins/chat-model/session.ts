import type { Outcome, PlanningInput, PlanningRun } from '../chat/port.ts'
import type { ShapeIssue } from '../content/operations/parse.ts'
import { wordsOf } from '../content/words.ts'
import { judge, type Judgement, type Violation } from './answer/judge.ts'
import { fromProse, planInProse, question, toOutcome } from './answer/outcome.ts'
import { readPlan, type ReadPlan } from './answer/plan.ts'
import { EndlessAnswer, type ModelAnswer } from './call/ask.ts'
import { type AskerDeps, createAsker } from './call/asker.ts'
import { exhausted, mostAttempts, unrepaired } from './failures.ts'
import { hasEditVerb, isWide } from './language.ts'
import { contextOf } from './prompt/context.ts'
import type { Feedback } from './prompt/prompt.ts'
import { textsFor } from './texts.ts'

export interface SessionDeps extends AskerDeps {
  /** One time for the whole run, so that generated ids are the same each time a plan is read. */
  readonly now: Date
}

/** What an answer came to: an outcome at once, a plan or one with a mistake with its text, or nothing to go on with. */
type Reading =
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  | { readonly kind: 'plan'; readonly plan: ReadPlan; readonly text: string }
  | { readonly kind: 'mistaken'; readonly issues: readonly ShapeIssue[]; readonly text: string }
  | { readonly kind: 'unusable'; readonly problem: string }

/** A longer plan is not sent back, only its problems. */
const longestPlan = 200_000

/** Plans one request: asks, reads the answer, asks again where it is not a plan, and once more where the plan does not fit. */
export async function planRequest(deps: SessionDeps, input: PlanningInput, run: PlanningRun): Promise<Outcome> {
  const { settings, log, now } = deps
  const words = wordsOf(input.message)
  const texts = textsFor(input.locale)
  const context = contextOf(input, words, settings.requestBytes)
  if (!context) return question(texts.tooLong(Math.floor(settings.requestBytes / 2)), input, [])
  const subject = { input, words, now, context }
  const asker = createAsker(deps, subject, run)
  const outcomeOf = (plan: ReadPlan, untranslated: Judgement['untranslated'] = []): Outcome => toOutcome(plan, input, { untranslated, partly: isWide(words) ? context.partly : [] })

  /** Reads an answer; prose without a plan is an outcome of its own. */
  function read({ plan, prose }: ModelAnswer): Reading {
    const text = plan ?? planInProse(prose)
    if (text === undefined) return { kind: 'outcome', outcome: fromProse(prose, input) }
    const reading = readPlan(text, subject)
    if (reading.kind === 'plan' && reading.plan.repairs.length + reading.plan.dropped > 0) {
      log.info({ run: run.id, repairs: reading.plan.repairs, dropped: reading.plan.dropped }, 'plan repaired')
    }
    return reading.kind === 'unusable' ? reading : { ...reading, text }
  }

  /** Asks for a plan and reads the answer. */
  async function answered(feedback?: Feedback): Promise<Reading> {
    try {
      return read(await asker.ask(feedback))
    } catch (error) {
      if (error instanceof EndlessAnswer) return { kind: 'unusable', problem: error.message }
      throw error
    }
  }

  /** Asks until there is something to go on with, at most three times. */
  async function attempts(): Promise<Exclude<Reading, { readonly kind: 'unusable' }>> {
    const problems: string[] = []
    let hasEvaded = false
    for (;;) {
      const reading = await answered(problems.length > 0 ? { problem: problems.at(-1) } : undefined)
      const isEvasion = reading.kind === 'plan' && reading.plan.intent === 'content_answer' && hasEditVerb(words)
      if (reading.kind !== 'unusable' && (hasEvaded || !isEvasion)) return reading
      hasEvaded ||= isEvasion
      if (isEvasion) asker.upgrade()
      const problem = reading.kind === 'unusable' ? reading.problem : 'the request asks for an edit, and the answer has none'
      problems.push(problem)
      log.warn({ run: run.id, attempt: problems.length, problem }, 'answer is not a plan')
      run.noted?.({ type: 'attempt_failed', attempt: asker.tries, category: 'malformed_output', reason: problem })
      if (problems.length === mostAttempts) throw exhausted(problems, input.locale)
      run.emit({ type: 'status', message: texts.again })
    }
  }

  /** Asks once for a repair of a plan with mistakes. The answer is judged again; there is no second repair. */
  async function repaired(problem: readonly Pick<Violation, 'path' | 'message'>[], text: string): Promise<ReadPlan | undefined> {
    log.warn({ run: run.id, paths: problem.map(({ path }) => path) }, 'plan sent back')
    run.noted?.({ type: 'repair_attempt', reason: problem.map(({ path, message }) => `${path}: ${message}`).join('; ') })
    run.emit({ type: 'status', message: texts.again })
    const reading = await answered({ problem, plan: text.length <= longestPlan ? text : undefined })
    if (reading.kind !== 'plan') return undefined
    run.noted?.({ type: 'repair_generated', opTypes: opTypesOf(reading.plan) })
    return reading.plan
  }

  async function settled(first: ReadPlan, text: string): Promise<Outcome> {
    if (first.intent !== 'edit_plan' || first.ops.length === 0) return outcomeOf(first)
    run.noted?.({ type: 'plan_generated', opTypes: opTypesOf(first) })
    const before = judge(first.ops, subject)
    if (before.violations.length === 0) return outcomeOf(first)
    const second = await repaired(before.violations, text)
    if (second && before.unseen.length > 0 && second.intent !== 'edit_plan') return outcomeOf(second)
    if (!second || second.ops.length === 0) return left(first, before)
    const after = judge(second.ops, subject)
    return before.fits && !after.fits ? left(first, before) : left(second, after)
  }

  /** What becomes of a plan that was sent back once: what it still lacks is named, or asked about. One that is still broken is refused when it is applied, unless it rewrites what was not shown. */
  function left(plan: ReadPlan, { unseen, untranslated, missed }: Judgement): Outcome {
    if (unseen.length > 0) throw unrepaired(unseen)
    return missed.length > 0 ? question(texts.bothButtons, input, []) : outcomeOf(plan, untranslated)
  }

  await asker.route()
  const found = await attempts()
  if (found.kind === 'outcome') return found.outcome
  if (found.kind === 'plan') return settled(found.plan, found.text)
  const plan = await repaired(found.issues, found.text)
  if (!plan) throw unrepaired(found.issues)
  return plan.intent === 'edit_plan' ? left(plan, judge(plan.ops, subject)) : outcomeOf(plan)
}

const opTypesOf = ({ ops }: ReadPlan): readonly string[] => ops.map(({ op }) => op)
