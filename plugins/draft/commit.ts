import type { Logger } from '../../kernel/index.ts'
import type { Clock } from '../../kernel/index.ts'
import type { Bus } from '../bus/port.ts'
import type { Page } from '../content/page.ts'
import type { Registry } from '../content/model.ts'
import type { DraftId } from '../scope/port.ts'
import type { Reader, Store, Transaction } from '../store/port.ts'
import { answers, scopeOf, type KeptAnswer } from './collections.ts'
import { planConfig } from './edits/config.ts'
import { planOperations } from './edits/operations.ts'
import { planPages } from './edits/put-pages.ts'
import { planRestore } from './edits/restore.ts'
import { planTakeBack } from './edits/take-back.ts'
import type { Limits } from './limits.ts'
import type { DraftMemory } from './memory.ts'
import { OpenDraft } from './open-draft.ts'
import { isNothing, type Nothing, type Planned } from './planned.ts'
import { draftChanged, type Committed, type CommitRequest, type Edit, type ToAnswer } from './port.ts'
import { keptAnswers } from './prune.ts'
import { keyReused, versionMismatch } from './refusals.ts'
import { write, type Written } from './write.ts'

export interface CommitContext {
  readonly store: Store
  readonly bus: Bus
  readonly clock: Clock
  readonly log: Logger
  readonly registry: Registry
  readonly memory: DraftMemory
  readonly limits: Limits
  readonly initialPages: (id: DraftId) => ReadonlyMap<string, Page>
}

/** The one way in which a draft changes: everything in one transaction, the event after it is durable. */
export function createCommit(context: CommitContext): <A>(request: CommitRequest, toAnswer: ToAnswer<A>) => Promise<A> {
  const { store, bus, clock, log, memory, limits } = context

  return async <A>(request: CommitRequest, toAnswer: ToAnswer<A>): Promise<A> => {
    const scope = scopeOf(request.id)
    const run = async (tx: Transaction): Promise<Outcome<A>> => {
      const now = clock.now()
      const draft = await OpenDraft.open(tx, request.id, context)
      const known = request.idempotency && (await answerTo(request.idempotency, tx.of(answers), scope, now))
      // The answer was made by `toAnswer` of the same request, and went through JSON as every answer does.
      if (known) return { answer: known.answer as A, written: undefined, draft }
      const { expect } = request
      if (expect !== undefined && expect !== 'any' && expect !== draft.head.version) throw versionMismatch(draft.head.version)

      const planned = await planEdit(draft, request.edit, context.registry, now)
      const written = isNothing(planned) ? undefined : await write(draft, planned, request, { memory, limits, now })
      const answer = toAnswer(await toCommitted(draft, planned, written, request.edit))
      if (request.idempotency) {
        const { key, fingerprint } = request.idempotency
        await tx.of(answers).put(scope, key, { body: { fingerprint, answer }, columns: { at: now.toISOString() } })
      }
      return { answer, written, draft }
    }
    // What a transaction staged in memory is not stored when it fails: by itself, which the next one of the same
    // group must not see, or with its whole group when the store cannot write.
    const forgetful = <T>(work: Promise<T>): Promise<T> =>
      work.catch((error: unknown) => {
        memory.forget(scope)
        throw error
      })

    const { answer, written, draft } = await forgetful(store.transaction((tx) => forgetful(run(tx))))
    if (written) {
      show(draft, written)
      await bus.publish(draftChanged, written.event).catch((err: unknown) => log.error({ err }, 'a change could not be announced'))
    }
    return answer
  }

  function show({ scope, hot }: OpenDraft, { loaded, head, pageCount }: Written): void {
    hot.visible = { version: head.version, pageCount }
    for (const [slug, page] of loaded) memory.show(scope, hot, slug, page)
  }
}

interface Outcome<A> {
  readonly answer: A
  readonly written: Written | undefined
  readonly draft: OpenDraft
}

/** The answer that is kept under a key; refuses with 422 when the key was used for another request. */
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

async function planEdit(draft: OpenDraft, edit: Edit, registry: Registry, now: Date): Promise<Planned | Nothing> {
  switch (edit.kind) {
    case 'operations':
      return planOperations(draft, edit, { registry, now })
    case 'config':
      return planConfig(draft, edit)
    case 'pages':
      return planPages(draft, edit, { registry, now })
    case 'undo':
    case 'redo':
      return planTakeBack(draft, edit, now)
    case 'restore':
      return planRestore(draft, edit, now)
  }
}

async function toCommitted(draft: OpenDraft, planned: Planned | Nothing, written: Written | undefined, edit: Edit): Promise<Committed> {
  if (isNothing(planned) || !written) {
    const { slug } = planned
    return {
      previewVersion: draft.head.version,
      changed: false,
      pages: new Map(),
      notes: [],
      ...(edit.kind === 'config' && { config: await draft.config() }),
      ...(edit.kind === 'pages' && { slugs: (await draft.places()).order }),
      ...(slug !== undefined && { ...(await stepsOf(draft, slug)), navigateToSlug: slug }),
    }
  }
  const { slug, navigateToSlug, results, notes = [] } = planned
  return {
    previewVersion: written.head.version,
    changed: true,
    pages: planned.pages,
    notes,
    ...(planned.config && { config: planned.config }),
    ...(results && { results }),
    ...(edit.kind === 'pages' && { slugs: (await draft.places()).order }),
    ...(slug !== undefined && (await stepsOf(draft, slug))),
    ...(navigateToSlug !== undefined && { navigateToSlug }),
  }
}

async function stepsOf(draft: OpenDraft, slug: string): Promise<Pick<Committed, 'slug' | 'canUndo' | 'canRedo'>> {
  const { undo, redo } = await draft.stack(slug)
  return { slug, canUndo: undo.length > 0, canRedo: redo.length > 0 }
}
