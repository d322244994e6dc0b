import { pace, paced } from '../../../kernel/index.ts'
import {
  type Baseline,
  type KnownSource,
  laterIdsOn,
  type ReadOptions,
  type SiteReader,
  type Volatile,
} from '../../baseline/port.ts'
import { nothingClaimed } from '../../content/diff/index.ts'
import type { Page } from '../../content/page.ts'
import { bytesWithPages, keepPageBytes } from '../../content/page-bytes.ts'
import { withShownText } from '../../content/shown-text.ts'
import type { Drafts, KnownSite, StoredPage } from '../../draft/port.ts'
import {
  draftMovedOn,
  type Follow,
  type Followed,
  type FollowOptions,
  type FollowResult,
  notFollowed,
} from '../../follow/port.ts'
import { draftKey, type DraftId } from '../../scope/port.ts'
import type { OwnFiles } from '../assets.ts'
import { type Branches, otherBranch } from '../branches.ts'
import type { ComparedDrafts } from './compared-drafts.ts'
import { DraftDiff } from './draft-diff.ts'
import { diffTooLarge } from '../refusals.ts'
import type { DiffRequest } from '../schemas.ts'

/** The size in bytes of the largest diff that is not streamed. */
const mostBytesAtOnce = 256 * 1024
/** How often a draft is compared if its site is published to at the same time. */
const mostTries = 3
/** How many addresses a notice names. */
const mostNamed = 3

/** What a comparison reads, and what is remembered of the last one. */
interface DiffContext {
  readonly drafts: Drafts
  readonly reader: SiteReader
  readonly follow: Follow
  readonly followShown: Follow
  readonly branches: Branches | undefined
  readonly files: Pick<OwnFiles, 'likeOn'>
  readonly compared: ComparedDrafts
  /** The maximum size of a diff in bytes. */
  readonly maxDiffBytes: number
}

interface CompareOptions {
  readonly find: ReadOptions
  readonly takeOver: Follow
  readonly options?: FollowOptions | undefined
}

/** Creates the functions that compare drafts with published content, page by page. */
export function createDiffs(context: DiffContext) {
  const { drafts, follow, followShown } = context

  /**
   * Returns the `ContentDiff` of a draft as JSON in UTF-8; streams a large one from cached parts. Refuses a
   * site that may not be called with 400, a draft past `baseVersion` with 409 `draft_changed`, and a diff
   * over `maxDiffBytes` with 413 `diff_too_large`.
   */
  const diffOf = async (
    id: DraftId,
    request: Pick<DiffRequest, 'siteOrigin' | 'baseVersion' | 'remove' | 'shown'>,
  ): Promise<Uint8Array | AsyncIterable<Uint8Array>> => {
    const { siteOrigin, baseVersion, remove, shown } = request
    const how = { find: { siteOrigin }, takeOver: followShown, options: { isShown: shown } }
    return compared(context, id, how, async (current) => {
      const { diff, siteConfig, seen, version, notes, followed, volatile } = current
      const notice = current.notice ?? noticeOf(context.compared, id, volatile)
      const head = await drafts.head(id)
      const now = baseVersion === undefined ? undefined : head.version
      if (now !== undefined && (seen !== baseVersion || now !== version)) throw draftMovedOn(now)
      const conflicts = [...followed.conflicts]
      const { branch, hasShrunk } = current
      const shrunk = hasShrunk ? (true as const) : undefined
      const details = { previewVersion: version, conflicts, branch, shrunk, notice, notes }
      if (!diff) {
        const { pages: _pages, ...nothing } = nothingClaimed
        return bytesWithPages([], withShownText({ ...nothing, ...details }))
      }
      const locked = head.locked.length > 0 ? [...head.locked] : undefined
      const slugs = conflicts.map(({ slug }) => slug)
      const drafted = await draftedAt(drafts, id, slugs, followed)
      const parts = await diff.toParts(siteConfig, drafted, { ...details, locked }, remove)
      return diff.size <= mostBytesAtOnce ? Buffer.concat(parts) : oneByOne(parts)
    })
  }

  /** Takes over what changed on the site, and returns what that was and what both have changed. */
  const followSite = async (
    id: DraftId,
    { siteOrigin, confirm, baseVersion }: FollowRequest,
    options?: FollowOptions,
  ): Promise<Followed> => {
    const how = { find: { siteOrigin, confirm }, takeOver: follow, options }
    return compared(context, id, how, async ({ diff, seen, version, followed, asks }) => {
      if (baseVersion !== undefined && seen !== baseVersion) throw draftMovedOn(seen)
      const { changed, taken, conflicts } = followed
      const status = !diff
        ? 'site_unavailable'
        : asks !== undefined
          ? 'confirm'
          : changed
            ? 'followed'
            : 'unchanged'
      return {
        status,
        version,
        ...(asks !== undefined && { message: asks }),
        taken: [...taken],
        conflicts: [...conflicts],
      }
    })
  }

  /** Follows the own site of a draft, and returns what is known of it: what it has and may show. */
  const followKnown = async (id: DraftId): Promise<KnownSite | undefined> =>
    compared(context, id, { find: {}, takeOver: follow }, async ({ diff }, source) => {
      if (!diff || !source.isOwn) return undefined
      const { pages, siteConfig } = diff
      const forms = await source.forms()
      return {
        pagesAt: (slug) =>
          [pages.get(slug), ...(forms.pages.get(slug) ?? [])].filter((page) => page !== undefined),
        slugsById: () => byId(pages),
        siteConfigs: [...(siteConfig ? [siteConfig] : []), ...forms.siteConfigs],
        volatile: source.signed,
        laterIds: laterIdsOn(id.siteId),
      }
    })

  return { diffOf, followSite, followKnown }
}

