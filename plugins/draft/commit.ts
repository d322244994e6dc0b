import { Refusal } from '../../kernel/index.ts'
import type { PreparedEvent } from '../bus/port.ts'
import { readsOf } from '../content/batch.ts'
import { metadataOf, answers, type StoredAnswer, versionKey } from './collections.ts'
import type { DraftsContext } from './context.ts'
import { prepare } from './apply.ts'
import { planFollow } from './edits/follow.ts'
import { planReopen } from './edits/reopen.ts'
import { planConfig, planOperations } from './edits/operations.ts'
import { planPages } from './edits/put-pages.ts'
import { planRestore } from './edits/restore.ts'
import { planUndoOfChange } from './edits/undo-change.ts'
import { planStepOfMine } from './edits/undo-mine.ts'
import { planUndo } from './edits/undo.ts'
import type { DraftTransaction } from './transaction.ts'
import type { ChangeSet, EditOf, Unchanged } from './change-set.ts'
import { refuseBlocked } from './edits/skipped.ts'
import { ownSteps } from './log.ts'
import {
  draftChanged,
  type Actor,
  type Committed,
  type CommitRequest,
  type Edit,
  type ToAnswer,
} from './port.ts'
import { toStamp } from '../content/stamp.ts'
import { answerLifetimeMs } from './prune.ts'
import { withRedirects } from './redirects.ts'
import { keyReused, versionMismatch } from './refusals.ts'
import { createQueues, LateFailure } from './together.ts'
import { slugInHistory } from './slug-in-history.ts'

/**
 * The single write path of drafts. Each change goes through three phases in one transaction: it is planned,
 * written and answered; its event is sent once the transaction is durable.
 */
export function createCommit(
  context: DraftsContext,
): <A>(request: CommitRequest, toAnswer: ToAnswer<A>) => Promise<A> {
  const { log } = context
  const join = createQueues(context)
  const failed = (err: unknown): void => log.error({ err }, 'the event of a change could not be sent')

  return <A>(request: CommitRequest, toAnswer: ToAnswer<A>) =>
    new Promise<A>((resolve, reject) => {
      join(request.id, {
        key: request.idempotency?.key,
        async run(draft) {
          const outcome: CommitOutcome = await planChange(draft, request).then(
            async (plan) => ('answer' in plan ? plan : writeChange(draft, plan, toAnswer, request)),
            (error: unknown) => ({ error }),
          )
          return () => {
            if ('error' in outcome) return reject(outcome.error)
            outcome.event?.publish().catch(failed)
            // A stored answer is from `toAnswer` of the same request, and went through JSON like every answer.
            resolve(outcome.answer as A)
          }
        },
        fail: reject,
      })
    })
}

/** Plans a change without writing, or finds the stored answer of its key. */
async function planChange(draft: DraftTransaction, request: CommitRequest) {
  const { edit, expect, idempotency, also } = request
  const now = draft.context.clock.now()
  const answered = idempotency && (await draft.tx.of(answers).get(draft.scope, idempotency.key))
  const earlier = idempotency && answerTo(idempotency, answered, now)
  if (earlier) return earlier
  const { version } = draft.head
  const isStale = expect !== undefined && expect !== 'any' && expect !== version
  if (isStale && !(await isOnlySite(draft, edit, expect))) throw versionMismatch(version)
  const finish = also && (await also(draft.tx))
  const planned = await planEdit(draft, edit, now)
  const isOfSite = edit.kind === 'follow' || (edit.kind === 'pages' && edit.source === 'fill')
  const isOwn = !isOfSite && 'pages' in planned
  const { leftOut } = draft.head.site
  if (isOwn && leftOut.length > 0) refuseBlocked(planned.pages, leftOut)
  const changeSet = isOwn && movesPages(planned) ? await withRedirects(draft, planned) : planned
  const write =
    'isUnchanged' in changeSet
      ? besides(draft, changeSet, now)
      : await prepare(draft, changeSet, request, now)
  return { changeSet, write, now, finish }
}

/** Whether a change adds, removes or renames pages. */
const movesPages = ({ pages, renames }: Pick<ChangeSet, 'pages' | 'renames'>): boolean =>
  (renames && renames.size > 0) || [...pages.values()].some(({ before, after }) => !before || !after)

/** The maximum number of changes that are read to find out whether they touch a batch. */
const mostRead = 64

/** Whether all changes after a version came from the site, and touch nothing that a batch is about. */
async function isOnlySite(draft: DraftTransaction, edit: Edit, since: number): Promise<boolean> {
  const { version } = draft.head
  if (edit.kind !== 'operations' || since > version || version - since > mostRead) return false
  const { pages, config } = readsOf(edit.ops)
  if (pages === 'all') return false
  const rows = await draft.log.records.rows(draft.scope, { after: versionKey(since) })
  return (
    rows.length === version - since &&
    rows.map(metadataOf).every(({ source, slugs, removed = [], ...metadata }) => {
      const isTouched = [...slugs, ...removed].some((slug) => pages.has(slug))
      return source === 'site' && !isTouched && !(config && metadata.config)
    })
  )
}

