import type { ChatDebug } from '../result.ts'
import { promptExcerpt } from '../sessions/digest.ts'
import type { Told } from '../stages/tell.ts'
import type { PlanningRecord } from './planning-record.ts'
import type { Run } from './run.ts'

const longestReason = 300

/** The facts of a run for whoever looks into it. */
export function debugOf({ how, message, promptHash, request, id, timeline, record }: Run, { outcome, category, reason, source, ops, status, done, place }: Told): ChatDebug {
  const { activeBlockId, activeEditablePath, executionMode } = request
  const { plannerSource, modelUsed, plannerTier } = source
  const skippedOps = (done?.committed.results?.skippedOps ?? []).map((skip) => ({ ...skip }))
  const isFailure = reason !== undefined && (status >= 400 || category === 'planner_refusal' || category === 'operation_failed')
  return {
    traceId: how.id,
    promptHash,
    promptExcerpt: promptExcerpt(message),
    outcome,
    ...(category && { reasonCategory: category }),
    ...(isFailure && { reason: reason.slice(0, longestReason) }),
    ...(ops && { intent: 'edit_plan', opTypes: [...new Set(ops.map(({ op }) => op))], opCount: ops.length }),
    plannerTier,
    modelUsed,
    plannerSource,
    executionMode,
    ...spendingOf(record),
    ...(skippedOps.length > 0 && { skippedOpCount: skippedOps.length, skippedOps }),
    timeline: timeline.read(),
    currentPage: place.slug,
    siteId: id.siteId,
    ...(activeBlockId !== undefined && { activeBlockId }),
    ...(activeEditablePath !== undefined && { activeEditablePath }),
  }
}

/** What models took for a run; nothing where none was called. */
function spendingOf({ meter, facts }: PlanningRecord): Partial<ChatDebug> {
  const { calls, ...total } = meter.total()
  const { attempt = 1, routing } = facts() ?? {}
  return {
    ...(calls > 0 && total),
    ...(attempt > 1 && { planningAttempts: attempt }),
    ...(routing && { routingDecision: { ...routing } }),
  }
}
