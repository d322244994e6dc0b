import { forgetSent, recordSent } from '../baseline/port.ts'
import type { SiteContent } from '../content/adapter.ts'
import { omittedFrom, slugIsTaken, unreadableSlugs, withCarried } from '../content/carry.ts'
import { checkDestructivePublish } from '../content/destructive.ts'
import { slugsOf } from '../content/diff/index.ts'
import type { Unreadable } from '../content/read-pages.ts'
import {
  listedAfter,
  redirectsOf,
  withHeaderOf,
  withMovesFrom,
  withSettledRedirects,
} from '../content/redirects.ts'
import { withShownText } from '../content/shown-text.ts'
import type { DraftId } from '../scope/port.ts'
import { ownHosts } from '../sites/port.ts'
import { agree } from './agreement.ts'
import { ask, attemptStored } from './attempt.ts'
import { compare, type Compared } from './comparison.ts'
import { withoutNamed } from './entries.ts'
import { commitMessageOf } from './commit-message.ts'
import { lostAddresses } from './notes.ts'
import {
  changedMeanwhile,
  changedWhileChecked,
  draftChanged,
  failed,
  inConflict,
  refused,
  siteAway,
  siteChanged,
  onOtherBranch,
  siteShrunk,
  withNotes,
} from './outcome.ts'
import { partOf } from './part.ts'
import type { PublishParts } from './parts.ts'
import { type Publication, published, type PublishResult } from './port.ts'
import { followedSince, readLogged, resultOf, toTracker, withMessage } from './log.ts'
import type { PublishRequest } from './request.ts'
import { notesAfter } from './scheduled-conflicts.ts'
import type { LogRow, PublishOutcome } from './schemas.ts'

/** One publish, from its comparison to its log entry. */
type Attempt = Pick<Publication, 'publishId' | 'publishedAt' | 'signal'>

/** What a publish compares: `own` is the draft, to which `draft` adds redirects of the site. */
type Sent = Compared & { readonly own: SiteContent }

/** How often a publish is tried if its site changes at the same time. */
const mostTries = 3

/** Creates the publisher: it compares, checks, calls the target, and writes the log, in this order. */
export function createPublisher(parts: PublishParts) {
  const turns = parts.jobs.lock('publish')
  const stopping = new AbortController()
  const begin = (signal: AbortSignal): Attempt => ({
    publishId: parts.ids.uuid(),
    publishedAt: parts.clock.now().toISOString(),
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
        return finish(parts, request, attempt, await send(parts, request, attempt))
      }),
    /** Reads and checks what would be published now, and publishes nothing. */
    async examine(request: PublishRequest) {
      const { compared, refusal } = await prepare(parts, request, begin(stopping.signal))
      return { compared, refusal: refusal && toResult(refusal, request.id, slugsOf(compared.draft)) }
    },
    /** Aborts running publishes, and resolves when all of them are logged. */
    async close(): Promise<void> {
      stopping.abort()
      await turns.idle()
    },
  }
}

/** Calls the target with what was compared and checked; retries if the site changed in between. */
async function send(parts: PublishParts, request: PublishRequest, attempt: Attempt) {
  const { id, target } = request
  let { expect } = request
  for (let tries = 1; ; tries++) {
    const behind = await target.refresh?.(attempt.signal)
    const { compared, publication, open, refusal } = await prepare(parts, { ...request, expect }, attempt)
    if (behind) return { compared, outcome: behind }
    // The draft has followed its site since the caller saw it.
    if (expect !== undefined) expect = compared.version
    if (publication && compared.isOwn) await recordSent(parts.store, id, sentOf(compared, publication))
    const outcome = publication ? await attemptStored(target, publication, parts) : refusal
    // Before its snapshot is stored, with which drafts compare what was read of the site.
    if (publication) await compared.source.mayHaveChanged()
    if (tries === mostTries || outcome.body.code !== siteChanged)
      return { compared, publication, open, outcome }
  }
}

