import type { Clock, Ids, Logger } from '../../kernel/index.ts'
import { recordSentRenames, type SiteReader } from '../baseline/port.ts'
import type { Bus } from '../bus/port.ts'
import { omittedFrom, slugIsTaken, unreadableSlugs, withCarried } from '../content/carry.ts'
import { checkDestructivePublish } from '../content/destructive.ts'
import type { SiteContent } from '../content/adapter.ts'
import type { Unreadable } from '../content/read-pages.ts'
import {
  listedAfter,
  redirectsOf,
  withHeaderOf,
  withMovesFrom,
  withSettledRedirects,
} from '../content/redirects.ts'
import { withShownText } from '../content/shown-text.ts'
import type { Actor, Drafts } from '../draft/port.ts'
import { conflictSentence, type createShown, type Follow } from '../follow/port.ts'
import type { Jobs } from '../jobs/port.ts'
import type { DraftId, Scope } from '../scope/port.ts'
import { createAgree } from './agreement.ts'
import type { OwnFiles } from './assets.ts'
import { ask, attemptStored } from './attempt.ts'
import type { Compare, Compared, Pinned } from './comparison.ts'
import { createFollowedSince } from './followed.ts'
import type { PublishLog } from './log.ts'
import { lostAddresses } from './lost-addresses.ts'
import { type Publication, type PublishCheck, published, type PublishResult, type Snapshots } from './port.ts'
import { readLogged, resultOf, toTracker, withMessage } from './record.ts'
import type { LogRow, PublishOutcome } from './schemas.ts'
import { withoutNamed } from './entries.ts'
import { type PublishPart, partOf } from './part.ts'
import { ownHosts, type Sites } from '../sites/port.ts'
import type { Store, Transaction } from '../store/port.ts'
import type { Chosen } from './targets/list.ts'
import { changedMeanwhile, failed, refused, siteChanged, withNotes } from './targets/outcome.ts'

export interface PublishRequest extends Chosen {
  readonly id: DraftId
  /** The site named in the request, to compare with. */
  readonly named: string | undefined
  readonly allowDelete: boolean
  /** Decides for the draft what the site has changed as well. */
  readonly overwrite?: boolean | undefined
  readonly actor: Actor
  /** The version that the caller saw; any version by default. */
  readonly expect?: number | undefined
  /** The changes that are published; all by default. */
  readonly part?: PublishPart | undefined
  /** Entries of the site that cannot be read and are deleted, by their slugs. */
  readonly remove?: readonly string[] | undefined
  /** What is published instead of the present draft. */
  readonly pinned?: Pinned | undefined
  /** Aborts the publish. */
  readonly signal?: AbortSignal
  /**
   * Returns what to write in the transaction of the log entry; `isStopped` if the publish was aborted,
   * because the service stops or another process has the turn of the site.
   */
  readonly ending?: (row: LogRow, isStopped: boolean) => Promise<(tx: Transaction) => Promise<void>>
}

interface PublisherContext extends Pick<ReturnType<typeof createShown>, 'note'> {
  readonly compare: Compare
  readonly reader: Pick<SiteReader, 'sent' | 'mayHaveChanged'>
  readonly follow: Follow
  readonly drafts: Pick<Drafts, 'head' | 'log' | 'changesAfter'>
  readonly files: OwnFiles
  readonly sites: Pick<Sites, 'previewUrl'>
  /** Run in this order, until one refuses. */
  readonly checks: readonly PublishCheck[]
  /** The time limit of each check. */
  readonly longestCheckMs: number
  readonly snapshots: Snapshots
  readonly publishLog: PublishLog
  /** Returns notes about what a publish of now makes fail later. */
  readonly notesAfter: (id: DraftId, compared: Compared) => Promise<readonly string[]>
  readonly scope: Scope
  readonly bus: Bus
  readonly store: Store
  readonly jobs: Jobs
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Logger
}

/** One publish, from its comparison to its log entry. */
type Attempt = Pick<Publication, 'publishId' | 'publishedAt' | 'signal'>

/** How often a publish is tried if its site changes at the same time. */
const mostTries = 3

