import type { OwnFiles } from './assets.ts'
import { type Clock, createKeyedQueue, LRUCache, pace } from '../../kernel/index.ts'
import type { SiteContent } from '../content/adapter.ts'
import { nothingClaimed } from '../content/diff/index.ts'
import type { Page } from '../content/page.ts'
import { bytesWithPages, keepPageBytes, pageSize } from '../content/page-bytes.ts'
import { homeFirst } from '../content/slugs.ts'
import type { Drafts, OpenConflict, StoredPage } from '../draft/port.ts'
import { draftKey, type DraftId } from '../scope/port.ts'
import type { BaselineFinder, BaselineSource } from './baseline.ts'
import type { Store } from '../store/port.ts'
import { withAhead } from './site/ahead.ts'
import { authorsOf } from './site/authors.ts'
import type { Follow, FollowOptions, FollowResult } from './site/following.ts'
import { DraftDiff, noOverview, type DiffOverview } from './draft-diff.ts'
import type { Baseline } from './port.ts'
import type { Renames } from '../content/merge/index.ts'
import { type PinBase, type PinMerged, withPin } from './site/pin.ts'
import type { DiffRequest, Followed } from './schemas.ts'
import { diffTooLarge, draftMovedOn, publishTooLarge } from './refusals.ts'

/** Content that does not change with its draft. */
export interface Pinned {
  readonly content: SiteContent
  /** What the content changes; without it, the content replaces the site. */
  readonly base?: PinBase | undefined
  /** The version of the draft that it was. */
  readonly version?: number | undefined
  /** The snapshot that it was. */
  readonly commit?: string | undefined
  /** The scheduled publish that it belongs to. */
  readonly scheduledId?: string | undefined
}

/** A draft and its baseline. */
export interface Compared {
  /** Home first; without a config if the draft never had one. */
  readonly draft: SiteContent
  /** A version of the draft; its content is at least as new. `undefined` for content that was no draft. */
  readonly version: number | undefined
  /** The version before the draft followed its site: the next one if it has taken over changes. */
  readonly seen?: number
  /** Whether this is the site that the draft follows. */
  readonly isOwn: boolean
  /** The entity tag of the baseline. */
  readonly tag?: string | undefined
  /** As `tag`, of an adapter or a content file. */
  readonly storageTag?: string | undefined
  /** Whether the site could be read before, but not now. */
  readonly isAway?: boolean
  /** The draft without what it takes over from the site once a run has ended. */
  readonly behind?: { readonly content: SiteContent; readonly renames: Renames } | undefined
  /** What pinned content took over from the site; absent for a draft. */
  readonly taken?: FollowResult['taken'] | undefined
  /** Whether the draft could not follow, because the site or the draft was changed since it was read. */
  readonly isOutdated?: boolean
  /** What draft and site have both changed. */
  readonly conflicts: FollowResult['conflicts']
  readonly baseline: SiteContent | undefined
  /** The slugs that pages of the baseline have in the draft, where that is known and they differ. */
  readonly renames: Renames
  /** Empty without a baseline, and for a draft that was never filled. */
  readonly diff: DiffOverview
  /** Entries of the site that cannot be read and are deleted, by their slugs. */
  readonly removed?: readonly string[]
  /** What people should know about a publish of it. */
  readonly notes?: readonly string[]
  /** A notice that the compared site is not the site of the draft. */
  readonly otherSite: string | undefined
}

/** The size in bytes of the largest diff that is not streamed. */
const mostBytesAtOnce = 256 * 1024
/** The size of the cache of diffs in bytes. */
const cacheBytes = 128 * 1024 * 1024
/** How often a draft is compared if its site is published to at the same time. */
const mostTries = 3
/** The size of a cached diff of two empty sites. */
const leastBytes = 1_000

const noRenames = { ours: new Map<string, string>(), theirs: new Map<string, string>() }
const notFollowed: Omit<FollowResult, 'version'> = {
  changed: false,
  taken: [],
  conflicts: [],
  renames: noRenames,
}

interface ComparisonContext {
  readonly drafts: Drafts
  readonly baselines: BaselineFinder
  readonly follow: Follow
  /** As `follow`, for comparisons that are shown. */
  readonly followShown: Follow
  readonly files: OwnFiles
  readonly store: Store
  readonly clock: Clock
  /** The maximum size of the pages of a publish in bytes. */
  readonly maxPublishBytes: number
  /** The maximum size of a diff in bytes; it lists blocks without their content. */
  readonly maxDiffBytes: number
}