/** What a publish changes, for the record before it is sent: what the draft has, as the site gets it. */
function sentOf({ baseline: before, own, diff, renames, version }: Sent, { pages }: Publication) {
  const differing = diff.pages.filter(({ status }) => status !== 'unchanged')
  const changed = (before ? differing : pages).map(({ slug }) => slug)
  const after = { pages, siteConfig: own.siteConfig }
  return { before, after, changed, renames: renames.between, version }
}

/** Does everything that precedes the call of the target: comparison, rules and checks. */
async function prepare(parts: PublishParts, request: PublishRequest, attempt: Attempt) {
  const { id, named, pinned, part, remove, overwrite = false } = request
  const whole = await compare(parts, id, named, { pinned, overwrite, isShown: !part })
  const chosen = part ? await partOf(whole, part, await ownHosts(id, parts.sites)) : whole
  const rest = remove?.length ? withoutNamed(chosen, remove) : chosen
  const compared: Sent = { ...rest, own: rest.draft, draft: withAddresses(rest) }
  const head = await parts.drafts.head(id)
  const refusal = refusalOf(request, compared, head, parts.clock.now())
  if (refusal?.body.code === 'site_conflict' && part)
    await parts.note(id, { ...whole, version: whole.version ?? 0 }, compared.conflicts)
  if (refusal) return { compared, refusal }
  const publication = await publicationOf(parts, request, attempt, compared, head.leftOut)
  const objection = await objectionTo(parts, publication, pinned ? undefined : compared.version)
  return objection ? { compared, refusal: objection } : { compared, publication, open: whole.conflicts }
}

/** Returns why what was compared is not published, by the first rule that refuses it. */
function refusalOf(
  request: PublishRequest,
  compared: Sent,
  { version: current, leftOut }: { readonly version: number; readonly leftOut: readonly Unreadable[] },
  now: Date,
): PublishOutcome | undefined {
  const { expect, overwrite = false, siteOrigin, allowDelete } = request
  const { draft, version, seen = version, baseline, otherSite } = compared
  if (compared.isOutdated) return changedMeanwhile()
  if (expect !== undefined && (seen !== expect || current !== version)) return draftChanged(current)
  if (compared.conflicts.length > 0 && !overwrite) return inConflict(compared, now)
  if (siteOrigin && otherSite !== undefined) return refused(otherSite)
  const published = baseline && withoutOmitted(baseline, draft, leftOut)
  const verdict = checkDestructivePublish({ pages: draft.pages, baseline: published, leftOut, allowDelete })
  if (!verdict.ok) return { ...refused(verdict.reason), logged: verdict.finding }
  if (compared.isAway && !overwrite) return siteAway
  if (compared.branch && !overwrite) return onOtherBranch(compared.branch)
  if (compared.hasShrunk && compared.isOwn && isUnasked(request, draft)) return siteShrunk
  const blocked = unreadableSlugs(baseline ?? { pages: [] })
  const [taken] = draft.pages.flatMap(({ slug }) => blocked.get(slug) ?? [])
  return taken && failed(400, slugIsTaken(taken), { code: 'slug_unreadable' })
}

/**
 * Whether a publish may not go to a site that has lost most of its pages: after a part or what was scheduled
 * the draft would follow, and a whole draft puts its pages back only on purpose. An empty one has none.
 */
function isUnasked({ part, pinned, overwrite = false }: PublishRequest, { pages }: SiteContent): boolean {
  if (part ?? pinned?.base) return true
  return !overwrite && pinned?.commit === undefined && pages.length > 0
}

/** Returns the published pages without those that the draft had to leave out: they are carried. */
function withoutOmitted({ pages }: SiteContent, draft: SiteContent, skipped: readonly Unreadable[]) {
  const omitted = omittedFrom(new Set(slugsOf(draft)), new Set(slugsOf({ pages })), skipped)
  return pages.filter(({ slug }) => !omitted.has(slug))
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
  parts: PublishParts,
  { id, target, pinned, overwrite, siteOrigin, allowDelete, asCommit }: PublishRequest,
  attempt: Attempt,
  compared: Sent,
  leftOut: readonly Unreadable[],
): Promise<Publication> {
  const { files, scope } = parts
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
    commitMessage: asCommit ? commitMessageOf(compared, await readLogged(id, parts)) : undefined,
    ifMatch: isAgain || overwrite ? undefined : tag,
    ifStored: isAgain ? undefined : storageTag,
  }
}

