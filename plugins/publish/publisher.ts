import * as v from 'valibot'
import {
  type Clock,
  createKeyedQueue,
  type Ids,
  type Logger,
  Refusal,
  runWithTimeout,
} from '../../kernel/index.ts'
import type { Bus } from '../bus/port.ts'
import { checkDestructivePublish } from '../content/destructive.ts'
import type { Actor, Drafts } from '../draft/port.ts'
import type { DraftId, Scope } from '../scope/port.ts'
import type { OwnFiles } from './assets.ts'
import type { Compared, Comparison } from './comparison.ts'
import type { PublishLog } from './log.ts'
import {
  type Publication,
  type PublishCheck,
  published,
  PublishOutcome,
  type PublishResult,
  type PublishTarget,
  type Snapshots,
} from './port.ts'
import { resultOf, toTracker } from './record.ts'
import type { LogRow } from './schemas.ts'
import type { Chosen } from './targets/list.ts'
import { failed, refused } from './targets/outcome.ts'

export interface PublishRequest extends Chosen {
  readonly id: DraftId
  /** The site named in the request, to compare with. */
  readonly named: string | undefined
  readonly allowDelete: boolean
  readonly actor: Actor
  /** The version that the caller saw; any version by default. */
  readonly expect?: number | undefined
}

/** Creates the publisher. It runs comparison, rules, checks, target, snapshot and log, in this order. */
export function createPublisher(context: {
  readonly comparison: Comparison
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
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Logger
}) {
  const { comparison, drafts, files, checks, longestCheckMs, snapshots, publishLog } = context
  const { scope, bus, clock, ids, log } = context
  const queue = createKeyedQueue()
  const stopping = new AbortController()

  /** Returns the refusal of a check, or of a draft that is no longer the checked version. */
  const objectionTo = async (publication: Publication, version: number) => {
    for (const check of checks) {
      const objection = await ask(check, publication, longestCheckMs, log)
      if (objection) return objection
    }
    const isChanged = checks.length > 0 && (await drafts.head(publication.id)).version !== version
    return isChanged ? refused(changedWhileChecked, 'draft_changed') : undefined
  }

  const send = async (request: PublishRequest, { draft, version }: Compared, at: string) => {
    const { id, target, siteOrigin, allowDelete } = request
    const key = scope.key(id)
    const { content, assets } = target.takesFiles ? await files.pack(draft) : { content: draft, assets: {} }
    const { signal } = stopping
    const publication = { id, key, ...content, siteOrigin, allowDelete, publishedAt: at, assets, signal }
    const outcome = (await objectionTo(publication, version)) ?? (await attempt(target, publication, log))
    const snapshot = outcome.ok ? await snapshots.keep(id, key, content, at) : undefined
    return { outcome, snapshot }
  }

  const announce = async ({ id, status, at }: LogRow, { siteId, session }: DraftId): Promise<void> => {
    const event = { siteId, session, id, status, at }
    await bus
      .publish(published, event)
      .catch((err: unknown) => log.error({ err }, 'the event of a publish could not be sent'))
  }

  const run = async (request: PublishRequest): Promise<PublishResult> => {
    const { id, target, named, allowDelete, actor, expect } = request
    const compared = await comparison.compare(id, named)
    const { draft, baseline, diff, otherSite } = compared
    const startedAt = clock.now().toISOString()
    const verdict = checkDestructivePublish({ pages: draft.pages, baseline: baseline?.pages, allowDelete })
    const { version: currentVersion } = await drafts.head(id)
    const isOther = expect !== undefined && (compared.version !== expect || currentVersion !== expect)
    const objection = (request.siteOrigin && otherSite) ?? (verdict.ok ? undefined : verdict.reason)
    const refusal = isOther
      ? refused(draftChanged, 'draft_changed', { currentVersion })
      : objection === undefined
        ? undefined
        : refused(objection)
    const { outcome, snapshot } = refusal
      ? { outcome: refusal, snapshot: undefined }
      : await send(request, compared, startedAt)

    const row: LogRow = {
      id: ids.uuid(),
      session: scope.key(id),
      siteId: id.siteId,
      target: target.name,
      at: startedAt,
      updatedAt: clock.now().toISOString(),
      slugs: outcome.slugs ?? draft.pages.map(({ slug }) => slug),
      commit: outcome.commit ?? snapshot,
      actor,
      ...resultOf(outcome, diff, draft.pages.length),
    }
    const tracker = toTracker(outcome, row, id.session)
    await publishLog.add(id, row, { tracker, version: compared.version })
    await announce(row, id)
    const { ok, httpStatus, status, body } = outcome
    if (!ok) log.warn({ target: target.name, siteId: id.siteId, status: httpStatus }, 'publish failed')
    return { httpStatus, body: { ...body, status, session: id.session, slugs: row.slugs } }
  }

  return {
    /** Publishes a draft. Publishes of one site run one at a time; every result is logged and announced. */
    publish: (request: PublishRequest) => queue.run(request.id.siteId, () => run(request)),
    /** Aborts running publishes, and resolves when all of them are logged. */
    async close(): Promise<void> {
      stopping.abort()
      await queue.idle()
    },
  }
}

