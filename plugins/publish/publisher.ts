import * as v from 'valibot'
import { type Logger, Refusal, runWithTimeout } from '../../kernel/index.ts'
import { forgetSent, recordSent } from '../baseline/port.ts'
import type { SiteContent } from '../content/adapter.ts'
import { notStored, readBack } from '../content/arrival.ts'
import { withCarried } from '../content/carry.ts'
import { slugsOf } from '../content/diff/index.ts'
import type { Unreadable } from '../content/read-pages.ts'
import {
  listedAfter,
  redirectsOf,
  withHeaderOf,
  withMovesFrom,
  withSettledRedirects,
} from '../content/redirects.ts'
import { ownHosts } from '../sites/port.ts'
import { agree } from './agreement.ts'
import { compare, type Compared } from './comparison.ts'
import { followedSince, readLogged } from './log.ts'
import { lostAddresses } from './notes.ts'
import {
  answerOf,
  commitMessageOf,
  type Ended,
  failed,
  refused,
  rowOf,
  type Sent,
  siteChanged,
  trackerOf,
  withNotes,
} from './outcome.ts'
import { partOf, withoutNamed } from './part.ts'
import type { PublishContext } from './context.ts'
import {
  type Publication,
  type PublishCheck,
  published,
  PublishOutcome,
  type PublishResult,
  type PublishTarget,
} from './port.ts'
import type { PublishRequest } from './request.ts'
import { refusalOf } from './rules.ts'
import { notesAfter } from './scheduled-conflicts.ts'

/** One publish, from its comparison to its log entry. */
type Attempt = Pick<Publication, 'publishId' | 'publishedAt' | 'signal'>

/** How often a publish is tried if its site changes at the same time. */
const mostTries = 3

/** Creates the publisher: it compares, checks, calls the target, and writes the log, in this order. */
export function createPublisher(context: PublishContext) {
  const turns = context.jobs.lock('publish')
  const stopping = new AbortController()
  const begin = (signal: AbortSignal): Attempt => ({
    publishId: context.ids.uuid(),
    publishedAt: context.clock.now().toISOString(),
    signal,
  })
  return {
    /**
     * Publishes a draft. Publishes of one site run one at a time; every result is logged and announced.
     * Rejects with the reason of the request's signal if that aborts before its turn: nothing was read or
     * sent.
     */
    publish: (request: PublishRequest) =>
      turns.run(request.id.siteId, async (lost) => {
        const { signal = lost } = request
        signal.throwIfAborted()
        const attempt = begin(AbortSignal.any([stopping.signal, lost, signal]))
        return finish(context, request, attempt, await send(context, request, attempt))
      }),
    /** Reads and checks what would be published now, and publishes nothing. */
    async examine(request: PublishRequest) {
      const { compared, outcome } = await prepare(context, request, begin(stopping.signal))
      return { compared, refusal: outcome && answerOf({ compared, outcome }, request.id.session) }
    },
    /** Aborts running publishes, and resolves when all of them are logged. */
    async close(): Promise<void> {
      stopping.abort()
      await turns.idle()
    },
  }
}

/** Calls the target with what was compared and checked; retries if the site changed in between. */
async function send(context: PublishContext, request: PublishRequest, attempt: Attempt): Promise<Ended> {
  const { id, target } = request
  let { expect } = request
  for (let tries = 1; ; tries++) {
    const behind = await target.refresh?.(attempt.signal).catch(failing(target, attempt.signal, context.log))
    const prepared = await prepare(context, { ...request, expect }, attempt)
    const { compared, publication } = prepared
    if (behind) return { compared, outcome: behind }
    // The draft has followed its site since the caller saw it.
    if (expect !== undefined) expect = compared.version
    if (publication && compared.isOwn) await recordSent(context.store, id, sentOf(compared, publication))
    const outcome = publication ? await callTarget(target, publication, context) : prepared.outcome
    // Before its snapshot is stored, with which drafts compare what was read of the site.
    if (publication) await compared.source.mayHaveChanged()
    if (tries === mostTries || outcome.body.code !== siteChanged) return { ...prepared, outcome }
  }
}

