import { type Outcome, PlannerFailure, type PlanningInput, type PlanningRun } from '../port.ts'
import type { ShapeIssue } from '../../content/operations/parse.ts'
import { isPlainObject } from '../../content/plain-object.ts'
import type { ModelTool } from '../../models/port.ts'
import type { ToolExecutor } from '../../tools/port.ts'
import { readJson } from './answer/json.ts'
import { judge, type Judgement } from './answer/judge.ts'
import { type PlanReading, readPlan, type ReadPlan } from './answer/plan.ts'
import { askUntilUsable, type ModelDeps } from './call/ask.ts'
import { createAsker } from './call/asker.ts'
import { createLookups } from './call/lookups.ts'
import { withoutEmpty } from './describe.ts'
import { outcomeOf, question } from './outcome.ts'
import { contextOf, type Subject } from './prompt/context.ts'
import type { Feedback } from './prompt/prompt.ts'
import { texts } from './texts.ts'
import { wordsOf } from './words.ts'

export { createPlanTool } from './prompt/tool.ts'

interface SessionDeps extends ModelDeps {
  readonly planTool: ModelTool
  /** Fixed for the complete run: generated ids are the same each time a plan is read. */
  readonly now: Date
  readonly executor?: ToolExecutor | undefined
}

/** One request that is being planned. */
interface Session {
  readonly deps: SessionDeps
  readonly run: PlanningRun
  readonly subject: Subject
  readonly asker: ReturnType<typeof createAsker>
}

/** Prose without a plan is an outcome at once. */
type Reading = PlanReading | { readonly kind: 'outcome'; readonly outcome: Outcome }

/** A longer plan is not sent back, only its problems. */
const longestPlan = 200_000
const shortestQuestion = 21

/** Plans one request: asks, reads the answer, retries unless it is a plan, and asks once for a repair. */
export async function planRequest(
  deps: SessionDeps,
  input: PlanningInput,
  run: PlanningRun,
): Promise<Outcome> {
  const { settings, client, now, executor } = deps
  const { requestBytes } = settings
  const words = wordsOf(input.message)
  const context = contextOf(input, words, requestBytes)
  if (!context) return question(texts.tooLong(Math.floor(requestBytes / 2)), input)
  const subject = { input, words, now, context }
  const asking = { executor, input, run, provider: client.provider, mostBytes: requestBytes }
  const lookups = await createLookups(asking)
  const session = { deps, run, subject, asker: createAsker({ ...deps, lookups }, subject, run) }
  const found = await firstReading(session)
  if (found.kind === 'outcome') return found.outcome
  if (found.kind === 'plan') return settled(session, found.plan, found.text)
  const plan = await repaired(session, found.issues, found.text)
  if (!plan) throw unrepaired(found.issues)
  return plan.intent === 'edit_plan'
    ? outcomeAfterRepair(session, plan, judge(plan, subject))
    : toOutcome(session, plan)
}

/** Asks up to three times for an answer that can be read. */
function firstReading(session: Session): Promise<Exclude<Reading, { kind: 'unusable' }>> {
  const { deps, run, asker } = session
  return askUntilUsable(async (before, attempt) => {
    if (before !== undefined) run.emit({ type: 'status', message: texts.again })
    const reading = await answered(session, before === undefined ? undefined : { problem: before })
    if (reading.kind !== 'unusable') return { value: reading }
    const { problem } = reading
    deps.log.warn({ run: run.id, attempt, problem }, 'answer is not a plan')
    const failed = { attempt: asker.tries, category: 'malformed_output', reason: problem } as const
    run.noted?.({ type: 'attempt_failed', ...failed })
    return { problem }
  }, 'noPlan')
}

