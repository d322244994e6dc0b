import type { OwnFiles } from './assets.ts'
import { type Clock, pace } from '../../kernel/index.ts'
import { renamesOn, type SiteReader } from '../baseline/port.ts'
import type { SiteContent } from '../content/adapter.ts'
import type { Page } from '../content/page.ts'
import { keepPageBytes, pageBytes, pageSize } from '../content/page-bytes.ts'
import { homeFirst } from '../content/slugs.ts'
import type { Drafts, StoredPage } from '../draft/port.ts'
import { type Follow, type FollowResult, notFollowed, withAhead, withAuthors } from '../follow/port.ts'
import type { DraftId } from '../scope/port.ts'
import type { Store } from '../store/port.ts'
import { DraftDiff, noOverview, type DiffOverview } from './draft-diff.ts'
import type { FormerIds, Renames } from '../content/merge/index.ts'
import { type PinBase, type PinDecision, renamesTo, withPin } from './pin.ts'
import { publishTooLarge } from './refusals.ts'

/** Content that does not change with its draft. */
export interface Pinned {
  readonly content: SiteContent
  /** What the content changes; without it, the content replaces the site. */
  readonly base?: PinBase | undefined
  /** What was decided of its conflicts. */
  readonly decided?: readonly PinDecision[] | undefined
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
  /** Addresses, up to their `?`, that the site has otherwise at every read. */
  readonly volatile?: ReadonlySet<string> | undefined
  /** The entity tag of the baseline. */
  readonly tag?: string | undefined
  /** As `tag`, of an adapter or a content file. */
  readonly storageTag?: string | undefined
  /** Whether the site could be read before, but not now. */
  readonly isAway?: boolean
  /** Whether the draft does not follow the site, which has lost most of its pages. */
  readonly hasShrunk?: boolean
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
  /** As `renames`, from the base of the draft: the slugs differ where both sides have renamed a page. */
  readonly ownRenames: Renames
  /** As `ownRenames`, on the site. */
  readonly siteRenames: Renames
  /** The slugs that pages of the draft have since it has followed for this comparison, where they differ. */
  readonly moved?: Renames | undefined
  /** Of pages that the base of the draft lacks, the ids that they had before they were renamed. */
  readonly former: FormerIds
  /** Empty without a baseline, and for a draft that was never filled. */
  readonly diff: DiffOverview
  /** Entries of the site that cannot be read and are deleted, by their slugs. */
  readonly removed?: readonly string[]
  /** What people should know about a publish of it. */
  readonly notes?: readonly string[]
  /** A notice that the compared site is not the site of the draft. */
  readonly otherSite: string | undefined
}

interface ComparisonContext {
  readonly drafts: Drafts
  readonly baselines: Pick<SiteReader, 'find'>
  /** Follows as for comparisons that are shown. */
  readonly followShown: Follow
  readonly files: OwnFiles
  readonly store: Store
  readonly clock: Clock
  /** The maximum size of the pages of a publish in bytes. */
  readonly maxPublishBytes: number
}

export type Compare = ReturnType<typeof createCompare>