/** What is stored although no content changes; nothing of a draft that was never stored. */
function besides(draft: DraftTransaction, found: Unchanged, now: Date) {
  if (draft.head.version === 0) return undefined
  if (found.marksRestored)
    return async (): Promise<undefined> => void draft.note({ restoredAt: toStamp(now) })
  if (!found.bases && !found.noted) return undefined
  return async (): Promise<undefined> => void (await draft.rebase(found))
}

type CommitOutcome =
  { readonly event?: PreparedEvent | undefined; readonly answer: unknown } | { readonly error: unknown }

type Plan = Exclude<Awaited<ReturnType<typeof planChange>>, { readonly answer: unknown }>

/**
 * Writes a change with everything that is stored together with it. An error of its own before anything is
 * written refuses this change; a later one is a `LateFailure`.
 */
async function writeChange<A>(
  draft: DraftTransaction,
  { changeSet, write, now, finish }: Plan,
  toAnswer: ToAnswer<A>,
  request: CommitRequest,
): Promise<CommitOutcome> {
  const { participants, bus } = draft.context
  const event = await write?.()
  try {
    if (event && !('isUnchanged' in changeSet)) {
      for (const participate of participants) await participate(draft.tx, event, changeSet.pages)
    }
    const committed = await toCommitted(draft, changeSet, request.edit)
    if (finish) await finish(committed)
    const answer = toAnswer(committed)
    if (request.idempotency) await keepAnswer(draft, answer, request.idempotency, now)
    const prepared = event && bus.prepare(draft.tx, draftChanged, event)
    if (prepared?.written) await draft.send(prepared.written)
    return { event: prepared, answer }
  } catch (error) {
    if (error instanceof Refusal && error.code === 'store_unavailable') throw error
    if (write || finish) throw new LateFailure(error)
    return { error }
  }
}

/** Stores the answer under the key of its request. */
async function keepAnswer(
  draft: DraftTransaction,
  answer: unknown,
  { key, fingerprint }: NonNullable<CommitRequest['idempotency']>,
  now: Date,
): Promise<void> {
  const body = { fingerprint, answer }
  const document = { body, json: JSON.stringify(body), columns: { at: now.toISOString() } }
  await draft.send(draft.tx.of(answers).put(draft.scope, key, document))
}

/** Returns a stored answer that has not expired; refuses with 422 if the key was used for another request. */
export function answerTo(
  { fingerprint }: NonNullable<CommitRequest['idempotency']>,
  stored: StoredAnswer | undefined,
  now: Date,
): { readonly answer: unknown } | undefined {
  if (!stored || Date.parse(stored.columns.at) + answerLifetimeMs <= now.getTime()) return undefined
  if (stored.body.fingerprint !== fingerprint) throw keyReused()
  return { answer: stored.body.answer }
}

function planEdit(draft: DraftTransaction, edit: Edit, now: Date): Promise<ChangeSet | Unchanged> {
  switch (edit.kind) {
    case 'operations':
      return planOperations(draft, edit, now)
    case 'config':
      return planConfig(draft, edit)
    case 'pages':
      return planPages(draft, edit, now)
    case 'undo':
    case 'redo':
      return planStackStep(draft, edit, now)
    case 'undo-change':
      return planUndoOfChange(draft, edit, now)
    case 'follow':
      return planFollow(draft, edit, now)
    case 'reopen':
      return planReopen(draft, edit)
    case 'restore':
      return planRestore(draft, edit, now)
  }
}

/** Plans an undo or a redo of a page that is named in any spelling. */
async function planStackStep(
  draft: DraftTransaction,
  { mine, ...edit }: EditOf<'undo' | 'redo'>,
  now: Date,
): Promise<ChangeSet> {
  const slug = await slugInHistory(edit.slug, draft)
  return mine ? planStepOfMine(draft, { ...edit, slug, mine }, now) : planUndo(draft, { ...edit, slug }, now)
}

async function toCommitted(
  draft: DraftTransaction,
  changeSet: ChangeSet | Unchanged,
  edit: Edit,
): Promise<Committed> {
  const { slug, results, followed, refused } = changeSet
  const { version: previewVersion, site } = draft.head
  const details = {
    previewVersion,
    rebased: site.rebased,
    hadConflicts: site.conflicts !== undefined,
    results,
    followed,
    refused,
    ...(edit.kind === 'pages' && { slugs: (await draft.pages.order()).order }),
    ...(slug !== undefined && (await stepsOf(draft, slug, 'mine' in edit ? edit.mine : undefined))),
  }
  if ('isUnchanged' in changeSet) {
    const config = edit.kind === 'config' ? { ...edit.siteConfig, ...(await draft.config()) } : undefined
    const { notes = [] } = results ?? {}
    return { ...details, changed: false, pages: new Map(), notes, config, navigateToSlug: slug }
  }
  const { pages, config, navigateToSlug, labels, log, notes = [] } = changeSet
  return { ...details, changed: true, pages, notes, config, labels, ops: results && log.ops, navigateToSlug }
}

async function stepsOf(
  draft: DraftTransaction,
  slug: string,
  mine: Actor | undefined,
): Promise<Pick<Committed, 'slug' | 'canUndo' | 'canRedo'>> {
  const stack = await draft.stacks.get(slug)
  const own = mine && (await ownSteps(draft.log, { slug, undo: stack.undo, mine }))
  const { undo, redo } = own ?? stack
  return { slug, canUndo: undo.length > 0, canRedo: redo.length > 0 }
}