/** Compares a draft, alone until `use` is done, and again if the site was published to meanwhile. */
async function compared<T>(
  context: DiffContext,
  id: DraftId,
  how: CompareOptions,
  use: (current: Awaited<ReturnType<typeof currentDiff>>, source: KnownSource) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    const source = await context.reader.find(id, how.find)
    const used = await context.compared.queue.run(draftKey(id), async () => {
      if (how.find.confirm) context.compared.cache.delete(draftKey(id))
      const current = await currentDiff(context, id, source, how)
      const isLast = !current.followed.isOutdated || tries === mostTries
      return isLast ? { result: await use(current, source) } : undefined
    })
    if (used) return used.result
  }
}

/**
 * Lets a draft follow its site, and returns its diff and config then, and the answer of the site. Only pages
 * that changed since the last call are compared. `own` gets all pages of the draft; where one equals the
 * published page, that is the same object.
 */
export async function currentDiff(
  context: DiffContext,
  id: DraftId,
  source: KnownSource,
  { find, takeOver, options }: Omit<CompareOptions, 'find'> & Partial<CompareOptions>,
  own?: Map<string, Page>,
) {
  const { drafts, branches, compared, files, maxDiffBytes } = context
  const { cache } = compared
  const { version: baseline, load, volatile } = source
  const key = draftKey(id)
  const cached = cache.get(key)
  cache.delete(key)
  const changes = cached && (await drafts.read(id, cached.version))
  const known = changes?.isComplete === false ? cached : undefined
  const isSameSite = known !== undefined && known.baseline === baseline
  const answer: Baseline = isSameSite && !own ? { content: undefined, ...known } : await load()
  const { content, otherSite, hasShrunk = false, isBehind = false } = answer
  await pace()
  /** The pages that the site has otherwise than at the last time. */
  const others = isSameSite && !own ? [] : content && known?.diff.update(content)
  const before = others && known
  // The version first: what is read after it is at least as new, so that a publish of it sends nothing unseen.
  const { version: seen, pages } = before && changes ? changes : await drafts.read(id)
  const notice = (await drafts.whyEmpty(id)) ?? otherSite
  const found = before?.diff ?? (content && new DraftDiff(content, files, { hasJson: own === undefined }))
  const diff = notice === undefined ? found : undefined
  const compare = async (read: typeof pages): Promise<void> => {
    for await (const [slug, stored] of read) {
      diff?.set(slug, stored?.page)
      if (stored) own?.set(slug, diff?.publishedAs(stored.page) ?? withBytes(stored))
      else own?.delete(slug)
      if (diff && diff.size > maxDiffBytes) throw diffTooLarge(maxDiffBytes)
    }
  }
  if (diff || own) await compare(pages)
  for await (const slug of paced((before && others) ?? []))
    diff?.set(slug, (await drafts.page(id, slug))?.page)
  if (own && before) {
    await addUnchanged(drafts, id, own, diff)
    // Again what has changed meanwhile, so that all belongs to one version.
    await compare((await drafts.read(id, seen)).pages)
  }
  if (!diff) return { diff, answer, followed: notFollowed, notice, seen, version: seen }

  if (!isSameSite) diff.removeOthers((await drafts.head(id)).leftOut)
  if (diff.size > maxDiffBytes) throw diffTooLarge(maxDiffBytes)
  const { isOwn, isCurrent, signed } = source
  const tag = answer.storageTag
  const branch = isOwn && !find?.confirm ? await branches?.changed(id, { tag, version: seen }) : undefined
  const asks = hasShrunk ? shrunkSite : branch && otherBranch(branch)
  const followed =
    isOwn && asks === undefined
      ? await takeOver(id, diff, baseline, { ...options, isCurrent, volatile: signed })
      : notFollowed
  const later = followed.changed ? await drafts.read(id, seen) : undefined
  if (later) await compare(later.pages)
  const { version = seen } = later ?? {}
  diff.catchUp(followed, (await drafts.head(id)).leftOut)
  const { ahead } = followed
  const renames = followed.renames.between
  diff.setRenames(renames, await draftedAt(drafts, id, [...renames].flat(), { ahead, own }))
  const ownConfig = await drafts.config(id, diff.siteConfig)
  if (isOwn && asks === undefined && !ahead && !followed.isOutdated)
    await branches?.note(id, {
      tag,
      version,
      isSame: diff.differing.length === 0,
      isMeant: find?.confirm === true,
    })
  if (baseline !== undefined && !ahead && diff.hasJson)
    cache.set(key, { diff, baseline, storageTag: tag, version, hasShrunk, isBehind })
  return {
    diff,
    answer,
    ownConfig,
    siteConfig: ahead?.siteConfig ?? ownConfig,
    hasShrunk,
    branch,
    asks,
    followed,
    seen,
    version,
    volatile,
    notice: asks,
    notes: isBehind ? [siteBehind] : undefined,
  }
}

