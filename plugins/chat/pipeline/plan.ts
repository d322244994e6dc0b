import type { Companion } from '../../draft/port.ts'
import { badAcceptedOps } from '../refusals.ts'
import { texts } from '../texts/texts.ts'
import type { ImageChoice, Outcome, PendingPlan, Plan, Source, Step } from '../types/plan.ts'
import {
  byRules,
  type Planner,
  PlannerFailure,
  type PlanningInput,
  type PlanningRun,
} from '../types/planner.ts'
import type { Ending } from '../types/run.ts'
import { readPicture } from './read-picture.ts'
import { readSiteDescription, readRecentEdits } from './reading.ts'
import { type Chat, checkpoint, inputOf, type MessageRun, type RunContext } from './run.ts'

/** The outcome of a planner, and the input and the image source of this session for the images that it wants. */
interface Planned {
  readonly outcome: Outcome
  readonly source: Source
  readonly input: PlanningInput
  readonly choice: ImageChoice | undefined
}

/** The available planners that call a model. */
export const withModel = ({ planners }: Pick<Chat, 'planners'>): readonly Planner[] =>
  planners.filter(({ available, isLocal }) => available && !isLocal)

/** Returns the provider that results name: the requested or the first available one; `demo` without any. */
export function providerIn(chat: Pick<Chat, 'planners'>, requested: string | undefined): string {
  const available = withModel(chat).map(({ name }) => name)
  return available.find((name) => name === requested) ?? available[0] ?? byRules.plannerSource
}

/** False if all planning is local, and therefore fast. */
export const hasModel = (chat: Chat): boolean => withModel(chat).length > 0

/** Asks the local planners: the first that understands the message decides. */
export async function planLocally(
  { planners }: Chat,
  input: PlanningInput,
  run: PlanningRun,
): Promise<Outcome> {
  let outcome: Outcome = { kind: 'unsupported', suggestions: [] }
  for (const planner of planners.filter(({ available, isLocal }) => available && isLocal)) {
    outcome = await planner.plan(input, run)
    if (outcome.kind !== 'unsupported') break
  }
  return outcome
}

/** Requests that the local planners suggest. */
export async function suggestionsFor(run: MessageRun, context: RunContext): Promise<readonly string[]> {
  const input = { ...inputOf(run, context), message: '', open: undefined }
  const outcome = await planLocally(run.chat, input, planningRun(run))
  return 'suggestions' in outcome ? (outcome.suggestions ?? []) : []
}

/** Asks the planners with a model, the requested one first, or else the local ones. */
export async function planMessage(
  run: MessageRun,
  context: RunContext,
): Promise<Planned | Extract<Ending, { kind: 'failed' }>> {
  const { chat, how, id, message, request } = run
  const input = inputOf(run, context)
  const able = withModel(chat)
  if (able.length === 0) return planByRules(run, input)
  const chosen = chat.images?.chosen(message, input.open)
  if (chosen) await chat.memories.chooseImages(id, chosen)
  const choice = chosen ?? context.memory.images?.choice
  const planningInput = {
    ...input,
    recentEdits: await readRecentEdits(chat, id),
    siteContext: await readSiteDescription(run, context.draft),
    findsImages: chat.images?.available === true,
  }
  const tools: PlanningRun = {
    ...planningRun(run),
    readPicture: (address) => readPicture(chat, id, address, how.signal),
  }
  let outcome: Outcome = { kind: 'unsupported', suggestions: [] }
  let source: Source = byRules
  for (const planner of new Set([...able.filter(({ name }) => name === request.provider), ...able])) {
    checkpoint(run)
    how.emit({ type: 'planner_asked', planner: planner.name })
    try {
      outcome = await planner.plan(planningInput, tools)
    } catch (error) {
      checkpoint(run)
      const failure = failureOf(error, run, planner)
      const byRulesAlone = failure.kind === 'budget' ? await planByRules(run, input) : undefined
      if (byRulesAlone && byRulesAlone.outcome.kind !== 'unsupported') return byRulesAlone
      return { kind: 'failed', failure, source: sourceOf(planner, run) }
    }
    source = sourceOf(planner, run)
    if (outcome.kind !== 'unsupported') break
  }
  return { outcome, source, input, choice }
}

