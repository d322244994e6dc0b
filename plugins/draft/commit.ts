import { type Clock, type Logger, pace } from '../../kernel/index.ts'
import type { Bus } from '../bus/port.ts'
import type { Registry } from '../content/model.ts'
import type { DraftId } from '../scope/port.ts'
import type { Reader, Store, Transaction } from '../store/port.ts'
import { answers, type KeptAnswer, type Limits, scopeOf } from './collections.ts'
import { planConfig, planOperations } from './edits/operations.ts'
import { planPages } from './edits/put-pages.ts'
import { planRestore } from './edits/restore.ts'
import { planRollback, planUndo } from './edits/undo.ts'
import { OpenDraft, type OpenContext } from './open-draft.ts'
import { isNothing, type Plan } from './planned.ts'
import {
  draftChanged, type ChangeEvent, type ChangeParticipant, type Committed, type CommitRequest, type Edit,
  type ToAnswer,
} from './port.ts'
import { prepare } from './prepare.ts'
import { keptAnswers, prune } from './prune.ts'
import { keyReused, versionMismatch } from './refusals.ts'

export interface CommitContext extends OpenContext {
  readonly store: Store
  readonly bus: Bus
  readonly clock: Clock
  readonly log: Logger
  readonly registry: Registry
  readonly limits: Limits
  readonly participants: readonly ChangeParticipant[]
}

/** One of several changes of a draft in the same transaction. */
interface Attempt {
  /** Changes the open draft or leaves it unchanged; resolves with a function to call once that is durable. */
  run(draft: OpenDraft): Promise<() => void>
  fail(error: unknown): void
}

/**
 * The single write path of drafts: all writes in one transaction, the event once the transaction is durable.
 *
 * Changes of a draft that arrive before its transaction begins share it and run in order: each sees the
 * earlier ones, and a refused change writes nothing. No change is answered before all are durable.
 */
export function createCommit(context: CommitContext): <A>(request: CommitRequest, toAnswer: ToAnswer<A>) => Promise<A> {
  const { store, bus, clock, log, memory, limits, participants } = context
  /** Changes whose transaction has not begun, by draft. */
  const waiting = new Map<string, Attempt[]>()

  function join(id: DraftId, attempt: Attempt): void {
    const scope = scopeOf(id)
    const before = waiting.get(scope)
    if (before && before.length < limits.maxChangesPerTransaction) return void before.push(attempt)
    const attempts = [attempt]
    waiting.set(scope, attempts)
    void settle(id, attempts)
  }

  async function settle(id: DraftId, attempts: readonly Attempt[]): Promise<void> {
    const scope = scopeOf(id)
    const begin = (): void => {
      if (waiting.get(scope) === attempts) waiting.delete(scope)
    }
    const run = async (tx: Transaction) => {
      begin()
      const draft = await OpenDraft.open(tx, id, context)
      const since = draft.head.version
      const answers = []
      for (const attempt of attempts) {
        await pace()
        answers.push(await attempt.run(draft))
      }
      await prune(draft, { since, limits, now: clock.now() })
      await draft.close()
      return { draft, answers }
    }
    // Drops the state in memory after a failure: of one transaction, because the next one of its group must
    // not see it, or of a complete group, if the store cannot write.
    const forgetful = <T>(work: Promise<T>): Promise<T> =>
      work.catch((error: unknown) => {
        memory.forget(scope)
        throw error
      })
    try {
      const { draft, answers } = await forgetful(store.transaction((tx) => forgetful(run(tx))))
      draft.show()
      for (const answer of answers) {
        await pace()
        answer()
      }
    } catch (error) {
      begin()
      for (const attempt of attempts) attempt.fail(error)
    }
  }

  const announce = (event: ChangeEvent): void =>
    void bus.publish(draftChanged, event).catch((err: unknown) => log.error({ err }, 'the event of a change could not be sent'))

  return <A>(request: CommitRequest, toAnswer: ToAnswer<A>) =>
    new Promise<A>((resolve, reject) => {
      join(request.id, {
        async run(draft) {
          let ready: Awaited<ReturnType<typeof toReady>>
          try {
            ready = await toReady(draft, request, context)
          } catch (error) {
            return () => reject(error)
          }
          const { known } = ready
          // The answer is from `toAnswer` of the same request, and went through JSON like every answer.
          if (known) return () => resolve(known.answer as A)
          const { planned, change, now, companion } = ready
          if (change && !isNothing(planned)) {
            await draft.take(change)
            for (const write of participants) await write(draft.tx, change.event, planned.pages)
          }
          const committed = await toCommitted(draft, planned, request.edit)
          await companion?.(committed)
          const answer = toAnswer(committed)
          if (request.idempotency) {
            const { key, fingerprint } = request.idempotency
            await draft.tx.of(answers).put(draft.scope, key, { body: { fingerprint, answer }, columns: { at: now.toISOString() } })
          }
          if (!change) return () => resolve(answer)
          return () => {
            announce(change.event)
            resolve(answer)
          }
        },
        fail: reject,
      })
    })
}