const draftChanged =
  'The draft was changed after this version of it, so nothing was published. Look at it again, then publish.'

const changedWhileChecked =
  'The draft was changed while it was checked, so nothing was published. Publish again.'

const stopped = (): PublishOutcome =>
  failed(502, 'The service was stopped while it published. Publish again.')

/** Asks a check, which may be written without types: only `undefined` accepts a publish. */
async function ask(
  check: PublishCheck,
  publication: Publication,
  timeoutMs: number,
  log: Logger,
): Promise<PublishOutcome | undefined> {
  const late = new Error('the check took too long')
  const limits = { canceled: publication.signal, overdue: () => late }
  try {
    const run = async (signal: AbortSignal): Promise<unknown> => check.check({ ...publication, signal })
    const answer = await runWithTimeout(timeoutMs, run, limits)
    if (answer === undefined) return undefined
    if (typeof answer === 'string' && answer.trim() !== '')
      return refused(answer, check.code ?? 'check_refused')
    throw new Error(`publish check '${check.name}' gave neither a sentence nor undefined`)
  } catch (err) {
    log.error({ err, check: check.name }, 'publish check failed')
    if (publication.signal.aborted) return stopped()
    const why = err === late ? `took longer than ${timeoutMs / 1000} s` : 'failed'
    const reason = `The check '${check.name}' ${why}, so nothing was published. The log of the service may say why.`
    return failed(500, reason, { code: 'check_failed' })
  }
}

/** Calls a target; an error or an invalid outcome is a failed publish. */
async function attempt(target: PublishTarget, publication: Publication, log: Logger) {
  try {
    return completed(readOutcome(target, await target.publish(publication)))
  } catch (err) {
    log.error({ err, target: target.name }, 'publish target failed')
    if (publication.signal.aborted) return stopped()
    if (!(err instanceof Refusal))
      return failed(500, 'The publish failed inside the service. Its log says why.')
    const status = err.status === 502 ? 502 : err.status < 500 ? 400 : 500
    return failed(status, err.reason, { code: err.code })
  }
}

/** Validates an outcome: in-house targets may have no types, and outcomes are stored permanently. */
function readOutcome({ name }: PublishTarget, answer: unknown): PublishOutcome {
  const parsed = v.safeParse(PublishOutcome, answer)
  if (parsed.success) return parsed.output
  const place = v.getDotPath(parsed.issues[0]) ?? 'what it answered'
  throw new Error(
    `publish target '${name}' returned an invalid outcome: ${place} is missing or of the wrong type`,
  )
}

/** Adds a reason and a code to a failure; a site's own refusal keeps its code. */
function completed(outcome: PublishOutcome): PublishOutcome {
  const { ok, httpStatus, body } = outcome
  if (ok) return outcome
  const reason = body.reason ?? body.error ?? 'The publish failed. The log of the service may say why.'
  const verdict = httpStatus === 409 ? {} : { code: body.code ?? 'publish_failed' }
  return { ...outcome, body: { ...body, ...verdict, error: body.error ?? reason, reason } }
}
