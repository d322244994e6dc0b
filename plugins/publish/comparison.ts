import { paced } from '../../kernel/index.ts'
import { type Baseline, type KnownSource, renamesOn, unansweredOf } from '../baseline/port.ts'
import type { SiteContent } from '../content/adapter.ts'
import { noRenames, type Renames } from '../content/merge/index.ts'
import type { Page } from '../content/page.ts'
import { pageSize } from '../content/page-bytes.ts'
import { homeFirst } from '../content/slugs.ts'
import { type FollowResult, withAhead, withAuthors } from '../follow/port.ts'
import { draftKey, type DraftId } from '../scope/port.ts'
import type { BranchChange } from './branches.ts'
import { currentDiff } from './diff/diffs.ts'
import { DraftDiff, noOverview, type DiffOverview } from './diff/draft-diff.ts'
import type { PublishContext } from './context.ts'
import { type KnownOfSite, type Pinned, renamesTo, withPin } from './scheduled/pin.ts'
import { publishTooLarge } from './refusals.ts'

/** A draft, or pinned content, and its baseline. */
export interface Compared
  extends
    Pick<Baseline, 'tag' | 'storageTag' | 'hasShrunk' | 'otherSite'>,
    Pick<FollowResult, 'conflicts' | 'renames' | 'moved' | 'former' | 'isOutdated'> {
  /** Home first; without a config if the draft never had one. */
  readonly draft: SiteContent
  /** A version of the draft; its content is at least as new. `undefined` for content that was no draft. */
  readonly version: number | undefined
  /** The version before the draft followed its site: the next one if it has taken over changes. */
  readonly seen?: number
  readonly baseline: SiteContent | undefined
  /** Where that comes from. */
  readonly source: Pick<KnownSource, 'mayHaveChanged' | 'sent'>
  /** Whether this is the site that the draft follows. */
  readonly isOwn: boolean
  /** The change of the branch that the draft waits for. */
  readonly branch?: BranchChange | undefined
  /** Whether the site could be read before, but not now. */
  readonly isAway: boolean
  /** Addresses, up to their `?`, that the site has otherwise at every read. */
  readonly volatile: ReadonlySet<string> | undefined
  /** The draft without what it takes over from the site once a run has ended. */
  readonly behind?: { readonly content: SiteContent; readonly renames: Renames } | undefined
  /** What pinned content took over from the site; absent for a draft. */
  readonly taken?: FollowResult['taken'] | undefined
  /** Empty without a baseline, and for a draft that was never filled. */
  readonly diff: DiffOverview
  /** Entries of the site that cannot be read and are deleted, by their slugs. */
  readonly removed?: readonly string[]
  /** What people should know about a publish of it. */
  readonly notes?: readonly string[]
}

interface CompareOptions {
  /** Takes the place of the draft. */
  readonly pinned?: Pinned | undefined
  readonly overwrite?: boolean
  /** Whether a refusal would name all conflicts; by default it does. */
  readonly isShown?: boolean
}

/**
 * Compares what a publish sends with the published content. Refuses a site that may not be called with 400,
 * and pages of more than `maxPublishBytes` with 413 `publish_too_large`.
 */
export const compare = (
  context: PublishContext,
  id: DraftId,
  siteOrigin: string | undefined,
  options: CompareOptions,
): Promise<Compared> =>
  options.pinned
    ? comparePinned(context, id, siteOrigin, options.pinned)
    : compareDraft(context, id, siteOrigin, options)

/** Returns the answer of a site, and what a comparison knows of it besides its content. */
function siteOf(source: KnownSource, { content: baseline, wasKnown = false, ...read }: Baseline) {
  const isAway = !baseline && wasKnown
  return { baseline, site: { ...read, source, isAway, isOwn: source.isOwn, volatile: source.signed } }
}

/** Returns what a site has with the changes of pinned content, and who published what that conflicts with. */
export async function mergedOnto(
  { store, clock, typesOf }: Pick<PublishContext, 'store' | 'clock' | 'typesOf'>,
  id: DraftId,
  { content, base, decided, version }: Pinned,
  site: SiteContent,
  known: KnownOfSite,
) {
  if (!base) return undefined
  const unanswered = await unansweredOf(id, store, version)
  const facts = { unanswered, ...known, manifest: await typesOf(id), decided }
  const merged = await withPin({ content, base }, site, facts)
  const conflicts = await withAuthors(store, id.siteId, merged, clock.now().toISOString())
  return { ...merged, conflicts }
}