export type Compare = ReturnType<typeof createCompare>

/** Creates the function that compares what a publish sends with the published content. */
export function createCompare(context: ComparisonContext) {
  const { drafts, baselines, followShown, files, store, clock, maxPublishBytes } = context
  const dated = (id: DraftId, { conflicts, sides }: PinMerged): Promise<readonly OpenConflict[]> =>
    Promise.all(
      conflicts.map(async (conflict) => {
        const author = await authorsOf(id.siteId).ofConflict(store, conflict, sides)
        return { ...conflict, ...(author ?? { at: clock.now().toISOString() }) }
      }),
    )

  const comparePinned = async (
    id: DraftId,
    siteOrigin: string | undefined,
    { content: pinned, base, version }: Pinned,
  ): Promise<Compared> => {
    const { isOwn = true, load } = await baselines.find(id, { siteOrigin, sharing: 'none' })
    const { content: baseline, tag, storageTag, otherSite, wasKnown = false } = await load()
    const diff = baseline && otherSite === undefined ? new DraftDiff(baseline, files) : undefined
    const merged = base && baseline ? await withPin({ content: pinned, base }, baseline) : undefined
    const { content, renames } = merged ?? { content: pinned, renames: noRenames }
    const conflicts = merged ? await dated(id, merged) : []
    for (const page of content.pages) {
      diff?.set(page.slug, page)
      await pace()
    }
    diff?.removeOthers((await drafts.head(id)).leftOut)
    diff?.setRenames(renames.ours, pagesAt(renames.ours, content))
    const overview = diff?.overview(content.siteConfig) ?? noOverview
    const isAway = !baseline && wasKnown
    const about = { tag, storageTag, otherSite, conflicts, renames: renames.ours, isAway, isOwn }
    return { draft: content, version, baseline, diff: overview, taken: merged?.taken ?? [], ...about }
  }

  /**
   * Reads a draft for a publish, and compares it with the published content. Refuses a site that may not be
   * called with 400, and pages of more than `maxPublishBytes` with 413 `publish_too_large`. Pinned content
   * takes the place of the draft.
   */
  return async (
    id: DraftId,
    siteOrigin: string | undefined,
    { pinned, overwrite = false }: { readonly pinned?: Pinned | undefined; readonly overwrite?: boolean },
  ): Promise<Compared> => {
    if (pinned) return comparePinned(id, siteOrigin, pinned)
    // Fills an empty draft from its site, which changes its version.
    await drafts.config(id)
    // The entity tag protects what has changed since a shared read; a publish with `overwrite` sends none.
    const source = await baselines.find(id, { siteOrigin, sharing: overwrite ? 'none' : 'tagged' })
    const {
      content: baseline,
      otherSite,
      wasKnown = false,
      hasShrunk = false,
      ...about
    } = await source.load()
    const isKnown = ((await drafts.whyEmpty(id)) ?? otherSite) === undefined
    const diff = isKnown && baseline ? new DraftDiff(baseline, files) : undefined
    const read = new Map<string, StoredPage>()
    let left = maxPublishBytes
    const readSince = async (since?: number): Promise<number> => {
      const { version, pages } = await drafts.read(id, since)
      for await (const [slug, stored] of pages) {
        diff?.set(slug, stored?.page)
        left += (read.get(slug)?.bytes.byteLength ?? 0) - (stored?.bytes.byteLength ?? 0)
        if (left < 0) throw publishTooLarge(maxPublishBytes)
        if (stored) read.set(slug, stored)
        else read.delete(slug)
      }
      return version
    }
    const seen = await readSince()
    diff?.removeOthers((await drafts.head(id)).leftOut)
    const followed =
      diff && source.isOwn && !hasShrunk
        ? await followShown(id, diff, source.version, { isCurrent: source.isCurrent })
        : notFollowed
    const version = followed.changed ? await readSince(seen) : seen
    diff?.removeOthers((await drafts.head(id)).leftOut)
    const stored = homeFirst(await drafts.rows(id)).flatMap(({ slug }) => read.get(slug) ?? [])
    for (const { page, bytes } of stored) keepPageBytes(page, bytes)
    const { ahead } = followed
    for (const [slug, page] of ahead?.pages ?? []) {
      diff?.set(slug, page)
      left += (read.get(slug)?.bytes.byteLength ?? 0) - (page ? pageSize(page) : 0)
    }
    if (left < 0) throw publishTooLarge(maxPublishBytes)
    const siteConfig = await drafts.config(id, baseline?.siteConfig)
    const behind = { pages: stored.map(({ page }) => page), siteConfig }
    const draft = withAhead(behind, ahead)
    const { conflicts, renames, isOutdated = false } = followed
    diff?.setRenames(renames.ours, pagesAt(renames.ours, draft))
    const overview = diff?.overview(draft.siteConfig) ?? noOverview
    return {
      draft,
      behind: ahead && { content: behind, renames: ahead.renames },
      version,
      seen,
      baseline,
      diff: overview,
      otherSite,
      isOutdated,
      conflicts,
      renames: renames.ours,
      tag: about.tag,
      storageTag: about.storageTag,
      isAway: !baseline && wasKnown,
      isOwn: source.isOwn ?? true,
    }
  }
}

