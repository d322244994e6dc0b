import type { Logger } from '../../../kernel/index.ts'
import type { UsageLog } from '../../usage/port.ts'
import { promptExcerpt } from '../digest.ts'
import type { ChatDebug } from '../result.ts'
import type { Remembered } from '../sessions/memory.ts'
import { longestSuggestion } from '../types/plan.ts'
import { byRules } from '../types/planner.ts'
import type { Ending, Run, RunEnd } from '../types/run.ts'
import type { Rendered } from './render.ts'

/** Creates the result of a run from its rendered ending. */
export type Respond = (run: Run, rendered: Rendered) => RunEnd

/** Results of runs that asked no planner name the provider that `providerFor` returns. */
export const createRespond =
  (providerFor: (requested: string | undefined) => string): Respond =>
  (run, given) => {
    const isLocal = given.source.plannerSource === byRules.plannerSource
    const provider = isLocal && { plannerSource: providerFor(run.request.provider) }
    const rendered = { ...given, source: { ...given.source, ...provider } }
    const {
      status,
      source,
      place,
      result: { suggestions, ...result },
    } = rendered
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
  const { attempt = 1 } = record.facts() ?? {}
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
    ...(skippedOps.length > 0 && { skippedOpCount: skippedOps.length, skippedOps: [...skippedOps] }),
    timeline: record.timeline(),
    currentPage: place.slug,
    siteId: id.siteId,
    ...(activeBlockId !== undefined && { activeBlockId }),
    ...(activeEditablePath !== undefined && { activeEditablePath }),
  }
}

/** Returns the memory entry of a run. */
export function remembered({ message }: Run, { ending, result }: Rendered): Remembered {
  return { said: message, answered: result.summary, question: questionAfter(ending) }
}

const untouching: readonly Ending['kind'][] = ['failed', 'mismatched', 'nothingPending']

function questionAfter(ending: Ending): Remembered['question'] {
  if (ending.kind === 'question' && ending.open) return { kind: 'asked', question: ending.open }
  if (untouching.includes(ending.kind)) return { kind: 'untouched' }
  return { kind: ['question', 'unsupported'].includes(ending.kind) ? 'failed' : 'settled' }
}

/** Stores the model usage of a run, however it ended. */
export async function keepUsage(
  { id, how, record }: Run,
  usage: UsageLog | undefined,
  log: Logger,
): Promise<void> {
  await usage?.add(id, record.meter.calls()).catch((err: unknown) => {
    log.error({ err, run: how.id }, 'failed to store model usage')
  })
}