/** Asks the local planners, without a model, or once its budget is spent. */
async function planByRules(run: MessageRun, input: PlanningInput): Promise<Planned> {
  const outcome = await planLocally(run.chat, input, planningRun(run))
  if (outcome.kind === 'plan')
    run.how.emit({ type: 'planned_by_rules', opTypes: outcome.plan.ops.map(({ op }) => op) })
  return { outcome, source: byRules, input, choice: undefined }
}

/** A planner of another plugin may throw anything. */
function failureOf(error: unknown, { chat, how }: MessageRun, { name }: Planner): PlannerFailure {
  if (error instanceof PlannerFailure) return error
  chat.log.error({ err: error, run: how.id, planner: name }, 'a planner failed')
  return new PlannerFailure('unusable', texts.broken(), { cause: error, notice: texts.broken() })
}

const planningRun = ({ how, record }: MessageRun): PlanningRun => ({
  ...record,
  id: how.id,
  signal: how.signal,
  emit(event) {
    record.saw(event)
    how.emit(event)
  },
})

function sourceOf({ name }: Planner, { record }: MessageRun): Source {
  const { model = name, tier } = record.facts() ?? {}
  return { plannerSource: name, modelUsed: model, plannerTier: 'full_llm', modelKey: tier }
}

/** Stores the model usage of a run, however it ended. */
export async function keepUsage({ chat: { usage, log }, id, how, record }: MessageRun): Promise<void> {
  const calls = record.meter.calls()
  if (calls.length === 0) return
  await usage?.add(id, calls).catch((err: unknown) => {
    log.error({ err, run: how.id }, 'failed to store model usage')
  })
}

/** A plan to apply, new from a planner or approved by a person. */
export interface Candidate extends Pick<
  PendingPlan,
  'source' | 'summary' | 'suggestions' | 'notes' | 'steps' | 'images'
> {
  /** The images that a new plan asks for, and what is needed to read them. */
  readonly imageRequest?: { readonly images: readonly unknown[]; readonly planned: Planned }
  readonly isPlanFirst?: boolean | undefined
  /** Removes the pending plan in the transaction of this one. */
  readonly also: Companion
  /** Set if a person has approved the plan, or a part of it. */
  readonly approved?: { readonly plan: PendingPlan; readonly isWhole: boolean }
}

/** Creates a candidate from a plan of a planner. Applying it drops an older pending plan of the same person. */
export function freshPlan({ chat, id, person }: MessageRun, plan: Plan, planned: Planned): Candidate {
  const { summary, remarks = [], suggestions = [], ops, changeLog, images = [], isPlanFirst } = plan
  return {
    source: planned.source,
    summary,
    suggestions,
    isPlanFirst,
    images: [],
    notes: remarks.map((text) => ({ kind: 'said', text })),
    steps: ops.map((op, index): Step => {
      const line = changeLog[index]?.trim()
      return line ? { op, line } : { op }
    }),
    ...(images.length > 0 && { imageRequest: { images, planned } }),
    also: chat.pendingPlans.dropping(id, person),
  }
}

/** Creates a candidate from an approved plan or its accepted operations. Refuses unknown numbers with 400. */
export function approvedPlan(
  { chat, id, request: { acceptedOps } }: MessageRun,
  plan: PendingPlan,
): Candidate {
  const beyond = acceptedOps?.find((number) => number > plan.steps.length)
  if (beyond !== undefined) throw badAcceptedOps(`names operation ${beyond} of ${plan.steps.length}`)
  const numbers = acceptedOps && new Set(acceptedOps)
  const steps = numbers ? plan.steps.filter((_, index) => numbers.has(index + 1)) : plan.steps
  const approved = { plan, isWhole: steps.length === plan.steps.length }
  return { ...plan, steps, approved, also: chat.pendingPlans.taking(id, plan) }
}