/** Creates the publisher. It runs comparison, rules, checks, target, snapshot and log, in this order. */
export function createPublisher(context: PublisherContext) {
  const { compare, note, reader, drafts, files, sites, snapshots, publishLog, scope, clock, ids, log } =
    context
  const turns = context.jobs.lock('publish')
  const followedSince = createFollowedSince(context)
  const agree = createAgree(context)
  const stopping = new AbortController()

  /** Does everything that precedes the call of the target: comparison, rules and checks. */
  const prepare = async (request: PublishRequest, { publishId, publishedAt, signal }: Attempt) => {
    const {
      id,
      named,
      target,
      siteOrigin,
      allowDelete,
      overwrite = false,
      expect,
      pinned,
      part,
      remove,
    } = request
    const whole = await compare(id, named, { pinned, overwrite, isShown: !part })
    const chosen = withoutNamed(part ? await partOf(whole, part, await ownHosts(id, sites)) : whole, remove)
    const compared = { ...chosen, own: chosen.draft, draft: withAddresses(chosen) }
    const { removed, draft, version, seen = version, baseline, otherSite, conflicts } = compared
    const { version: currentVersion, leftOut } = await drafts.head(id)
    const published = baseline && withoutOmitted(baseline, draft, leftOut)
    const verdict = checkDestructivePublish({ pages: draft.pages, baseline: published, leftOut, allowDelete })
    const isOther = expect !== undefined && (seen !== expect || currentVersion !== version)
    if (compared.isOutdated) return { compared, refusal: changedMeanwhile() }
    if (isOther) return { compared, refusal: refused(draftChanged, 'draft_changed', { currentVersion }) }
    if (conflicts.length > 0 && !overwrite) {
      if (part) await noteNamed(id, whole, conflicts)
      return { compared, refusal: inConflict(compared, clock.now()) }
    }
    if (siteOrigin && otherSite !== undefined) return { compared, refusal: refused(otherSite) }
    if (!verdict.ok) return { compared, refusal: { ...refused(verdict.reason), logged: verdict.finding } }
    if (compared.isAway && !overwrite) return { compared, refusal: siteAway }
    if (compared.hasShrunk && compared.isOwn && isUnasked(request, draft))
      return { compared, refusal: siteShrunk }
    const blocked = unreadableSlugs(baseline ?? { pages: [] })
    const [taken] = draft.pages.flatMap(({ slug }) => blocked.get(slug) ?? [])
    if (taken) return { compared, refusal: failed(400, slugIsTaken(taken), { code: 'slug_unreadable' }) }

    const { content, assets } = target.takesFiles ? await files.pack(draft) : { content: draft, assets: {} }
    const key = scope.key(id)
    const carrying = await withCarried(content.pages, baseline, leftOut)
    // An earlier publish again replaces the site as it is.
    const isAgain = pinned?.commit !== undefined
    const state = {
      ifMatch: isAgain || overwrite ? undefined : compared.tag,
      ifStored: isAgain ? undefined : compared.storageTag,
    }
    const details = { id, publishId, key, siteOrigin, allowDelete, removed, publishedAt, assets, signal }
    const redirects = listedAfter(content, baseline, publishedAt)
    const siteConfig = withHeaderOf(content.siteConfig, baseline?.siteConfig)
    const publication = { ...content, siteConfig, redirects, ...carrying, ...details, ...state }
    const refusal = await objectionTo(publication, pinned ? undefined : version, context)
    return refusal ? { compared, refusal } : { compared, publication, open: whole.conflicts }
  }

  /** Notes those conflicts of a draft that a refusal names as shown. */
  const noteNamed = async (
    id: DraftId,
    { conflicts, version = 0 }: Compared,
    named: Compared['conflicts'],
  ): Promise<void> => {
    const ids = new Set(named.map((each) => each.id))
    await note(id, { conflicts, version }, (each) => ids.has(each.id))
  }

  const recordRenames = async (id: DraftId, { isOwn, baseline, draft, renames }: Compared): Promise<void> => {
    if (isOwn && baseline)
      await recordSentRenames(context.store, id, { before: baseline, sent: draft, renames })
  }

  /** Publishes; retries on the current content if the site changed in between. */
  const tryToPublish = async (request: PublishRequest, attempt: Attempt) => {
    let { expect } = request
    for (let tries = 1; ; tries++) {
      const behind = await request.target.refresh?.(attempt.signal)
      const { compared, publication, open, refusal } = await prepare({ ...request, expect }, attempt)
      if (behind) return { compared, outcome: behind }
      // The draft has followed its site since the caller saw it.
      if (expect !== undefined) expect = compared.version
      if (publication) await recordRenames(request.id, compared)
      const outcome = publication ? await attemptStored(request.target, publication, context) : refusal
      // Before its snapshot is stored, with which drafts compare what was read of the site.
      if (publication) await reader.mayHaveChanged(request.id, request.named)
      if (tries === mostTries || outcome.body.code !== siteChanged)
        return { compared, publication, open, outcome }
    }
  }

  const run = async (request: PublishRequest, signal: AbortSignal): Promise<PublishResult> => {
    const { id, target, actor, pinned, ending } = request
    const at = clock.now().toISOString()
    const publishId = ids.uuid()
    const { compared, publication, open, outcome } = await tryToPublish(request, {
      publishId,
      publishedAt: at,
      signal,
    })
    const snapshot =
      publication && outcome.ok
        ? await snapshots.keep(id, scope.key(id), publication, at, { publishId, before: compared.baseline })
        : undefined
    const { draft, version } = compared
    const followed = outcome.ok ? await followedSince(id, compared) : undefined
    const row: LogRow = {
      id: publishId,
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
      version,
      followed,
      carried: publication?.carried.length || undefined,
      actor,
      ...resultOf(outcome, compared, await readLogged(id, context)),
    }
    const agreed = { ...compared, open: open ?? [], carried: publication?.carried }
    // The log has every publish; what was not agreed on is found by the next comparison.
    const behind = outcome.ok
      ? await agree(request, agreed, outcome, row).catch((err: unknown) => {
          log.error({ err, siteId: id.siteId }, 'a draft could not agree with what was published')
          return []
        })
      : []
    const tracker = toTracker(outcome, row, id.session)
    const logged = behind.length > 0 ? { ...row, notes: [...behind] } : row
    await publishLog.add(id, logged, { tracker, version }, await ending?.(row, signal.aborted))
    await announce(row, id, context)
    if (!outcome.ok)
      log.warn({ target: target.name, siteId: id.siteId, status: outcome.httpStatus }, 'publish failed')
    const isAnswered = outcome.ok && pinned?.scheduledId === undefined
    const later = isAnswered ? await context.notesAfter(id, compared) : []
    const notes = [
      ...behind,
      ...(compared.notes ?? []),
      ...(outcome.ok ? lostAddresses(compared) : []),
      ...later,
    ]
    return toResult(withNotes(withMessage(outcome, compared), notes), id, row.slugs)
  }

  return {
    /**
     * Publishes a draft. Publishes of one site run one at a time; every result is logged and announced.
     * Rejects with the reason of the request's signal if that aborts before its turn: nothing was read or
     * sent.
     */
    publish: (request: PublishRequest) =>
      turns.run(request.id.siteId, (lost) => {
        const { signal = lost } = request
        signal.throwIfAborted()
        return run(request, AbortSignal.any([stopping.signal, lost, signal]))
      }),
    /** Reads and checks what would be published now, and publishes nothing. */
    async examine(request: PublishRequest) {
      const { compared, refusal } = await prepare(request, {
        publishId: ids.uuid(),
        publishedAt: clock.now().toISOString(),
        signal: stopping.signal,
      })
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

/** Returns the published pages without those that the draft had to leave out: they are carried. */
function withoutOmitted({ pages }: SiteContent, draft: SiteContent, skipped: readonly Unreadable[]) {
  const omitted = omittedFrom(slugsOf(draft.pages), slugsOf(pages), skipped)
  return pages.filter(({ slug }) => !omitted.has(slug))
}

const slugsOf = (pages: SiteContent['pages']): ReadonlySet<string> => new Set(pages.map(({ slug }) => slug))

/**
 * Returns what is published, with redirects from the addresses that the site has given pages as well as the
 * draft. They are settled, as the site is sent them: that is what is known of it, and agreed on.
 */
function withAddresses({ draft, baseline, renames, ownRenames }: Compared): SiteContent {
  const { siteConfig } = draft
  const order = draft.pages.map(({ slug }) => slug)
  const unknown = new Map([...renames].filter(([from, to]) => ownRenames.get(from) !== to))
  const moves = { renames: unknown, agreed: redirectsOf(baseline?.siteConfig) }
  const moved = withSettledRedirects(withMovesFrom({ order, siteConfig }, moves), () => order)
  return moved === siteConfig ? draft : { ...draft, siteConfig: moved }
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

/**
 * Whether a publish may not go to a site that has lost most of its pages: after a part or what was scheduled
 * the draft would follow, and a whole draft puts its pages back only on purpose. An empty one has none.
 */
function isUnasked({ part, pinned, overwrite = false }: PublishRequest, { pages }: SiteContent): boolean {
  if (part ?? pinned?.base) return true
  return !overwrite && pinned?.commit === undefined && pages.length > 0
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
): PublishResult => ({ httpStatus, body: withShownText({ ...body, status, session, slugs: [...slugs] }) })

function inConflict({ conflicts, draft, baseline }: Compared, now: Date): PublishOutcome {
  const pages = [...draft.pages, ...(baseline?.pages ?? [])]
  const error = conflictSentence(conflicts, { now, pages })
  const refusal = refused(error, 'site_conflict', { error, conflicts: [...conflicts] })
  return { ...refusal, logged: conflictSentence(conflicts, { pages }) }
}

/** A refusal whose remedy for programs, which names parameters, is not that of people who read the log. */
function refusedWith(code: string, what: string, remedy: string, logged: string): PublishOutcome {
  const error = `${what} ${remedy}`
  return { ...refused(error, code, { error }), logged: `${what} ${logged}` }
}

const siteShrunk = refusedWith(
  'site_shrunk',
  'The site lists less than half of the pages that it had, so it is unknown whether they are gone on purpose.',
  'Take over what it lists, by POST /draft/follow with confirm: true, and publish again, or publish all pages ' +
    'with overwrite: true to put the others back.',
  'Choose in the review what becomes of them, then try again.',
)

const siteAway = refusedWith(
  'site_unavailable',
  'The site could be read before, but not now, so it is unknown what this publish would replace.',
  'Publish again once it answers, or with overwrite: true to replace its content.',
  'Try again once it answers.',
)

const draftChanged =
  'The draft was changed after this version of it, so nothing was published. Look at it again, then publish.'

const changedWhileChecked =
  'The draft was changed while it was checked, so nothing was published. Publish again.'
