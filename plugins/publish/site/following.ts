import { defineRefusal, LRUCache, pace, Refusal } from '../../../kernel/index.ts'
import { type Reopen, renamesOn } from '../../baseline/port.ts'
import { bySlug } from '../../content/diff/index.ts'
import { noRenames, type Renames, samePage } from '../../content/merge/index.ts'
import type { Page } from '../../content/page.ts'
import type {
  Actor,
  Channel,
  Committed,
  Companion,
  Drafts,
  FirstComparison,
  Followed,
  PublishedDraft,
  SiteState,
} from '../../draft/port.ts'
import { draftKey, type DraftId } from '../../scope/port.ts'
import type { Transaction } from '../../store/port.ts'
import type { Snapshots } from '../snapshot.ts'
import { authorsOf } from './authors.ts'

export interface FollowOptions {
  readonly actor?: Actor | undefined
  /** By default that of the site. */
  readonly channel?: Channel | undefined
  /** Sides that were chosen for conflicts, by id. */
  readonly decided?: ReadonlyMap<string, 'ours' | 'theirs'> | undefined
  /** True if a caller has chosen them. */
  readonly isDecision?: boolean | undefined
  /** The `theirsVersion` of each conflict that the caller has chosen a side of. */
  readonly seen?: ReadonlyMap<string, string> | undefined
  /** Whether the site is as it was read, in the transaction of the change. */
  readonly isCurrent?: ((tx: Transaction) => Promise<boolean>) | undefined
  /** The slugs that pages of the base have on the site, where a rename is known. */
  readonly renames?: Renames | undefined
  /** What was published of the draft as the site. */
  readonly published?: PublishedDraft | undefined
  /** Whether people see the conflicts; by default they do. */
  readonly isShown?: boolean | undefined
  /** Addresses, up to their `?`, that the site has otherwise at every read. */
  readonly volatile?: ReadonlySet<string> | undefined
  /** True to write also while a run is open, whose change is two lines of the log then. */
  readonly writes?: boolean | undefined
}

export interface FollowResult extends Followed {
  readonly version: number
  readonly changed: boolean
  /** Whether nothing was taken over, because the site or the draft was changed since it was read. */
  readonly isOutdated?: boolean
}

/** The last result of a draft, with the versions of both sides and of what they have agreed on. */
interface Last extends FollowResult {
  readonly rebased: number
  readonly site: string
}

const draftsFollowed = 500
/** The number of snapshots among which the pages of a draft without a base are searched. */
const mostSearched = 20
/** What comes of a site that a draft does not follow. */
export const notFollowed: Omit<FollowResult, 'version'> = {
  changed: false,
  taken: [],
  conflicts: [],
  renames: noRenames,
  former: new Map(),
}
const theSite: Actor = { kind: 'system' }

interface FollowingParts {
  readonly drafts: Drafts
  readonly snapshots: Snapshots
}

/** Finds what was published as it is in the draft, among the newest publishes. */
async function firstComparison(
  id: DraftId,
  site: SiteState,
  { drafts, snapshots }: FollowingParts,
): Promise<FirstComparison> {
  const pages = new Map<string, Page | undefined>()
  const published: Pick<SiteState, 'order' | 'siteConfig'>[] = []
  const remaining = new Map<string, Page | undefined>()
  const searched = (await snapshots.list(id.siteId)).slice(0, mostSearched)
  for (const slug of searched.length > 0 ? site.differing() : []) {
    await pace()
    remaining.set(slug, (await drafts.page(id, slug))?.page)
  }
  for (const { commit } of searched) {
    const found = await snapshots.find(commit, id.siteId)
    if (typeof found !== 'object') continue
    const { pages: all, siteConfig } = found.content
    const then = bySlug(all)
    published.push({ order: all.map(({ slug }) => slug), siteConfig })
    for (const [slug, page] of remaining) {
      await pace()
      if (!samePage(page, then.get(slug))) continue
      pages.set(slug, page)
      remaining.delete(slug)
    }
  }
  return { pages, published }
}

/** Creates the function that lets drafts take over what changed on their site. */
export function createFollowing(parts: FollowingParts) {
  const { drafts } = parts
  const last = new LRUCache<string, Last>({ max: draftsFollowed })

  /**
   * Takes over what changed on a site, and returns what that was and what both sides have changed. A site and
   * a draft that are both as at the last time cost nothing.
   */
  const follow = async (
    id: DraftId,
    site: SiteState,
    /** Equal for equal content of the site; `undefined` if unknown. */
    siteVersion: string | undefined,
    {
      actor = theSite,
      channel = 'site',
      decided,
      isDecision,
      seen,
      isCurrent,
      renames,
      published,
      volatile,
      writes = isDecision,
    }: FollowOptions = {},
  ): Promise<FollowResult> => {
    const key = draftKey(id)
    const head = await drafts.head(id)
    const previous = last.get(key)
    const isOfDraft = previous?.version === head.version && previous.rebased === head.rebased
    if (previous && !decided && previous.site === siteVersion && isOfDraft)
      return { ...previous, changed: false }
    const edit = {
      kind: 'follow',
      site,
      ...(!head.agreed && { first: await firstComparison(id, site, parts) }),
      decided,
      isDecision,
      seen,
      authors: authorsOf(id.siteId),
      renames,
      published,
      volatile,
      siteRenames: renamesOn(id.siteId),
      waits: !writes,
    } as const
    const toResult = ({ previewVersion, rebased, changed, followed }: Committed) => ({
      version: previewVersion,
      rebased,
      changed,
      taken: followed?.taken ?? [],
      conflicts: followed?.conflicts ?? [],
      renames: followed?.renames ?? noRenames,
      former: followed?.former ?? notFollowed.former,
      moved: followed?.moved,
      ahead: followed?.ahead,
      refreshed: followed?.refreshed,
    })
    // Pages of a draft without a base are compared as they were read.
    const expect = head.agreed ? undefined : head.version
    const also = isCurrent && onlyIfCurrent(isCurrent)
    const request = { id, edit, actor, channel, also, ...(expect !== undefined && { expect }) } as const
    try {
      const result = await drafts.commit(request, toResult)
      if (siteVersion !== undefined && !result.ahead && !result.refreshed)
        last.set(key, { ...result, taken: [], moved: undefined, site: siteVersion })
      return result
    } catch (error) {
      if (!(error instanceof Refusal && passing.has(error.code))) throw error
      return { ...notFollowed, version: head.version, isOutdated: true }
    }
  }

  const reopen: Reopen = async (id, pages, around) => {
    if (!(await drafts.head(id)).agreed) return
    const edit = { kind: 'reopen', pages, ...around } as const
    await drafts.commit({ id, edit, actor: theSite, channel: 'site' }, () => undefined)
  }

  return { follow, reopen }
}

const siteMovedOn = defineRefusal({
  status: 409,
  code: 'site_changed',
  reason: () => 'The site was published to since it was read.',
})
/** Refusals after which the next comparison follows. */
const passing: ReadonlySet<string> = new Set(['version_mismatch', 'site_changed'])

const onlyIfCurrent =
  (isCurrent: NonNullable<FollowOptions['isCurrent']>): Companion =>
  async (tx) => {
    if (!(await isCurrent(tx))) throw siteMovedOn()
    return async () => undefined
  }

export type Follow = ReturnType<typeof createFollowing>['follow']