/** Returns the refusal of a check, or of a draft that is no longer the checked version. */
async function objectionTo(
  { checks, longestCheckMs, drafts, log }: PublishParts,
  publication: Publication,
  version: number | undefined,
): Promise<PublishOutcome | undefined> {
  for (const check of checks) {
    const objection = await ask(check, publication, longestCheckMs, log)
    if (objection) return objection
  }
  if (checks.length === 0 || version === undefined) return undefined
  return (await drafts.head(publication.id)).version === version ? undefined : changedWhileChecked()
}

/** Stores what came of a publish: snapshot, agreement and log; announces it, and returns the answer. */
async function finish(
  parts: PublishParts,
  request: PublishRequest,
  { publishId, publishedAt: at, signal }: Attempt,
  { compared, publication, open = [], outcome }: Awaited<ReturnType<typeof send>>,
): Promise<PublishResult> {
  const { id, target, actor, pinned } = request
  const { snapshots, scope, clock, log } = parts
  const key = scope.key(id)
  const snapshot =
    publication && outcome.ok
      ? await snapshots.keep(id, key, publication, at, { publishId, before: compared.baseline })
      : undefined
  const { version } = compared
  const logged = await readLogged(id, parts)
  const row: LogRow = {
    id: publishId,
    session: key,
    siteId: id.siteId,
    target: target.name,
    at,
    slugs: outcome.slugs ?? [...slugsOf(compared.draft)],
    commit: outcome.commit ?? snapshot,
    snapshot,
    scheduledId: pinned?.scheduledId,
    rolledBackTo: pinned?.commit,
    version,
    followed: outcome.ok ? await followedSince(parts, id, compared, logged) : undefined,
    updatedAt: clock.now().toISOString(),
    carried: publication?.carried.length || undefined,
    actor,
    ...resultOf(outcome, compared, logged),
  }
  const agreed = { ...compared, open, carried: publication?.carried }
  // The log has every publish; what was not agreed on is found by the next comparison.
  const shown = outcome.ok
    ? await agree(parts, request, agreed, outcome, row).catch((err: unknown) => {
        log.error({ err, siteId: id.siteId }, 'a draft could not agree with what was published')
        return undefined
      })
    : undefined
  const behind = shown ?? []
  const tracker = toTracker(outcome, row, id.session)
  const noted = behind.length > 0 ? { ...row, notes: [...behind] } : row
  const ending = await request.ending?.(row, signal.aborted)
  await parts.publishLog.add(id, noted, { tracker, version }, async (tx) => {
    await ending?.(tx)
    if (shown && compared.isOwn) await forgetSent(tx, id)
  })
  await announce(row, id, parts)
  if (!outcome.ok)
    log.warn({ target: target.name, siteId: id.siteId, status: outcome.httpStatus }, 'publish failed')
  const isAnswered = outcome.ok && pinned?.scheduledId === undefined
  const later = isAnswered ? await notesAfter(parts, id, compared) : []
  const lost = outcome.ok && compared.renames.between.size > 0 ? lostAddresses(compared) : []
  const notes = [...behind, ...(compared.notes ?? []), ...lost, ...later]
  return toResult(withNotes(withMessage(outcome, compared), notes), id, row.slugs)
}

async function announce(
  { id, status, at }: LogRow,
  { siteId, session }: DraftId,
  { bus, log }: PublishParts,
): Promise<void> {
  await bus
    .publish(published, { siteId, session, id, status, at })
    .catch((err: unknown) => log.error({ err }, 'the event of a publish could not be sent'))
}

const toResult = (
  { httpStatus, status, body }: PublishOutcome,
  { session }: DraftId,
  slugs: readonly string[],
): PublishResult => ({ httpStatus, body: withShownText({ ...body, status, session, slugs: [...slugs] }) })