/** Creates the function that compares drafts with published content, page by page. */
export function createDiffs({
  drafts,
  baselines,
  follow,
  followShown,
  files,
  maxDiffBytes,
}: ComparisonContext) {
  /** Diffs by draft, with the versions of both sides. */
  const cache = new LRUCache<
    string,
    {
      readonly diff: DraftDiff
      readonly baseline: string
      readonly version: number
      readonly hasShrunk: boolean
    }
  >({ maxSize: cacheBytes, sizeCalculation: ({ diff }) => leastBytes + diff.publishedSize + 3 * diff.size })
  const queue = createKeyedQueue()

  /** Returns the current diff and config of a draft; reads only pages that changed since the last call. */
  const currentDiff = async (
    id: DraftId,
    { version: baseline, isOwn, load, isCurrent }: BaselineSource,
    takeOver: Follow,
    options?: FollowOptions,
  ) => {
    const key = draftKey(id)
    const known = cache.get(key)
    cache.delete(key)
    const changes = known && known.baseline === baseline ? await drafts.read(id, known.version) : undefined
    const before = changes?.isComplete === false ? known?.diff : undefined
    const {
      content,
      otherSite,
      hasShrunk = false,
    }: Baseline = before ? { content: undefined, ...known } : await load()
    const diff = before ?? (content && new DraftDiff(content, files))
    // The version first: what is read after it is at least as new, so that a publish of it sends nothing unseen.
    const { version, pages } = before && changes ? changes : await drafts.read(id)
    const notice = (await drafts.whyEmpty(id)) ?? otherSite
    const nothing = { diff: undefined, siteConfig: undefined, hasShrunk: false, followed: notFollowed }
    if (!diff || notice !== undefined) return { ...nothing, notice, seen: version, version }

    const compare = async (read: typeof pages): Promise<void> => {
      for await (const [slug, stored] of read) {
        diff.set(slug, stored?.page)
        if (diff.size > maxDiffBytes) throw diffTooLarge(maxDiffBytes)
      }
    }
    await compare(pages)
    if (!before) diff.removeOthers((await drafts.head(id)).leftOut)
    if (diff.size > maxDiffBytes) throw diffTooLarge(maxDiffBytes)
    const followed =
      isOwn && !hasShrunk ? await takeOver(id, diff, baseline, { ...options, isCurrent }) : notFollowed
    const later = followed.changed ? await drafts.read(id, version) : { version, pages: undefined }
    if (later.pages) await compare(later.pages)
    const { ahead } = followed
    for (const [slug, page] of ahead?.pages ?? []) diff.set(slug, page)
    diff.removeOthers((await drafts.head(id)).leftOut)
    const { ours: renames } = followed.renames
    diff.setRenames(renames, await draftedAt(id, [...renames].flat(), followed))
    const siteConfig = ahead?.siteConfig ?? (await drafts.config(id, diff.siteConfig))
    if (baseline !== undefined && !ahead)
      cache.set(key, { diff, baseline, version: later.version, hasShrunk })
    const about = { followed, seen: version, version: later.version }
    return { diff, siteConfig, hasShrunk, ...about, ...(hasShrunk && { notice: shrunkSite }) }
  }

  /** Compares a draft, and again if the site was published to meanwhile; nothing else compares it until `use` is done. */
  const compared = async <T>(
    id: DraftId,
    { find, takeOver, options }: CompareOptions,
    use: (current: Awaited<ReturnType<typeof currentDiff>>) => Promise<T>,
  ): Promise<T> => {
    for (let tries = 1; ; tries++) {
      const source = await baselines.find(id, find)
      const used = await queue.run(draftKey(id), async () => {
        if (find?.confirm) cache.delete(draftKey(id))
        const current = await currentDiff(id, source, takeOver, options)
        return current.followed.isOutdated && tries < mostTries ? undefined : { result: await use(current) }
      })
      if (used) return used.result
    }
  }

  /** Returns the pages of a draft at some slugs. */
  const draftedAt = async (
    id: DraftId,
    slugs: readonly string[],
    { ahead }: Pick<FollowResult, 'ahead'>,
  ): Promise<ReadonlyMap<string, Page>> => {
    const pages = new Map<string, Page>()
    for (const slug of new Set(slugs)) {
      const page = ahead?.pages.get(slug) ?? (await drafts.page(id, slug))?.page
      if (page) pages.set(slug, page)
    }
    return pages
  }

  /**
   * Returns the `ContentDiff` of a draft as JSON in UTF-8; streams a large one from cached parts. Refuses a
   * site that may not be called with 400, a draft past `baseVersion` with 409 `draft_changed`, and a diff
   * over `maxDiffBytes` with 413 `diff_too_large`.
   */
  const diffOf = async (
    id: DraftId,
    { siteOrigin, baseVersion, remove }: Pick<DiffRequest, 'siteOrigin' | 'baseVersion' | 'remove'>,
  ): Promise<Uint8Array | AsyncIterable<Uint8Array>> => {
    return compared(id, { find: { siteOrigin }, takeOver: followShown }, async (current) => {
      const { diff, siteConfig, seen, version, notice, followed } = current
      const head = await drafts.head(id)
      const now = baseVersion === undefined ? undefined : head.version
      if (now !== undefined && (seen !== baseVersion || now !== version)) throw draftMovedOn(now)
      if (diff) {
        const conflicts = [...followed.conflicts]
        const locked = head.locked.length > 0 && { locked: [...head.locked] }
        const about = {
          previewVersion: version,
          conflicts,
          ...locked,
          ...(notice !== undefined && { notice }),
        }
        const slugs = conflicts.map(({ slug }) => slug)
        const parts = diff.toParts(siteConfig, await draftedAt(id, slugs, followed), about, remove)
        return diff.size <= mostBytesAtOnce ? Buffer.concat(parts) : oneByOne(parts)
      }
      const { pages: _pages, ...nothing } = nothingClaimed
      return bytesWithPages([], {
        ...nothing,
        conflicts: [],
        previewVersion: version,
        ...(notice !== undefined && { notice }),
      })
    })
  }

  /** Takes over what changed on the site, and returns what that was and what both have changed. */
  const followSite = async (
    id: DraftId,
    { siteOrigin, confirm, baseVersion }: FollowRequest,
    options?: FollowOptions,
  ): Promise<Followed> => {
    const how = { find: { siteOrigin, confirm }, takeOver: follow, options }
    return compared(id, how, async ({ diff, seen, version, followed, hasShrunk }) => {
      if (baseVersion !== undefined && seen !== baseVersion) throw draftMovedOn(seen)
      const { changed, taken, conflicts } = followed
      const status = !diff ? 'site_unavailable' : hasShrunk ? 'confirm' : changed ? 'followed' : 'unchanged'
      return { status, version, taken: [...taken], conflicts: [...conflicts] }
    })
  }

  return { diffOf, followSite }
}

function pagesAt(renames: Renames, { pages }: SiteContent): ReadonlyMap<string, Page> {
  if (renames.size === 0) return new Map()
  const slugs = new Set([...renames].flat())
  return new Map(pages.flatMap((page) => (slugs.has(page.slug) ? [[page.slug, page] as const] : [])))
}

interface CompareOptions {
  readonly find: Parameters<BaselineFinder['find']>[1]
  readonly takeOver: Follow
  readonly options?: FollowOptions | undefined
}

interface FollowRequest extends Pick<DiffRequest, 'siteOrigin' | 'baseVersion'> {
  readonly confirm?: boolean | undefined
}

const shrunkSite =
  'The site lists less than half of the pages that it had, so the draft does not follow it. ' +
  'If they are gone on purpose, call POST /draft/follow with confirm: true.'

async function* oneByOne<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values
}
