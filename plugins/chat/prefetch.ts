import type { Operation } from '../content/operations/index.ts'
import { builtinRegistry } from '../content/registry.ts'
import type { DraftId } from '../scope/port.ts'
import { readDraft, readSession, selectionOf } from './pipeline/context.ts'
import type { Deps } from './pipeline/deps.ts'
import { askLocally } from './pipeline/plan.ts'
import { intentOf } from './pipeline/screen.ts'
import { pageNotFound } from './refusals.ts'
import type { Hint, PrefetchBody } from './schemas.ts'
import type { Outcome } from './types/plan.ts'
import { withModel } from './types/planner.ts'

/**
 * Makes the estimate, while a person types, of how long the answer will take. It asks local planners only.
 *
 * Refuses with 404 when the page is not in the draft.
 */
export function createPrefetch(deps: Pick<Deps, 'drafts' | 'sites' | 'memories' | 'pendingPlans' | 'scope' | 'wholeDrafts' | 'words' | 'planners'>): (body: PrefetchBody) => Promise<Hint> {
  const { scope, wholeDrafts, words, planners } = deps
  return async (body) => {
    const id = scope.draft(body)
    return wholeDrafts.use(id, () => hint(id, body))
  }

  async function hint(id: DraftId, body: PrefetchBody): Promise<Hint> {
    const draft = await readDraft(id, deps)
    const selection = selectionOf(body, draft)
    if (!selection) throw pageNotFound(body.slug)
    const before = await readSession({ id }, deps)
    const message = words.clean(body.message)
    if (intentOf({ request: { executionMode: 'auto' }, message }, before, words) !== 'plan') return replied
    const input = { siteId: id.siteId, message, locale: 'en', draft, selection, registry: builtinRegistry, open: before.memory.asked?.question }
    const outcome = await askLocally(planners, input, { id: 'prefetch', signal: new AbortController().signal, emit: () => undefined })
    return hintFor(outcome, withModel(planners).length > 0)
  }
}

/** A yes or a no to the pending plan needs no planner. */
const replied: Hint = { likelyDeterministic: true, estimatedLatency: 'moderate', inferredAction: null }

/** Without a model, the outcome of the local planners is the answer. */
function hintFor(outcome: Outcome, hasModel: boolean): Hint {
  switch (outcome.kind) {
    case 'plan':
      return { likelyDeterministic: true, estimatedLatency: 'instant', inferredAction: actionOf(outcome.plan.ops[0]) }
    case 'unchanged':
      return { likelyDeterministic: true, estimatedLatency: 'moderate', inferredAction: 'update' }
    case 'answer':
      return { likelyDeterministic: true, estimatedLatency: 'moderate', inferredAction: 'info' }
    case 'question':
      return { likelyDeterministic: !hasModel, estimatedLatency: hasModel ? 'slow' : 'moderate', inferredAction: 'clarify' }
    case 'unsupported':
      return { likelyDeterministic: !hasModel, estimatedLatency: hasModel ? 'slow' : 'moderate', inferredAction: null }
  }
}

function actionOf(op: Operation | undefined): Hint['inferredAction'] {
  switch (op?.op.split('_')[0]) {
    case 'add':
    case 'create':
    case 'duplicate':
      return 'add'
    case 'move':
      return 'move'
    case 'remove':
      return 'remove'
    default:
      return 'update'
  }
}