/** Plans a change without writing, or finds the stored answer of its key. */
async function toReady(draft: OpenDraft, request: CommitRequest, { clock, registry, limits }: CommitContext) {
  const { edit, expect, idempotency, also } = request
  const now = clock.now()
  const known = idempotency && (await answerTo(idempotency, draft.tx.of(answers), draft.scope, now))
  if (known) return { known }
  if (expect !== undefined && expect !== 'any' && expect !== draft.head.version) throw versionMismatch(draft.head.version)
  const companion = await also?.(draft.tx)
  const planned = await planEdit(draft, edit, registry, now)
  const change = isNothing(planned) ? undefined : await prepare(draft, planned, request, { limits, now })
  return { known: undefined, planned, change, now, companion }
}

/** Returns the stored answer of a key; refuses with 422 if the key was used for another request. */
export async function answerTo(
  { key, fingerprint }: NonNullable<CommitRequest['idempotency']>,
  kept: Reader<KeptAnswer, (typeof answers)['columns']>,
  scope: string,
  now: Date,
): Promise<{ readonly answer: unknown } | undefined> {
  const known = await kept.get(scope, key)
  if (!known || Date.parse(known.columns.at) + keptAnswers <= now.getTime()) return undefined
  if (known.body.fingerprint !== fingerprint) throw keyReused()
  return { answer: known.body.answer }
}

function planEdit(draft: OpenDraft, edit: Edit, registry: Registry, now: Date): Promise<Plan> {
  switch (edit.kind) {
    case 'operations':
      return planOperations(draft, edit, { registry, now })
    case 'config':
      return planConfig(draft, edit)
    case 'pages':
      return planPages(draft, edit, { registry, now })
    case 'undo':
    case 'redo':
      return planUndo(draft, edit, now)
    case 'restore':
      return planRestore(draft, edit, now)
    case 'rollback':
      return planRollback(draft, edit, now)
  }
}

async function toCommitted(draft: OpenDraft, planned: Plan, edit: Edit): Promise<Committed> {
  const { slug, kept } = planned
  const about = {
    previewVersion: draft.head.version,
    kept,
    ...(edit.kind === 'pages' && { slugs: (await draft.places()).order }),
    ...(slug !== undefined && (await stepsOf(draft, slug))),
  }
  if (isNothing(planned)) {
    const config = edit.kind === 'config' ? await draft.config() : undefined
    return { ...about, changed: false, pages: new Map(), notes: [], config, navigateToSlug: slug }
  }
  const { pages, config, navigateToSlug, results, log, notes = [] } = planned
  return { ...about, changed: true, pages, notes, config, results, ops: results && log.ops, navigateToSlug }
}

async function stepsOf(draft: OpenDraft, slug: string): Promise<Pick<Committed, 'slug' | 'canUndo' | 'canRedo'>> {
  const { undo, redo } = await draft.stack(slug)
  return { slug, canUndo: undo.length > 0, canRedo: redo.length > 0 }
}