/** Creates the function that compares what a publish sends with the published content. */
export function createCompare(context: ComparisonContext) {
  const { drafts, baselines, followShown, files, store, clock, maxPublishBytes } = context
  const comparePinned = async (
    id: DraftId,
    siteOrigin: string | undefined,
    { content: pinned, base, decided, version }: Pinned,
  ): Promise<Compared> => {
    const { isOwn = true, load, signed } = await baselines.find(id, { siteOrigin, sharing: 'none' })
    const {
      content: baseline,
      tag,
      storageTag,
      otherSite,
      wasKnown = false,
      hasShrunk = false,
    } = await load()
    const diff = baseline && otherSite === undefined ? new DraftDiff(baseline, files) : undefined
    const pin = base && { content: pinned, base }
    const known = { ...(await renamesOn(id.siteId)(store)), volatile: signed }
    const merged = pin && baseline ? await withPin(pin, baseline, { ...known, decided }) : undefined
    const replaced = merged ? undefined : await renamesTo(pinned, baseline, known)
    const content = merged?.content ?? pinned
    const renames = merged?.renames.between ?? replaced ?? new Map()
    const conflicts = merged ? await withAuthors(store, id.siteId, merged, clock.now().toISOString()) : []
    for (const page of content.pages) {
      diff?.set(page.slug, page)
      await pace()
    }
    diff?.removeOthers((await drafts.head(id)).leftOut)
    diff?.setRenames(renames, pagesAt(renames, content))
    const overview = diff?.overview(content.siteConfig) ?? noOverview
    const isAway = !baseline && wasKnown
    const sides = { tag, storageTag, otherSite, conflicts, isAway, hasShrunk, isOwn }
    const details = { ...sides, volatile: signed }
    return {
      renames,
      // Content that replaces the site knows each address that it leaves: it goes as it is, without more redirects.
      ownRenames: merged?.renames.ours ?? renames,
      siteRenames: merged?.renames.theirs ?? new Map(),
      former: new Map(base?.former),
      draft: content,
      version,
      baseline,
      diff: overview,
      taken: merged?.taken ?? [],
      ...details,
    }
  }

  /**
   * Reads a draft for a publish, and compares it with the published content. Refuses a site that may not be
   * called with 400, and pages of more than `maxPublishBytes` with 413 `publish_too_large`. Pinned content
   * takes the place of the draft.
   */
  return async (
    id: DraftId,
    siteOrigin: string | undefined,
    {
      pinned,
      overwrite = false,
      isShown,
    }: {
      readonly pinned?: Pinned | undefined
      readonly overwrite?: boolean
      /** Whether a refusal would name all conflicts; by default it does. */
      readonly isShown?: boolean
    },
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
      ...details
    } = await source.load()
    const isComparable = ((await drafts.whyEmpty(id)) ?? otherSite) === undefined
    const diff = isComparable && baseline ? new DraftDiff(baseline, files) : undefined
    const read = new Map<string, StoredPage>()
    let remaining = maxPublishBytes
    const readSince = async (since?: number): Promise<number> => {
      const { version, pages } = await drafts.read(id, since)
      for await (const [slug, stored] of pages) {
        diff?.set(slug, stored?.page)
        remaining += (read.get(slug)?.bytes.byteLength ?? 0) - (stored?.bytes.byteLength ?? 0)
        if (remaining < 0) throw publishTooLarge(maxPublishBytes)
        if (stored) read.set(slug, stored)
        else read.delete(slug)
      }
      return version
    }
    const seen = await readSince()
    diff?.removeOthers((await drafts.head(id)).leftOut)
    const followed =
      diff && source.isOwn && !hasShrunk
        ? await followShown(id, diff, source.version, {
            isCurrent: source.isCurrent,
            isShown,
            volatile: source.signed,
          })
        : notFollowed
    const version = followed.changed ? await readSince(seen) : seen
    diff?.removeOthers((await drafts.head(id)).leftOut)
    const { ahead, refreshed = [] } = followed
    for (const [slug, page] of refreshed) {
      diff?.set(slug, page)
      const before = read.get(slug)
      if (before) read.set(slug, { ...before, page, bytes: pageBytes(page) })
    }
    const stored = homeFirst(await drafts.rows(id)).flatMap(({ slug }) => read.get(slug) ?? [])
    for (const { page, bytes } of stored) keepPageBytes(page, bytes)
    for (const [slug, page] of ahead?.pages ?? []) {
      diff?.set(slug, page)
      remaining += (read.get(slug)?.bytes.byteLength ?? 0) - (page ? pageSize(page) : 0)
    }
    if (remaining < 0) throw publishTooLarge(maxPublishBytes)
    const siteConfig = await drafts.config(id, baseline?.siteConfig)
    const behind = { pages: stored.map(({ page }) => page), siteConfig }
    const draft = withAhead(behind, ahead)
    const { conflicts, isOutdated = false } = followed
    const renames = followed.renames.between
    diff?.setRenames(renames, pagesAt(renames, draft))
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
      renames,
      ownRenames: followed.renames.ours,
      siteRenames: followed.renames.theirs,
      moved: followed.moved,
      former: followed.former,
      tag: details.tag,
      storageTag: details.storageTag,
      isAway: !baseline && wasKnown,
      hasShrunk,
      isOwn: source.isOwn ?? true,
      volatile: source.signed,
    }
  }
}

function pagesAt(renames: Renames, { pages }: SiteContent): ReadonlyMap<string, Page> {
  if (renames.size === 0) return new Map()
  const slugs = new Set([...renames].flat())
  return new Map(pages.flatMap((page) => (slugs.has(page.slug) ? [[page.slug, page] as const] : [])))
}