/** Asks for a plan and reads the answer. */
async function answered(
  { deps: { log }, run, subject, asker }: Session,
  feedback?: Feedback,
): Promise<Reading> {
  const answer = await asker.ask(feedback)
  if (!answer) return { kind: 'unusable', problem: 'the answer does not end' }
  const text = answer.plan ?? planInProse(answer.prose)
  if (text === undefined && answer.toolCalls.length > 0)
    return { kind: 'unusable', problem: 'the answer has no plan' }
  if (text === undefined) return { kind: 'outcome', outcome: fromProse(answer.prose, subject.input) }
  const reading = readPlan(text, subject)
  if (reading.kind !== 'plan') return reading
  const { repairs, isCut } = reading.plan
  if (repairs.length > 0) log.info({ run: run.id, repairs, dropped: Number(isCut) }, 'plan repaired')
  return { ...reading, plan: withoutEmpty(reading.plan, subject.input) }
}

/** Asks once for a repair of a plan with mistakes. The answer is checked again, and is not repaired twice. */
async function repaired(
  session: Session,
  problem: readonly ShapeIssue[],
  text: string,
): Promise<ReadPlan | undefined> {
  const { deps, run } = session
  deps.log.warn({ run: run.id, paths: problem.map(({ path }) => path) }, 'plan sent back')
  const reason = problem.map(({ path, message }) => `${path}: ${message}`).join('; ')
  run.noted?.({ type: 'repair_attempt', reason })
  run.emit({ type: 'status', message: texts.again })
  const reading = await answered(session, { problem, plan: text.length <= longestPlan ? text : undefined })
  if (reading.kind !== 'plan') return undefined
  run.noted?.({ type: 'repair_generated', opTypes: opTypesOf(reading.plan) })
  return reading.plan
}

/** Judges a plan, and has it repaired if it has mistakes. */
async function settled(session: Session, first: ReadPlan, text: string): Promise<Outcome> {
  const { run, subject } = session
  if (first.intent !== 'edit_plan' || first.ops.length === 0) return toOutcome(session, first)
  run.noted?.({ type: 'plan_generated', opTypes: opTypesOf(first) })
  const before = judge(first, subject)
  if (before.violations.length === 0) return toOutcome(session, first)
  const second = await repaired(session, before.violations, text)
  if (second && before.unseen.length > 0 && second.intent !== 'edit_plan') return toOutcome(session, second)
  if (!second || second.ops.length === 0) return outcomeAfterRepair(session, first, before)
  const after = judge(second, subject)
  return before.fits && !after.fits
    ? outcomeAfterRepair(session, first, before)
    : outcomeAfterRepair(session, second, after)
}

/** The outcome of a plan after its one repair: remaining problems are reported or asked about. */
async function outcomeAfterRepair(
  session: Session,
  plan: ReadPlan,
  { unseen, untranslated, missed }: Judgement,
): Promise<Outcome> {
  // Other mistakes are refused when the plan is applied.
  if (unseen.length > 0) throw unrepaired(unseen)
  return missed.length > 0
    ? question(texts.bothButtons, session.subject.input)
    : toOutcome(session, plan, untranslated)
}

const toOutcome = (
  { deps, run, subject }: Session,
  plan: ReadPlan,
  untranslated?: readonly string[],
): Promise<Outcome> =>
  outcomeOf(plan, { ...deps, run, input: subject.input, partly: subject.context.partly, untranslated })

const opTypesOf = ({ ops }: ReadPlan): readonly string[] => ops.map(({ op }) => op)

/** The failure for a plan that still has mistakes after the repair. */
function unrepaired(violations: readonly ShapeIssue[]): PlannerFailure {
  const attempts = violations.map(({ path, message }) =>
    message.startsWith('ops[') ? message : `${path}: ${message}`,
  )
  return new PlannerFailure('unrepaired', texts.unrepaired, { attempts })
}

/** Returns a plan that a model wrote as prose; `undefined` if there is none. */
function planInProse(prose: string): string | undefined {
  const value = readJson(prose)?.value
  const isPlan =
    isPlainObject(value) && ['ops', 'operations', 'intent', 'op'].some((key) => Object.hasOwn(value, key))
  return isPlan ? prose : undefined
}

/** The outcome of prose without a plan: the prose as a question, or a fixed question if it is too short. */
function fromProse(prose: string, input: PlanningInput): Outcome {
  const text = prose.trim()
  return text.length < shortestQuestion
    ? question(texts.whatInstead, input, texts.suggestions)
    : question(text, input)
}
