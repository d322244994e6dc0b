import type { ShapeIssue } from '../../content/operations/parse.ts'
import type { Page } from '../../content/page.ts'
import { ModelFailure, type ModelCall } from '../../llm/port.ts'
import type { Outcome } from '../planners/plan.ts'
import type { PlanningInput, PlanningRun, RoutingDecision } from '../planners/planner.ts'
import type { Tier } from '../result.ts'
import { ask, EndlessAnswer, type ModelAnswer } from './ask.ts'
import { askAside, type AsideMeans } from './aside.ts'
import { categoryOf, exhausted, givenUp, mostAttempts, planInProse, unrepaired } from './attempt.ts'
import type { Violation } from './checks/check.ts'
import { judge, type Judgement } from './checks/judge.ts'
import { fitted, type Feedback } from './context/fit.ts'
import { levelFor } from './context/levels.ts'
import { editVerbs, modesOf } from './modes.ts'
import { readPlan, type ReadPlan } from './normalise/plan.ts'
import { fromProse, question, toOutcome } from './outcome.ts'
import { planToolName, type PlanTools } from './plan-tool.ts'
import { promptFor } from './prompt/prompt.ts'
import { rulesVersion } from './prompt/rules.ts'
import { complexityIn, isForRouter, routerCall } from './router.ts'
import type { ModelSettings } from './settings.ts'
import { textsFor } from './texts.ts'
import { isWorthThinking } from './thinking.ts'
import { routed, tierFor, type Complexity } from './tier.ts'
import { createTeller } from './told.ts'
import { hasAny, wordsOf } from './words.ts'

export interface SessionMeans extends AsideMeans {
  readonly settings: ModelSettings
  readonly waits: readonly number[]
  readonly tools: PlanTools
  /** One time for the whole run, so that generated ids are the same each time a plan is read. */
  readonly now: Date
}

/** What an answer came to: an outcome at once, a plan or one with a mistake with its text, or nothing to go on with. */
type Reading =
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  | { readonly kind: 'plan'; readonly plan: ReadPlan; readonly text: string }
  | { readonly kind: 'mistaken'; readonly issues: readonly ShapeIssue[]; readonly text: string }
  | { readonly kind: 'unusable'; readonly problem: string }

const maxTokens = 8192
/** A plan that is longer is not sent back, only what is wrong with it. */
const longestPlan = 200_000
/** Room for the plan itself, beside what may be thought. */
const planTokens = 4096