/** Adds the pages that are as they were when they were compared last. */
async function addUnchanged(
  drafts: Pick<Drafts, 'page' | 'rows'>,
  id: DraftId,
  own: Map<string, Page>,
  diff: DraftDiff | undefined,
): Promise<void> {
  for await (const { slug } of paced(await drafts.rows(id))) {
    if (own.has(slug)) continue
    const published = diff?.publishedAt(slug)
    const stored = published ? undefined : await drafts.page(id, slug, false)
    const page = published ?? (stored && (diff?.publishedAs(stored.page) ?? withBytes(stored)))
    if (page) own.set(slug, page)
  }
}

function withBytes({ page, bytes }: StoredPage): Page {
  keepPageBytes(page, bytes)
  return page
}

async function draftedAt(
  drafts: Pick<Drafts, 'page'>,
  id: DraftId,
  slugs: readonly string[],
  { ahead, own }: Pick<FollowResult, 'ahead'> & { readonly own?: ReadonlyMap<string, Page> | undefined },
): Promise<ReadonlyMap<string, Page>> {
  const pages = new Map<string, Page>()
  for await (const slug of paced(new Set(slugs))) {
    const page = ahead?.pages.get(slug) ?? (own ? own.get(slug) : (await drafts.page(id, slug))?.page)
    if (page) pages.set(slug, page)
  }
  return pages
}

/** Names once what differs at every read of a site. */
function noticeOf(
  { named }: Pick<ComparedDrafts, 'named'>,
  id: DraftId,
  volatile: Volatile | undefined,
): string | undefined {
  if (!volatile) return undefined
  const notice = volatileNotice(volatile)
  const isNew = named.get(draftKey(id)) !== notice
  named.set(draftKey(id), notice)
  return isNew ? notice : undefined
}

/** Returns the slugs of pages by their ids, without ids that several have. */
async function byId(pages: DraftDiff['pages']): Promise<ReadonlyMap<string, string>> {
  const slugs = new Map<string, string>()
  const seen = new Set<string>()
  for await (const [slug, { id }] of paced(pages)) {
    if (seen.has(id)) slugs.delete(id)
    else slugs.set(id, slug)
    seen.add(id)
  }
  return slugs
}

interface FollowRequest extends Pick<DiffRequest, 'siteOrigin' | 'baseVersion'> {
  readonly confirm?: boolean | undefined
}

const shrunkSite =
  'The site lists less than half of the pages that it had, so the draft does not follow it. ' +
  'If they are gone on purpose, call POST /draft/follow with confirm: true.'

function volatileNotice({ addresses, hasOrder }: Volatile): string {
  const shown = [...addresses].toSorted().slice(0, mostNamed)
  const more = addresses.size - shown.length
  const named = [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ')
  const parts = [
    ...(addresses.size > 0 ? [`what is behind the ? of ${named}`] : []),
    ...(hasOrder ? ['the order of its pages'] : []),
  ]
  return `The site answers at each read with another value for ${parts.join(' and ')}. The draft takes such values without a line in its history.`
}

const siteBehind =
  'The site shows what it had before a publish of the last minutes, as a cache or a server that is behind does, so that ' +
  'counts as not changed. If it was changed back on purpose, call POST /draft/follow with confirm: true.'

async function* oneByOne<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values
}
