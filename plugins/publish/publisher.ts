import type { Clock, Ids, Logger } from '../../kernel/index.ts'
import type { Bus } from '../bus/port.ts'
import { checkDestructivePublish } from '../content/destructive.ts'
import type { Actor, Drafts } from '../draft/port.ts'
import type { DraftId, Scope } from '../scope/port.ts'
import type { OwnFiles } from './assets.ts'
import { ask, attempt } from './attempt.ts'
import type { Compare, Pinned } from './comparison.ts'
import type { PublishLog } from './log.ts'
import { type Publication, type PublishCheck, published, type PublishResult, type Snapshots } from './port.ts'
import { resultOf, toTracker } from './record.ts'
import type { LogRow, PublishOutcome } from './schemas.ts'
import type { Store, Transaction } from '../store/port.ts'
import type { Chosen } from './targets/list.ts'
import { refused } from './targets/outcome.ts'
import { createTurns } from './turns.ts'

export interface PublishRequest extends Chosen {
  readonly id: DraftId
  /** The site named in the request, to compare with. */
  readonly named: string | undefined
  readonly allowDelete: boolean
  readonly actor: Actor
  /** The version that the caller saw; any version by default. */
  readonly expect?: number | undefined
  /** What is published instead of the present draft. */
  readonly pinned?: Pinned | undefined
  /** Writes in the transaction of the log entry; `isStopped` if the service stops and has aborted the publish. */
  readonly also?: (tx: Transaction, row: LogRow, isStopped: boolean) => Promise<void>
}

interface PublisherContext {
  readonly compare: Compare
  readonly drafts: Pick<Drafts, 'head'>
  readonly files: OwnFiles
  /** Run in this order, until one refuses. */
  readonly checks: readonly PublishCheck[]
  /** The time limit of each check. */
  readonly longestCheckMs: number
  readonly snapshots: Snapshots
  readonly publishLog: PublishLog
  readonly scope: Scope
  readonly bus: Bus
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Logger
}

/** Creates the publisher. It runs comparison, rules, checks, target, snapshot and log, in this order. */
export function createPublisher(context: PublisherContext) {
  const { compare, drafts, files, snapshots, publishLog, scope, clock, ids, log } = context
  const turns = createTurns(context)
  const stopping = new AbortController()

  /** Does everything that precedes the call of the target: comparison, rules and checks. */
  const prepare = async (request: PublishRequest, publishedAt: string) => {
    const { id, named, target, siteOrigin, allowDelete, expect, pinned } = request
    const compared = await compare(id, named, pinned)
    const { draft, version, baseline, otherSite } = compared
    const { version: currentVersion, leftOut } = await drafts.head(id)
    const { pages: published, unreadable } = baseline ?? {}
    const attempted = { pages: draft.pages, baseline: published, unreadable, leftOut, allowDelete }
    const verdict = checkDestructivePublish(attempted)
    const isOther = expect !== undefined && (version !== expect || currentVersion !== expect)
    if (isOther) return { compared, refusal: refused(draftChanged, 'draft_changed', { currentVersion }) }
    const objection = (siteOrigin && otherSite) ?? (verdict.ok ? undefined : verdict.reason)
    if (objection !== undefined) return { compared, refusal: refused(objection) }

    const { content, assets } = target.takesFiles ? await files.pack(draft) : { content: draft, assets: {} }
    const { signal } = stopping
    const key = scope.key(id)
    const publication = { id, key, ...content, siteOrigin, allowDelete, publishedAt, assets, signal }
    const refusal = await objectionTo(publication, pinned ? undefined : version, context)
    return refusal ? { compared, refusal } : { compared, publication }
  }

  const run = async (request: PublishRequest): Promise<PublishResult> => {
    const { id, target, actor, pinned, also } = request
    const at = clock.now().toISOString()
    const { compared, publication, refusal } = await prepare(request, at)
    const outcome = publication ? await attempt(target, publication, log) : refusal
    const snapshot =
      publication && outcome.ok ? await snapshots.keep(id, scope.key(id), publication, at) : undefined
    const { draft, diff, version } = compared
    const row: LogRow = {
      id: ids.uuid(),
      session: scope.key(id),
      siteId: id.siteId,
      target: target.name,
      at,
      updatedAt: clock.now().toISOString(),
      slugs: outcome.slugs ?? draft.pages.map(({ slug }) => slug),
      commit: outcome.commit ?? snapshot,
      snapshot,
      scheduledId: pinned?.scheduledId,
      rolledBackTo: pinned?.commit,
      actor,
      ...resultOf(outcome, diff, draft.pages.length),
    }
    const tracker = toTracker(outcome, row, id.session)
    await publishLog.add(id, row, { tracker, version }, (tx) => also?.(tx, row, stopping.signal.aborted))
    await announce(row, id, context)
    if (!outcome.ok)
      log.warn({ target: target.name, siteId: id.siteId, status: outcome.httpStatus }, 'publish failed')
    return toResult(outcome, id, row.slugs)
  }

  return {
    /** Publishes a draft. Publishes of one site run one at a time; every result is logged and announced. */
    publish: (request: PublishRequest) => turns.run(request.id.siteId, () => run(request)),
    /** Reads and checks what would be published now, and publishes nothing. */
    async examine(request: PublishRequest) {
      const { compared, refusal } = await prepare(request, clock.now().toISOString())
      const slugs = compared.draft.pages.map(({ slug }) => slug)
      return { compared, refusal: refusal && toResult(refusal, request.id, slugs) }
    },
    /** Aborts running publishes, and resolves when all of them are logged. */
    async close(): Promise<void> {
      stopping.abort()
      await turns.idle()
    },
  }
}

/** Returns the refusal of a check, or of a draft that is no longer the checked version. */
async function objectionTo(
  publication: Publication,
  version: number | undefined,
  { checks, longestCheckMs, drafts, log }: PublisherContext,
): Promise<PublishOutcome | undefined> {
  for (const check of checks) {
    const objection = await ask(check, publication, longestCheckMs, log)
    if (objection) return objection
  }
  if (checks.length === 0 || version === undefined) return undefined
  const isChanged = (await drafts.head(publication.id)).version !== version
  return isChanged ? refused(changedWhileChecked, 'draft_changed') : undefined
}

async function announce(
  { id, status, at }: LogRow,
  { siteId, session }: DraftId,
  { bus, log }: PublisherContext,
): Promise<void> {
  await bus
    .publish(published, { siteId, session, id, status, at })
    .catch((err: unknown) => log.error({ err }, 'the event of a publish could not be sent'))
}

const toResult = (
  { httpStatus, status, body }: PublishOutcome,
  { session }: DraftId,
  slugs: readonly string[],
): PublishResult => ({ httpStatus, body: { ...body, status, session, slugs: [...slugs] } })

const draftChanged =
  'The draft was changed after this version of it, so nothing was published. Look at it again, then publish.'

const changedWhileChecked =
  'The draft was changed while it was checked, so nothing was published. Publish again.'
