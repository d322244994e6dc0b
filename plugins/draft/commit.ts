import { type Clock, type Logger, Refusal } from '../../kernel/index.ts'
import type { Bus } from '../bus/port.ts'
import type { Registry } from '../content/model.ts'
import type { Store } from '../store/port.ts'
import { answers, type Limits, type StoredAnswer } from './collections.ts'
import { prepare } from './apply.ts'
import { planConfig, planOperations } from './edits/operations.ts'
import { planPages } from './edits/put-pages.ts'
import { planRestore } from './edits/restore.ts'
import { planUndoOfChange } from './edits/undo-change.ts'
import { planUndoOfMine } from './edits/undo-mine.ts'
import { planUndo } from './edits/undo.ts'
import type { DraftTransaction, TransactionContext } from './transaction.ts'
import type { ChangeSet, Unchanged } from './change-set.ts'
import {
  draftChanged,
  type ChangeEvent,
  type ChangeParticipant,
  type Committed,
  type CommitRequest,
  type Edit,
  type ToAnswer,
} from './port.ts'
import { answerLifetimeMs } from './prune.ts'
import { keyReused, versionMismatch } from './refusals.ts'
import { createQueues, LateFailure } from './together.ts'

export interface CommitContext extends TransactionContext {
  readonly store: Store
  readonly bus: Bus
  readonly clock: Clock
  readonly log: Logger
  readonly registry: Registry
  readonly limits: Limits
  readonly participants: readonly ChangeParticipant[]
}

/** The single write path of drafts: all writes in one transaction, the event once the transaction is durable. */
export function createCommit(
  context: CommitContext,
): <A>(request: CommitRequest, toAnswer: ToAnswer<A>) => Promise<A> {
  const { bus, log, participants } = context
  const join = createQueues(context)
  const announce = async (event: ChangeEvent): Promise<void> => {
    try {
      await bus.publish(draftChanged, event)
    } catch (err) {
      log.error({ err }, 'the event of a change could not be sent')
    }
  }

  return <A>(request: CommitRequest, toAnswer: ToAnswer<A>) =>
    new Promise<A>((resolve, reject) => {
      join(request.id, {
        key: request.idempotency?.key,
        async run(draft) {
          let ready: Awaited<ReturnType<typeof toReady>>
          try {
            ready = await toReady(draft, request, context)
          } catch (error) {
            return () => reject(error)
          }
          // The answer is from `toAnswer` of the same request, and went through JSON like every answer.
          if ('answer' in ready) {
            const { answer } = ready
            return () => resolve(answer as A)
          }
          const outcome = await applyReady(draft, ready, toAnswer, request, participants)
          return () => {
            if ('error' in outcome) return reject(outcome.error)
            if (outcome.event) void announce(outcome.event)
            resolve(outcome.answer)
          }
        },
        fail: reject,
      })
    })
}

/** Plans a change without writing, or finds the stored answer of its key. */
async function toReady(
  draft: DraftTransaction,
  request: CommitRequest,
  { clock, registry, limits }: CommitContext,
) {
  const { edit, expect, idempotency, also } = request
  const now = clock.now()
  const known = idempotency && answerTo(idempotency, await draft.answer(idempotency.key), now)
  if (known) return known
  const { version } = draft.state.head
  if (expect !== undefined && expect !== 'any' && expect !== version) throw versionMismatch(version)
  const companion = also && (await also(draft.tx))
  const changeSet = await planEdit(draft, edit, registry, now)
  const write =
    'isUnchanged' in changeSet ? undefined : await prepare(draft, changeSet, request, { limits, now })
  return { changeSet, write, now, companion }
}

type Ready = Exclude<Awaited<ReturnType<typeof toReady>>, { readonly answer: unknown }>

/**
 * Writes a change with everything that is stored together with it. An error of its own before anything is written
 * refuses this change; a later one is a `LateFailure`.
 */
async function applyReady<A>(
  draft: DraftTransaction,
  { changeSet, write, now, companion }: Ready,
  toAnswer: ToAnswer<A>,
  { edit, idempotency }: CommitRequest,
  participants: readonly ChangeParticipant[],
): Promise<{ readonly event: ChangeEvent | undefined; readonly answer: A } | { readonly error: unknown }> {
  const event = await write?.()
  try {
    if (event && !('isUnchanged' in changeSet)) {
      for (const participate of participants) await participate(draft.tx, event, changeSet.pages)
    }
    const committed = await toCommitted(draft, changeSet, edit)
    if (companion) await companion(committed)
    const answer = toAnswer(committed)
    if (idempotency) {
      const { key, fingerprint } = idempotency
      const body = { fingerprint, answer }
      const kept = { body, json: JSON.stringify(body), columns: { at: now.toISOString() } }
      await draft.send(draft.tx.of(answers).put(draft.scope, key, kept))
    }
    return { event, answer }
  } catch (error) {
    if (error instanceof Refusal && error.code === 'store_unavailable') throw error
    if (write || companion) throw new LateFailure(error)
    return { error }
  }
}

/** Returns a stored answer that has not expired; refuses with 422 if the key was used for another request. */
export function answerTo(
  { fingerprint }: NonNullable<CommitRequest['idempotency']>,
  known: StoredAnswer | undefined,
  now: Date,
): { readonly answer: unknown } | undefined {
  if (!known || Date.parse(known.columns.at) + answerLifetimeMs <= now.getTime()) return undefined
  if (known.body.fingerprint !== fingerprint) throw keyReused()
  return { answer: known.body.answer }
}

function planEdit(
  draft: DraftTransaction,
  edit: Edit,
  registry: Registry,
  now: Date,
): Promise<ChangeSet | Unchanged> {
  switch (edit.kind) {
    case 'operations':
      return planOperations(draft, edit, { registry, now })
    case 'config':
      return planConfig(draft, edit)
    case 'pages':
      return planPages(draft, edit, { registry, now })
    case 'undo':
      return edit.mine ? planUndoOfMine(draft, { ...edit, mine: edit.mine }, now) : planUndo(draft, edit, now)
    case 'redo':
      return planUndo(draft, edit, now)
    case 'undo-change':
      return planUndoOfChange(draft, edit, now)
    case 'restore':
      return planRestore(draft, edit, now)
  }
}

async function toCommitted(
  draft: DraftTransaction,
  changeSet: ChangeSet | Unchanged,
  edit: Edit,
): Promise<Committed> {
  const { slug } = changeSet
  const about = {
    previewVersion: draft.state.head.version,
    ...(edit.kind === 'pages' && { slugs: (await draft.pageOrder()).order }),
    ...(slug !== undefined && (await stepsOf(draft, slug))),
  }
  if ('isUnchanged' in changeSet) {
    const config = edit.kind === 'config' ? await draft.config() : undefined
    return { ...about, changed: false, pages: new Map(), notes: [], config, navigateToSlug: slug }
  }
  const { pages, config, navigateToSlug, results, log, notes = [] } = changeSet
  return { ...about, changed: true, pages, notes, config, results, ops: results && log.ops, navigateToSlug }
}

async function stepsOf(
  draft: DraftTransaction,
  slug: string,
): Promise<Pick<Committed, 'slug' | 'canUndo' | 'canRedo'>> {
  const { undo, redo } = await draft.stack(slug)
  return { slug, canUndo: undo.length > 0, canRedo: redo.length > 0 }
}