/** Does everything that precedes the call of the target: comparison, rules and checks. */
async function prepare(context: PublishContext, request: PublishRequest, attempt: Attempt) {
  const { id, named, pinned, part, remove, overwrite = false } = request
  const whole = await compare(context, id, named, { pinned, overwrite, isShown: !part })
  const chosen = part ? await partOf(whole, part, await ownHosts(id, context.sites)) : whole
  const rest = remove?.length ? withoutNamed(chosen, remove) : chosen
  const compared: Sent = { ...rest, own: rest.draft, draft: withAddresses(rest) }
  const head = await context.drafts.head(id)
  const refusal = refusalOf(request, compared, head, context.clock.now())
  if (refusal?.body.code === 'site_conflict' && part)
    await context.note(id, { ...whole, version: whole.version ?? 0 }, compared.conflicts)
  if (refusal) return { compared, outcome: refusal }
  const publication = await publicationOf(context, request, attempt, compared, head.leftOut)
  const objection = await objectionTo(context, publication, pinned ? undefined : compared.version)
  return objection ? { compared, outcome: objection } : { compared, publication, open: whole.conflicts }
}

/**
 * Returns what is published, with redirects from the addresses that the site has given pages as well as the
 * draft. They are settled, as the site is sent them: that is what is known of it, and agreed on.
 */
function withAddresses({ draft, baseline, renames: { between, ours } }: Compared): SiteContent {
  const { siteConfig } = draft
  const order = slugsOf(draft)
  const unknown = new Map([...between].filter(([from, to]) => ours.get(from) !== to))
  const moves = { renames: unknown, agreed: redirectsOf(baseline?.siteConfig) }
  const moved = withSettledRedirects(withMovesFrom({ order, siteConfig }, moves), () => order)
  return moved === siteConfig ? draft : { ...draft, siteConfig: moved }
}

async function publicationOf(
  context: PublishContext,
  { id, target, pinned, overwrite, siteOrigin, allowDelete, asCommit }: PublishRequest,
  attempt: Attempt,
  compared: Sent,
  leftOut: readonly Unreadable[],
): Promise<Publication> {
  const { files, scope } = context
  const { draft, baseline, removed, tag, storageTag } = compared
  const { content, assets } = target.takesFiles ? await files.pack(draft) : { content: draft, assets: {} }
  // An earlier publish again replaces the site as it is.
  const isAgain = pinned?.commit !== undefined
  return {
    ...content,
    ...attempt,
    siteConfig: withHeaderOf(content.siteConfig, baseline?.siteConfig),
    redirects: listedAfter(content, baseline, attempt.publishedAt),
    ...(await withCarried(content.pages, baseline, leftOut)),
    id,
    key: scope.key(id),
    siteOrigin,
    allowDelete,
    removed,
    assets,
    commitMessage: asCommit ? commitMessageOf(compared, await readLogged(id, context)) : undefined,
    ifMatch: isAgain || overwrite ? undefined : tag,
    ifStored: isAgain ? undefined : storageTag,
  }
}

/** Returns the refusal of a check, or of a draft that is no longer the checked version. */
async function objectionTo(
  { checks, longestCheckMs, drafts, log }: PublishContext,
  publication: Publication,
  version: number | undefined,
): Promise<PublishOutcome | undefined> {
  for (const check of checks) {
    const objection = await ask(check, publication, longestCheckMs, log)
    if (objection) return objection
  }
  if (checks.length === 0 || version === undefined) return undefined
  return (await drafts.head(publication.id)).version === version ? undefined : changedWhileChecked
}

const changedWhileChecked = refused(
  'The draft was changed while it was checked, so nothing was published. Publish again.',
  'draft_changed',
)

const stopped = (): PublishOutcome =>
  failed(
    502,
    'The service was stopped while it published, or paused so long that others took over. Publish again.',
  )

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

/** What a publish changes, for the record before it is sent: what the draft has, as the site gets it. */
function sentOf({ baseline: before, own, diff, renames, version }: Sent, { pages }: Publication) {
  const differing = diff.pages.filter(({ status }) => status !== 'unchanged')
  const changed = (before ? differing : pages).map(({ slug }) => slug)
  const after = { pages, siteConfig: own.siteConfig }
  return { before, after, changed, renames: renames.between, version }
}

/**
 * Calls a target; an error or an invalid outcome is a failed publish. What is read later is stored before, as
 * long as the publish does not fail.
 */
async function callTarget(
  target: PublishTarget,
  publication: Publication,
  { snapshots, log }: PublishContext,
): Promise<PublishOutcome> {
  const { id, pages, siteConfig, publishId, publishedAt: at, signal } = publication
  if (target.readsLater) await snapshots.keepAhead(id, { pages, siteConfig }, { publishId, at })
  const outcome = await publishTo(target, publication).catch(failing(target, signal, log))
  if (target.readsLater && !outcome.ok) await snapshots.dropAhead(publishId)
  return outcome
}

