import { promptExcerpt } from '../digest.ts'
import type { ChatDebug } from '../result.ts'
import type { Remembered } from '../sessions/memory.ts'
import { longestSuggestion } from '../types/plan.ts'
import { byRulesAlone, providerIn } from '../types/planner.ts'
import type { Ending, Run, RunEnd } from '../types/run.ts'
import type { Deps } from './deps.ts'
import type { Rendered } from './render.ts'

/** Creates the result of a run from its rendered ending. */
export function respond(run: Run, given: Rendered, deps: Pick<Deps, 'planners' | 'playground'>): RunEnd {
  const isLocal = given.source.plannerSource === byRulesAlone.plannerSource
  const provider = isLocal && { plannerSource: providerIn(deps, run.request.provider) }
  const rendered = { ...given, source: { ...given.source, ...provider } }
  const { status, source, place, result: { suggestions, ...result } } = rendered
  const { plannerSource, modelUsed, plannerTier, modelKey = run.record.facts()?.tier ?? run.tier } = source
  run.record.reached('done')
  // Local planners offer fewer suggestions.
  const most = plannerTier === 'full_llm' ? 5 : 4
  const offered = suggestions?.filter(({ length }) => length <= longestSuggestion).slice(0, most)
  const isElsewhere = result.status === 'applied' && place.slug !== run.request.slug
  return {
    status,
    result: {
      previewVersion: place.version,
      plannerSource,
      modelUsed,
      modelKey,
      ...(isElsewhere && { updatedSlug: place.slug }),
      ...result,
      ...(offered && { suggestions: offered }),
      debug: debugOf(run, rendered),
    },
  }
}

const longestReason = 300

function debugOf(run: Run, rendered: Rendered): ChatDebug {
  const { how, message, promptHash, request, id, record } = run
  const { outcome, category, reason, source, ops, status, ending, place } = rendered
  const { activeBlockId, activeEditablePath, executionMode } = request
  const { plannerSource, modelUsed, plannerTier } = source
  const { skippedOps = [] } = (ending.kind === 'applied' ? ending.done.committed.results : undefined) ?? {}
  const { calls, ...total } = record.meter.total()
  const { attempt = 1, routing } = record.facts() ?? {}
  const isFailure = status >= 400 || category === 'planner_refusal' || category === 'operation_failed'
  return {
    traceId: how.id,
    promptHash,
    promptExcerpt: promptExcerpt(message),
    outcome,
    ...(category && { reasonCategory: category }),
    ...(isFailure && reason !== undefined && { reason: reason.slice(0, longestReason) }),
    ...(ops && { intent: 'edit_plan', opTypes: [...new Set(ops.map(({ op }) => op))], opCount: ops.length }),
    plannerTier,
    modelUsed,
    plannerSource,
    executionMode,
    ...(calls > 0 && total),
    ...(attempt > 1 && { planningAttempts: attempt }),
    ...(routing && { routingDecision: { ...routing } }),
    ...(skippedOps.length > 0 && { skippedOpCount: skippedOps.length, skippedOps: [...skippedOps] }),
    timeline: record.timeline(),
    currentPage: place.slug,
    siteId: id.siteId,
    ...(activeBlockId !== undefined && { activeBlockId }),
    ...(activeEditablePath !== undefined && { activeEditablePath }),
  }
}

/** Returns the memory entry of a run. A request settles the open question, even if it fails. */
export function remembered({ said }: Run, { ending, result }: Rendered, isRequest = false): Remembered {
  return { said, answered: result.summary, question: questionAfter(ending, isRequest) }
}

const untouching: readonly Ending['kind'][] = ['failed', 'mismatched', 'nothingPending']

function questionAfter(ending: Ending, isRequest: boolean): Remembered['question'] {
  if (ending.kind === 'question' && ending.open) return { kind: 'asked', question: ending.open }
  if (isRequest) return { kind: 'settled' }
  if (untouching.includes(ending.kind)) return { kind: 'untouched' }
  return { kind: ['question', 'unsupported'].includes(ending.kind) ? 'failed' : 'settled' }
}

/** Stores the model usage of a run, however it ended. */
export async function keepUsage({ id, how, record }: Run, { usage, log }: Deps): Promise<void> {
  await usage?.add(id, record.meter.calls()).catch((err: unknown) => {
    log.error({ err, run: how.id }, 'failed to store model usage')
  })
}
