import { builtinRegistry } from '../content/registry.ts'
import { cleanMessage, intentOf } from './message.ts'
import { hasModel, planLocally } from './pipeline/plan.ts'
import { readDraft, readSession, selectionOf } from './pipeline/reading.ts'
import type { Chat } from './pipeline/run.ts'
import { pageNotFound } from './refusals.ts'
import type { Hint, PrefetchBody } from './schemas.ts'
import { verbOf } from './texts/changes.ts'
import type { Verb } from './texts/texts.ts'
import type { Outcome } from './types/plan.ts'

/**
 * Estimates the response time while a person types. It asks local planners only. Refuses with 404 if the page
 * is not in the draft.
 */
export async function prefetch(chat: Chat, body: PrefetchBody, person: string | undefined): Promise<Hint> {
  const id = chat.scope.draft(body)
  return chat.wholeDrafts.use(id, async () => {
    const draft = await readDraft(chat, id)
    const selection = selectionOf(body, draft)
    if (!selection) throw pageNotFound(body.slug)
    const session = await readSession(chat, { id, person })
    const message = cleanMessage(body.message)
    if (intentOf('auto', message, session) !== 'plan') return replied
    const request = { siteId: id.siteId, message, locale: 'en', open: session.memory.openQuestion?.question }
    const { maxOperations } = chat
    const input = { ...request, draft, selection, maxOperations, registry: builtinRegistry }
    const run = { id: 'prefetch', signal: new AbortController().signal, emit: () => undefined }
    return hintFor(await planLocally(chat, input, run), hasModel(chat))
  })
}

/** A yes or a no to the pending plan needs no planner. */
const replied: Hint = { likelyDeterministic: true, estimatedLatency: 'moderate', inferredAction: null }

const answers = {
  unchanged: 'update',
  answer: 'info',
  question: 'clarify',
  variations: null,
  unsupported: null,
} as const

const changes: Readonly<Partial<Record<Verb, Hint['inferredAction']>>> = {
  add: 'add',
  create: 'add',
  duplicate: 'add',
  move: 'move',
  remove: 'remove',
}

/** With a model the model plans; the outcome of the local planners then only tells what is asked for. */
function hintFor(outcome: Outcome, hasModel: boolean): Hint {
  const [op] = outcome.kind === 'plan' ? outcome.plan.ops : []
  const inferredAction =
    outcome.kind === 'plan' ? ((op && changes[verbOf(op)]) ?? 'update') : answers[outcome.kind]
  if (hasModel) return { likelyDeterministic: false, estimatedLatency: 'slow', inferredAction }
  return {
    likelyDeterministic: true,
    estimatedLatency: outcome.kind === 'plan' ? 'instant' : 'moderate',
    inferredAction,
  }
}