/** Returns what makes a failed publish of an error of a target. */
const failing =
  ({ name: target }: PublishTarget, signal: AbortSignal, log: Logger) =>
  (err: unknown): PublishOutcome => {
    log.error({ err, target }, 'publish target failed')
    if (signal.aborted) return stopped()
    if (!(err instanceof Refusal))
      return failed(500, 'The publish failed inside the service. Its log says why.')
    if (err.status === 409) return refused(err.reason, err.code)
    const status = err.status === 502 ? 502 : err.status < 500 ? 400 : 500
    return failed(status, err.reason, { code: err.code })
  }

/** Calls a target, and reads back what it has stored. */
async function publishTo(target: PublishTarget, publication: Publication): Promise<PublishOutcome> {
  publication.signal.throwIfAborted()
  const publish = async () => readOutcome(target, await target.publish(publication))
  if (!target.stored) return publish()
  return readBack<PublishOutcome>(publication.entries, {
    before: async () => target.stored?.(),
    publish,
    after: async (outcome) => target.stored?.(outcome),
    isDone: ({ ok }) => ok,
    lost: (slugs) => failed(502, notStored(slugs), { code: 'not_stored' }),
    inPart: (outcome, note) => withNotes(outcome, [note]),
  })
}

/**
 * Validates an outcome, because in-house targets may have no types, and outcomes are stored permanently; adds
 * a reason and a code to a failure. A site's own refusal keeps its code.
 */
function readOutcome({ name }: PublishTarget, answer: unknown): PublishOutcome {
  const { success, output: outcome, issues } = v.safeParse(PublishOutcome, answer)
  if (!success) {
    const place = v.getDotPath(issues[0]) ?? 'what it answered'
    throw new Error(
      `publish target '${name}' returned an invalid outcome: ${place} is missing or of the wrong type`,
    )
  }
  const { ok, httpStatus, body } = outcome
  if (ok) return outcome
  const reason = body.reason ?? body.error ?? 'The publish failed. The log of the service may say why.'
  const verdict = httpStatus === 409 ? {} : { code: body.code ?? 'publish_failed' }
  return { ...outcome, body: { ...body, ...verdict, error: body.error ?? reason, reason } }
}

/** Stores what came of a publish: snapshot, agreement and log; announces it, and returns the answer. */
async function finish(
  context: PublishContext,
  request: PublishRequest,
  { publishId, publishedAt: at, signal }: Attempt,
  ended: Ended,
): Promise<PublishResult> {
  const { id, target, pinned } = request
  const { compared, publication, outcome } = ended
  const { ok, httpStatus } = outcome
  const { siteId, session } = id
  const { snapshots, scope, clock, log, bus } = context
  const key = scope.key(id)
  const before = compared.baseline
  const isSent = publication !== undefined && ok
  const snapshot = isSent ? await snapshots.keep(id, key, publication, at, { publishId, before }) : undefined
  const logged = await readLogged(id, context)
  const followed = ok ? await followedSince(context, id, compared, logged) : undefined
  const updatedAt = clock.now().toISOString()
  const row = rowOf(
    ended,
    request,
    { id: publishId, session: key, at, updatedAt, snapshot, followed },
    logged,
  )
  // The log has every publish; what was not agreed on is found by the next comparison.
  const agreed = ok
    ? await agree(context, request, ended, row).catch((err: unknown) => {
        log.error({ err, siteId }, 'a draft could not agree with what was published')
        return undefined
      })
    : undefined
  const behind = agreed ?? []
  const entry = behind.length > 0 ? { ...row, notes: [...behind] } : row
  const ending = await request.ending?.(row, signal.aborted)
  await context.publishLog.add(id, entry, trackerOf(outcome, row, session), async (tx) => {
    await ending?.(tx)
    if (agreed && compared.isOwn) await forgetSent(tx, id)
  })
  await bus
    .publish(published, { siteId, session, id: publishId, status: row.status, at })
    .catch((err: unknown) => log.error({ err }, 'the event of a publish could not be sent'))
  if (!ok) log.warn({ target: target.name, siteId, status: httpStatus }, 'publish failed')
  const isAnswered = ok && pinned?.scheduledId === undefined
  const later = isAnswered ? await notesAfter(context, id, compared) : []
  const lost = ok && compared.renames.between.size > 0 ? lostAddresses(compared) : []
  return answerOf(ended, session, row.slugs, [...behind, ...(compared.notes ?? []), ...lost, ...later])
}
