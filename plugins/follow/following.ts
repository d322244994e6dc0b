import { defineRefusal, LRUCache, paced, Refusal } from '../../kernel/index.ts'
import type { Reopen } from '../baseline/port.ts'
import type { SiteContent } from '../content/adapter.ts'
import { bySlug } from '../content/diff/index.ts'
import { noRenames, samePage, sideOf } from '../content/merge/index.ts'
import type { Manifest } from '../content/model.ts'
import type { Page } from '../content/page.ts'
import { homeFirst } from '../content/slugs.ts'
import type {
  Actor,
  Ahead,
  ChangeEvent,
  Channel,
  Committed,
  Companion,
  DraftHead,
  Drafts,
  Edit,
  FirstComparison,
  Followed,
  SiteState,
} from '../draft/port.ts'
import { draftKey, type DraftId } from '../scope/port.ts'
import type { Transaction } from '../store/port.ts'

/** How a draft follows: what was decided, and what is known of the state besides. */
export interface FollowOptions extends Pick<
  Extract<Edit, { readonly kind: 'follow' }>,
  'decided' | 'isDecision' | 'seen' | 'renames' | 'published' | 'volatile'
> {
  readonly actor?: Actor | undefined
  /** By default that of the site. */
  readonly channel?: Channel | undefined
  /** Whether the site is as it was read, in the transaction of the change. */
  readonly isCurrent?: ((tx: Transaction) => Promise<boolean>) | undefined
  /** Whether people see the conflicts; by default they do. */
  readonly isShown?: boolean | undefined
  /** True to write also while a run is open, whose change is two lines of the log then. */
  readonly writes?: boolean | undefined
}

export interface FollowResult extends Followed {
  readonly version: number
  readonly changed: boolean
  /** Whether nothing was taken over, because the site or the draft was changed since it was read. */
  readonly isOutdated?: boolean | undefined
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

/** Returns the block types that the site of a draft declares, if any. */
export type TypesOf = (id: DraftId) => Promise<Manifest | undefined>

interface FollowingContext {
  readonly drafts: Drafts
  readonly typesOf: TypesOf
  readonly snapshots: {
    list(siteId: string): Promise<readonly { readonly commit: string }[]>
    stored(commit: string): Promise<{ readonly content: SiteContent } | undefined>
  }
}

/** Finds what was published as it is in the draft, among the newest publishes. */
async function firstComparison(
  id: DraftId,
  site: SiteState,
  { drafts, snapshots }: FollowingContext,
): Promise<FirstComparison> {
  const pages = new Map<string, Page | undefined>()
  const published: Pick<SiteState, 'order' | 'siteConfig'>[] = []
  const remaining = new Map<string, Page | undefined>()
  const searched = (await snapshots.list(id.siteId)).slice(0, mostSearched)
  for await (const slug of paced(searched.length > 0 ? site.differing : []))
    remaining.set(slug, (await drafts.page(id, slug))?.page)
  for (const { commit } of searched) {
    const found = await snapshots.stored(commit)
    if (!found) continue
    const { pages: all, siteConfig } = found.content
    const then = bySlug(all)
    published.push({ order: all.map(({ slug }) => slug), siteConfig })
    for await (const [slug, page] of paced(remaining)) {
      if (!samePage(page, then.get(slug))) continue
      pages.set(slug, page)
      remaining.delete(slug)
    }
  }
  return { pages, published }
}

export function createFollowing(context: FollowingContext) {
  const { drafts, typesOf } = context
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
    { actor = theSite, channel = 'site', isCurrent, writes, ...how }: FollowOptions = {},
  ): Promise<FollowResult> => {
    const key = draftKey(id)
    const head = await drafts.head(id)
    const previous = last.get(key)
    const isSameSite = previous?.site === siteVersion && previous?.rebased === head.rebased
    if (previous && isSameSite && !how.decided) {
      const now = { ...previous, version: head.version, changed: false }
      if (previous.version === head.version) return now
      if (await hasOnlyEdits(drafts, id, previous, head, { ...how, site })) {
        last.set(key, now)
        return now
      }
    }
    const edit = {
      ...how,
      kind: 'follow',
      site,
      manifest: await typesOf(id),
      ...(!head.agreed && { first: await firstComparison(id, site, context) }),
      waits: !(writes ?? how.isDecision),
    } as const
    const toResult = ({ previewVersion: version, rebased, changed, followed }: Committed) => ({
      ...notFollowed,
      ...followed,
      version,
      rebased,
      changed,
    })
    // Pages of a draft without a base are compared as they were read.
    const expect = head.agreed ? undefined : head.version
    const also = isCurrent && onlyIfCurrent(isCurrent)
    const request = { id, edit, actor, channel, also, ...(expect !== undefined && { expect }) } as const
    try {
      const result = await drafts.commit(request, toResult)
      // What a decision has left open is another conflict without it, such as that of a page at a taken address.
      if (siteVersion !== undefined && !result.ahead && !result.refreshed && !how.decided)
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

/**
 * Whether a draft has only edited pages in place since it last followed this state of its site without leaving
 * anything open. Such edits cannot conflict, so nothing has to be merged.
 */
async function hasOnlyEdits(
  drafts: Pick<Drafts, 'changesAfter'>,
  id: DraftId,
  { version, conflicts, former, renames }: Last,
  { agreed, leftOut }: DraftHead,
  {
    site: { pages },
    published,
    renames: moved,
    volatile = new Set(),
  }: FollowOptions & { readonly site: SiteState },
): Promise<boolean> {
  const open = [volatile.size, leftOut.length, conflicts.length, former.size]
  const sizes = [...open, ...Object.values(renames).map(({ size }) => size)]
  if (!agreed || published || moved || sizes.some((size) => size > 0)) return false
  const changes = await drafts.changesAfter(id, version)
  const isEdit = ({ slugs, removedSlugs = [], renamed = [], configChanged }: ChangeEvent): boolean =>
    !configChanged && removedSlugs.length + renamed.length === 0 && slugs.every((slug) => pages.get(slug))
  return changes?.every(isEdit) ?? false
}

/** Content as a state that a draft can follow, which may differ from it on each page but for those in `known`. */
export function stateOf({ pages, siteConfig }: SiteContent, known: readonly Page[] = []): SiteState {
  const { pages: published } = sideOf({ pages })
  const [order, isKnown] = [[...published.keys()], new Set(known)]
  const differing = pages.flatMap((page) => (isKnown.has(page) ? [] : [page.slug]))
  return { order, pages: published, siteConfig, differing }
}

/** Returns a draft with what it takes over from its site once a run has ended. */
export function withAhead(draft: SiteContent, ahead: Ahead | undefined): SiteContent {
  if (!ahead) return draft
  const pages = new Map([...bySlug(draft.pages), ...ahead.pages])
  return {
    pages: homeFirst(ahead.order).flatMap((slug) => pages.get(slug) ?? []),
    siteConfig: ahead.siteConfig ?? draft.siteConfig,
  }
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
