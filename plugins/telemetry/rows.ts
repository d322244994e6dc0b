import * as v from 'valibot'
import type { Clock } from '../../kernel/index.ts'
import type { RunEvent, RunFollower, RunResult, RunStart, RunWork } from '../chat/port.ts'
import { TelemetryRow } from './schemas.ts'

/** The row fields of durations. */
const durations = { apply: 'applyDurationMs', images: 'imageResolutionDurationMs' } as const

type More = Omit<Partial<TelemetryRow>, 'phase'>

/** Follows a run and adds a row for each recorded event. */
export function followRun(
  { id, session, request, modelKey, message, promptHash, promptExcerpt }: RunStart,
  {
    clock,
    excerpts,
    redact,
    add,
  }: {
    readonly clock: Clock
    /** True if excerpts of messages may be stored. */
    readonly excerpts: boolean
    redact(text: string): string
    add(row: TelemetryRow): void
  },
): RunFollower {
  const now = (): number => clock.now().getTime()
  const began = now()
  const common = {
    session,
    requestedSlug: request.slug,
    promptHash,
    promptExcerpt: excerpts ? promptExcerpt : '',
    promptLength: message.length,
  }
  let effectiveSlug = request.slug
  // Until a planner with a model is asked.
  let planner = { plannerSource: 'demo', modelKey, modelUsed: 'rules' }
  let requestedAt = began
  /** The facts of planning so far. */
  let planning: More = {}
  /** The time spent on changing the draft and on finding images, if any. */
  let spent: Pick<TelemetryRow, (typeof durations)[RunWork]> = {}

  function row(phase: TelemetryRow['phase'], { reason, ...more }: More = {}): void {
    const at = clock.now().toISOString()
    const why = reason === undefined ? {} : { reason: redact(reason).slice(0, 300) }
    add({ id, at, phase, ...common, effectiveSlug, ...planner, ...why, ...more })
  }

  function ended(ending: RunResult): void {
    const { result } = ending
    if (result) {
      const { plannerSource, modelKey, modelUsed } = result
      planner = { plannerSource, modelKey, modelUsed }
      effectiveSlug = result.debug.currentPage ?? effectiveSlug
    }
    row('result', { ...planning, ...spent, ...resultOf(ending), totalDurationMs: now() - began })
  }

  row('received')
  return (event) => {
    switch (event.type) {
      case 'context':
        effectiveSlug = event.slug
        return
      case 'milestone':
        if (event.stage === 'first_token')
          planning = { ...planning, firstPlanningTokenMs: now() - requestedAt }
        return row('milestone', { timelineStage: event.stage })
      case 'planned_by_rules':
        return row('deterministic_plan_generated', { outcome: 'deterministic_plan_ready', ...planOf(event) })
      case 'planner_asked':
        requestedAt = now()
        planner = { ...planner, plannerSource: event.planner, modelUsed: event.planner }
        return
      case 'attempt':
        planner = { ...planner, modelKey: event.tier, modelUsed: event.model }
        planning = {
          ...planning,
          planningAttempts: event.attempt,
          ...(event.contextBytes !== undefined && { contextPackBytes: event.contextBytes }),
        }
        return
      case 'attempt_failed':
        return row('plan_attempt_failed', {
          ...planning,
          ...failureOf(event, `attempt_${event.attempt}_failed`),
        })
      case 'plan_generated':
        planning = { ...planning, planningDurationMs: now() - requestedAt }
        return row('plan_generated', { ...planning, ...answerOf(event) })
      case 'repair_attempt':
        planning = { ...planning, schemaRetryUsed: true }
        return row('repair_attempt', { ...planning, outcome: 'repair_started', reason: event.reason })
      case 'repair_generated':
        planning = { ...planning, planningDurationMs: now() - requestedAt }
        return row('repair_generated', { ...planning, outcome: 'repair_plan_generated', ...answerOf(event) })
      case 'work': {
        const duration = durations[event.what]
        // Adding the end and subtracting the start sums up all intervals.
        spent = { ...spent, [duration]: (spent[duration] ?? 0) + (event.isOver ? now() : -now()) }
        return
      }
      case 'plan_apply_failed':
        return row('plan_apply_failed', failureOf(event, event.outcome))
      case 'result':
        return ended(event)
    }
  }
}

const planOf = ({ opTypes }: { readonly opTypes: readonly string[] }): More => ({
  intent: 'edit_plan',
  opTypes: [...new Set(opTypes)],
  opCount: opTypes.length,
})

const failureOf = (
  { category, reason }: { readonly category: string; readonly reason: string },
  outcome: string,
): More => ({ outcome, reasonCategory: category, reason })

const resultOf = ({ outcome, category, reason, result }: RunResult): More => ({
  ...(result && v.parse(Facts, result.debug)),
  outcome,
  ...(category !== undefined && { reasonCategory: category }),
  ...(reason !== undefined && { reason }),
  ...(outcome === 'planning_refusal' && { plannerRefusal: true }),
  ...(outcome === 'planning_incomplete' && { plannerIncomplete: true }),
})

function answerOf(event: Extract<RunEvent, { readonly type: 'plan_generated' | 'repair_generated' }>): More {
  const { calls, ...usage } = event.usage
  return { ...planOf(event), ...(calls > 0 && usage) }
}

/** The facts of a result that its row repeats. */
const Facts = v.pick(TelemetryRow, [
  'intent',
  'opTypes',
  'opCount',
  'skippedOpCount',
  'inputTokens',
  'outputTokens',
  'totalTokens',
  'cacheCreationInputTokens',
  'cacheReadInputTokens',
  'estimatedUsd',
  'plannerTier',
])