/** Plans one request: asks, reads what comes, asks again where it is no plan, and once more where it does not fit. */
export function createSession(means: SessionMeans, input: PlanningInput, run: PlanningRun): { outcome(): Promise<Outcome> } {
  const { client, settings, log, now } = means
  const words = wordsOf(input.message)
  const modes = modesOf(words, input.selection)
  const texts = textsFor(input.locale)
  const place = { input, words, now }
  const page = pageOf(input)
  const prompt = promptFor(input, modes, { tool: input.findsImages ? means.tools.withImages : means.tools.plain, oneOperationOnly: settings.oneOperationOnly })
  const begin = settings.streamsPlan ? createTeller(run, place) : () => () => undefined
  const level = levelFor(input, words, modes, settings.levels)
  let tries = 0
  let tier: Tier = tierFor(input, words, settings.tier)
  let routing: RoutingDecision | undefined
  let complexity: Complexity | undefined

  /** One call for a plan; `undefined` when the message is too long to ask at all. */
  async function askForPlan(feedback?: Feedback): Promise<ModelAnswer | undefined> {
    const request = fitted(input, page, words, { level, budget: settings.requestBytes, feedback })
    if (!request) return undefined
    const model = client.modelOf(tier)
    log.info({ run: run.id, model, tier, level: request.level, bytes: request.bytes, rules: rulesVersion }, 'model asked for a plan')
    const thinks = settings.thinkingTokens !== undefined && complexity !== 'simple' && (tier === 'reasoning' || isWorthThinking(input, words))
    const call: ModelCall = {
      model,
      maxTokens: thinks ? Math.max(maxTokens, (settings.thinkingTokens ?? 0) + planTokens) : maxTokens,
      tools: prompt.tools,
      ...(thinks ? { thinkingTokens: settings.thinkingTokens } : { forcedTool: planToolName }),
      system: prompt.system,
      messages: [...prompt.history, { role: 'user', texts: [{ text: request.text }] }],
    }
    return asked(call, request.bytes)
  }

  async function asked(call: ModelCall, contextBytes: number): Promise<ModelAnswer> {
    const beginTry = () => {
      tries += 1
      run.attempting?.({ model: call.model, tier, attempt: tries, routing, contextBytes })
      return begin()
    }
    try {
      return await ask({ client, call, tool: planToolName, run, waits: means.waits, begin: beginTry, repeating: failed })
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error
      failed(error)
      throw givenUp(error, input.locale)
    }
  }

  function failed(failure: ModelFailure): void {
    noted(failure)
    run.noted?.({ kind: 'attempt_failed', attempt: tries, category: categoryOf(failure), reason: failure.reason })
  }

  function noted({ kind, status }: ModelFailure): void {
    log.warn({ run: run.id, kind, status }, 'model gave no answer')
  }

  /** Asks the router, whose verdict may choose a smaller model and nothing else. A tier that a person chose needs none. */
  async function route(): Promise<void> {
    if (!settings.router || !isForRouter(input, words, modes)) return
    const answer = input.tier === undefined ? await askAside(means, routerCall(input, client.modelOf('fast')), run) : undefined
    complexity = answer && complexityIn(answer.prose)
    routing = routed(tier, input, complexity)
    tier = routing.to
  }

  /** Reads an answer; prose without a plan is an outcome of its own. */
  function read({ plan, prose }: ModelAnswer): Reading {
    const text = plan ?? planInProse(prose)
    if (text === undefined) return { kind: 'outcome', outcome: fromProse(prose, input) }
    const reading = readPlan(text, place)
    if (reading.kind === 'plan' && reading.plan.repairs.length + reading.plan.dropped > 0) {
      log.info({ run: run.id, repairs: reading.plan.repairs, dropped: reading.plan.dropped }, 'plan repaired')
    }
    return reading.kind === 'unusable' ? reading : { ...reading, text }
  }

  /** Asks for a plan and reads what comes. */
  async function answered(feedback?: Feedback): Promise<Reading> {
    try {
      const answer = await askForPlan(feedback)
      if (answer) return read(answer)
      return { kind: 'outcome', outcome: question(texts.tooLong(Math.floor(settings.requestBytes / 2)), input, []) }
    } catch (error) {
      if (error instanceof EndlessAnswer) return { kind: 'unusable', problem: error.message }
      throw error
    }
  }

  /** Asks until there is something to go on with, at most three times. */
  async function attempts(): Promise<Exclude<Reading, { readonly kind: 'unusable' }>> {
    const problems: string[] = []
    let wasEvaded = false
    for (;;) {
      const reading = await answered(problems.length > 0 ? { problem: problems.at(-1) } : undefined)
      if (reading.kind !== 'unusable' && (wasEvaded || !isEvasion(reading))) return reading
      if (reading.kind !== 'unusable') {
        wasEvaded = true
        if (input.tier === undefined) upgrade(settings.tier === 'fast' ? 'balanced' : settings.tier)
      }
      const problem = reading.kind === 'unusable' ? reading.problem : 'the request asks for an edit, and the answer has none'
      problems.push(problem)
      log.warn({ run: run.id, attempt: problems.length, problem }, 'answer is no plan')
      run.noted?.({ kind: 'attempt_failed', attempt: tries, category: 'malformed_output', reason: problem })
      if (problems.length === mostAttempts) throw exhausted(problems, input.locale)
      run.emit({ type: 'status', message: texts.again })
    }
  }

  function upgrade(to: Tier): void {
    if (to !== tier) routing = { from: tier, to, reason: 'complex_upgrade' }
    tier = to
  }

  /** An answer in words to a message with the verb of an edit. Whoever asks again and gets it again believes it. */
  function isEvasion(reading: Reading): boolean {
    return reading.kind === 'plan' && reading.plan.intent === 'content_answer' && hasAny(words, editVerbs)
  }

  /** Asks once more for a plan that has mistakes. What comes is judged again, and nothing is asked a third time. */
  async function repaired(problem: readonly Pick<Violation, 'path' | 'message'>[], text: string): Promise<ReadPlan | undefined> {
    log.warn({ run: run.id, paths: problem.map(({ path }) => path) }, 'plan sent back')
    run.noted?.({ kind: 'repair_attempt', reason: problem.map(({ path, message }) => `${path}: ${message}`).join('; ') })
    run.emit({ type: 'status', message: texts.again })
    const reading = await answered({ problem, plan: text.length <= longestPlan ? text : undefined })
    if (reading.kind !== 'plan') return undefined
    run.noted?.({ kind: 'repair_generated', opTypes: opTypesOf(reading.plan) })
    return reading.plan
  }

  async function settled(first: ReadPlan, text: string): Promise<Outcome> {
    if (first.intent !== 'edit_plan' || first.ops.length === 0) return toOutcome(first, input)
    run.noted?.({ kind: 'plan_generated', opTypes: opTypesOf(first) })
    const judged = judge(first.ops, input, words, now)
    if (judged.violations.length === 0) return toOutcome(first, input)
    const second = await repaired(judged.violations, text)
    if (!second || second.ops.length === 0) return left(first, judged)
    const again = judge(second.ops, input, words, now)
    return judged.fits && !again.fits ? left(first, judged) : left(second, again)
  }

  /** What becomes of a plan that was sent back once: what it still lacks is named, or asked about. One that is still broken is refused by whoever applies it. */
  function left(plan: ReadPlan, { untranslated, missed }: Judgement): Outcome {
    if (missed.length > 0) return question(texts.bothButtons, input, [])
    return toOutcome(plan, input, untranslated)
  }

  return {
    async outcome() {
      await route()
      const found = await attempts()
      if (found.kind === 'outcome') return found.outcome
      if (found.kind === 'plan') return settled(found.plan, found.text)
      const plan = await repaired(found.issues, found.text)
      if (!plan) throw unrepaired(found.issues)
      if (plan.intent !== 'edit_plan') return toOutcome(plan, input)
      return left(plan, judge(plan.ops, input, words, now))
    },
  }
}

const opTypesOf = ({ ops }: ReadPlan): readonly string[] => ops.map(({ op }) => op)

/** The page that is worked on; the first one where the selection names none of the draft. */
function pageOf({ draft, selection }: PlanningInput): Page {
  const page = draft.pages.find(({ slug }) => slug === selection.slug) ?? draft.pages[0]
  return page ?? { id: '', slug: selection.slug, title: '', updatedAt: '', blocks: [] }
}