async function comparePinned(
  context: PublishContext,
  id: DraftId,
  siteOrigin: string | undefined,
  pinned: Pinned,
): Promise<Compared> {
  const { drafts, reader, branches, files, store } = context
  const source = await reader.find(id, { siteOrigin, sharing: 'none' })
  const { baseline, site } = siteOf(source, await source.load())
  const head = await drafts.head(id)
  const at = { tag: site.storageTag, version: head.version }
  const isComparable = baseline && site.otherSite === undefined
  const diff = isComparable ? new DraftDiff(baseline, files, { hasJson: false }) : undefined
  const known = { ...(await renamesOn(id.siteId, store)), volatile: site.volatile }
  const merged = baseline && (await mergedOnto(context, id, pinned, baseline, known))
  const content = merged?.content ?? pinned.content
  const renames = merged?.renames.between ?? (await renamesTo(content, baseline, known))
  for await (const page of paced(content.pages)) diff?.set(page.slug, page)
  diff?.removeOthers(head.leftOut)
  diff?.setRenames(renames, pagesAt(renames, content))
  return {
    ...site,
    draft: content,
    version: pinned.version,
    baseline,
    diff: diff?.overview(content.siteConfig) ?? noOverview,
    branch: site.isOwn ? await branches?.changed(id, at) : undefined,
    conflicts: merged?.conflicts ?? [],
    taken: merged?.taken ?? [],
    // Content that replaces the site knows each address that it leaves: it goes as it is, without more redirects.
    renames: merged?.renames ?? { ...noRenames, ours: renames, between: renames },
    former: new Map(pinned.base?.former),
  }
}

async function compareDraft(
  context: PublishContext,
  id: DraftId,
  siteOrigin: string | undefined,
  { overwrite = false, isShown }: CompareOptions,
): Promise<Compared> {
  const { drafts, reader, followShown, compared, maxPublishBytes } = context
  // Fills an empty draft from its site, which changes its version.
  await drafts.config(id)
  refuseLarge((await drafts.head(id)).pageBytes, maxPublishBytes)
  // The entity tag protects what has changed since a shared read; a publish with `overwrite` sends none.
  const source = await reader.find(id, { siteOrigin, sharing: overwrite ? 'none' : 'tagged' })
  const how = { takeOver: followShown, options: { isShown } }
  return compared.queue.run(draftKey(id), () => comparedWith(context, id, source, how))
}

async function comparedWith(
  context: PublishContext,
  id: DraftId,
  source: KnownSource,
  how: Pick<Parameters<typeof currentDiff>[3], 'takeOver' | 'options'>,
): Promise<Compared> {
  const { drafts, maxPublishBytes } = context
  const own = new Map<string, Page>()
  const current = await currentDiff({ ...context, maxDiffBytes: Infinity }, id, source, how, own)
  const { diff, answer, branch, followed, seen, version } = current
  const { baseline, site } = siteOf(source, answer)
  const { ahead, conflicts, isOutdated, renames, moved, former } = followed
  const behind = {
    pages: inOrder(own, homeFirst(await drafts.rows(id)), followed.refreshed),
    siteConfig: current.ownConfig ?? (await drafts.config(id, baseline?.siteConfig)),
  }
  const draft = withAhead(behind, ahead)
  refuseLarge(ahead ? await bytesOf(draft) : (await drafts.head(id)).pageBytes, maxPublishBytes)
  return {
    ...site,
    draft,
    version,
    seen,
    baseline,
    diff: diff?.overview(draft.siteConfig) ?? noOverview,
    branch,
    behind: ahead && { content: behind, renames: ahead.renames },
    conflicts,
    isOutdated,
    renames,
    moved,
    former,
  }
}

function refuseLarge(bytes: number, mostBytes: number): void {
  if (bytes > mostBytes) throw publishTooLarge(mostBytes)
}

/** Returns pages in an order, with what was refreshed of them. */
const inOrder = (
  own: ReadonlyMap<string, Page>,
  rows: readonly { readonly slug: string }[],
  fresh?: ReadonlyMap<string, Page>,
): readonly Page[] =>
  rows.flatMap(({ slug }) => (own.has(slug) ? (fresh?.get(slug) ?? own.get(slug) ?? []) : []))

async function bytesOf({ pages }: SiteContent): Promise<number> {
  let bytes = 0
  for await (const page of paced(pages)) bytes += pageSize(page)
  return bytes
}

function pagesAt(renames: Renames, { pages }: SiteContent): ReadonlyMap<string, Page> {
  if (renames.size === 0) return new Map()
  const slugs = new Set([...renames].flat())
  return new Map(pages.flatMap((page) => (slugs.has(page.slug) ? [[page.slug, page] as const] : [])))
}
