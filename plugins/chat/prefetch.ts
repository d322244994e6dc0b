import { builtinRegistry } from '../content/registry.ts'
import { readDraft, readSession, selectionOf } from './pipeline/context.ts'
import type { Deps } from './pipeline/deps.ts'
import { askLocally } from './pipeline/plan.ts'
import { intentOf } from './pipeline/screen.ts'
import { pageNotFound } from './refusals.ts'
import type { Hint, PrefetchBody } from './schemas.ts'
import { verbOf } from './texts/changes.ts'
import type { Verb } from './texts/en.ts'
import type { Outcome } from './types/plan.ts'
import { withModel } from './types/planner.ts'

/**
 * Creates the function that estimates the response time while a person types. It asks local planners only.
 *
 * Refuses with 404 if the page is not in the draft.
 */
export function createPrefetch(deps: Deps): (body: PrefetchBody) => Promise<Hint> {
  const { scope, wholeDrafts, words, planners } = deps
  return async (body) => {
    const id = scope.draft(body)
    return wholeDrafts.use(id, async () => {
      const draft = await readDraft(id, deps)
      const selection = selectionOf(body, draft)
      if (!selection) throw pageNotFound(body.slug)
      const before = await readSession(id, deps)
      const message = words.clean(body.message)
      if (intentOf('auto', message, before, words) !== 'plan') return replied
      const open = before.memory.asked?.question
      const asked = { siteId: id.siteId, message, locale: 'en', open }
      const input = { ...asked, draft, selection, registry: builtinRegistry }
      const run = { id: 'prefetch', signal: new AbortController().signal, emit: () => undefined }
      return hintFor(await askLocally(planners, input, run), withModel(planners).length > 0)
    })
  }
}

/** A yes or a no to the pending plan needs no planner. */
const replied: Hint = { likelyDeterministic: true, estimatedLatency: 'moderate', inferredAction: null }

const answers = { unchanged: 'update', answer: 'info', question: 'clarify', unsupported: null } as const

const changes: Readonly<Partial<Record<Verb, Hint['inferredAction']>>> =
  { add: 'add', create: 'add', duplicate: 'add', move: 'move', remove: 'remove' }

/** Without a model, the outcome of the local planners is the answer. */
function hintFor(outcome: Outcome, hasModel: boolean): Hint {
  if (outcome.kind === 'plan') {
    const [op] = outcome.plan.ops
    const inferredAction = (op && changes[verbOf(op)]) ?? 'update'
    return { likelyDeterministic: true, estimatedLatency: 'instant', inferredAction }
  }
  const isOpen = hasModel && (outcome.kind === 'question' || outcome.kind === 'unsupported')
  const estimatedLatency = isOpen ? 'slow' : 'moderate'
  return { likelyDeterministic: !isOpen, estimatedLatency, inferredAction: answers[outcome.kind] }
}
