import { paced } from '../../../kernel/index.ts'
import { moveMenuEntries, noMoves, rewriteLinks } from '../../content/links.ts'
import { pageWithout, togetherWith } from '../../content/merge/index.ts'
import { typeName } from '../../content/naming.ts'
import type { Block, Page, SiteConfig } from '../../content/page.ts'
import { ownValue } from '../../content/plain-object.ts'
import { builtinRegistry } from '../../content/registry.ts'
import { copySlug, home, slugAmong } from '../../content/slugs.ts'
import type { Baselines } from '../../baseline/port.ts'
import {
  type Committed,
  type CommitRequest,
  type Drafts,
  inSequence,
  type PageRename,
  type StoredPage,
} from '../port.ts'
import type { DraftId } from '../../scope/port.ts'
import { ownHosts, type Sites } from '../../sites/port.ts'
import {
  baselineUnavailable,
  blockWithoutPage,
  noSuchBlock,
  notAnywhere,
  nothingToDiscard,
} from './refusals.ts'
import type { DiscardBody } from './schemas.ts'

/**
 * Plans the reset of one field, block or page, or of all pages, to the published content; an unpublished one
 * is removed. A renamed page gets its published address again, with the links to it.
 *
 * Refuses with 409 `baseline_unavailable`, and with 404 if the page or the block is neither in the draft nor
 * published.
 */
export async function planDiscard(
  id: DraftId,
  { slug: named, blockId, field, siteOrigin }: Pick<DiscardBody, 'slug' | 'blockId' | 'field' | 'siteOrigin'>,
  {
    drafts,
    baselines,
    sites,
  }: { readonly drafts: Drafts; readonly baselines: Baselines; readonly sites: Pick<Sites, 'previewUrl'> },
): Promise<Pick<CommitRequest, 'edit' | 'expect'> & { readonly back?: readonly PageRename[] }> {
  const { content: baseline, otherSite, isOwn, hasShrunk } = await baselines.read(id, { siteOrigin })
  if (!baseline) throw baselineUnavailable(otherSite)
  if (isOwn && hasShrunk) throw baselineUnavailable(shrunkSite)
  const published = new Map(baseline.pages.map((page) => [page.slug, page]))
  const { version } = await drafts.head(id)
  const drafted = new Set((await drafts.rows(id)).map((row) => row.slug))
  const slug = named && (slugAmong(drafted.union(new Set(published.keys())), named) ?? named)
  const renames = new Map(
    [...(await drafts.renames(id, baseline))].filter(([from, to]) => published.has(from) && drafted.has(to)),
  )
  if (blockId !== undefined) {
    if (slug === undefined) throw blockWithoutPage()
    const [from = slug] = [...renames].find(([, to]) => to === slug) ?? []
    return planBlock(await drafts.page(id, slug), published.get(from), { slug, blockId, field })
  }
  if (field !== undefined) throw blockWithoutPage()
  if (slug !== undefined && !published.has(slug) && !drafted.has(slug)) throw notAnywhere(slug)
  const wanted = slug === undefined ? [...drafted, ...published.keys()] : togetherWith([slug], renames)
  const reset = new Map([...wanted].map((each) => [each, published.get(each)]))
  const summary = slug === undefined ? 'Discarded all changes' : `Discarded the changes of ${slug}`
  const agreedAt = isOwn ? reset.keys() : undefined
  const waiting = copySlug(slug ?? home, (each) => drafted.has(each) || published.has(each))
  const moves = new Map([...renames].filter(([, now]) => reset.has(now)))
  const back = inSequence(moves, waiting)
  if (back.length === 0) return { edit: { ...discarding, pages: reset, summary, agreedAt } }
  const pages = new Map([
    ...(await linkedBack(await drafts.pages(id), back, await ownHosts(id, sites))),
    ...reset,
  ])
  const siteConfig = menuBack(await drafts.config(id), back)
  const ops = back.map(
    ({ from, to }) => ({ op: 'rename_page', pageSlug: from, newPageSlug: to, newTitle: undefined }) as const,
  )
  return {
    edit: { ...discarding, pages, siteConfig, summary, agreedAt, renames: ops },
    expect: version,
    back,
  }
}

const shrunkSite =
  'The site lists less than half of the pages that it had, so the draft does not go back to that. ' +
  'If they are gone on purpose, call POST /draft/follow with confirm: true.'

/** Returns the pages whose links change when renamed pages get their former slugs again. */
async function linkedBack(
  pages: readonly Page[],
  back: readonly PageRename[],
  ownHosts: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Page>> {
  const slugs = new Set(pages.map(({ slug }) => slug))
  const moves = noMoves()
  for (const { from, to } of back) moves.add({ from, to, isOther: (other) => slugs.has(other) })
  const rewrite = moves.rewriterSince(0, () => undefined)
  const changed = new Map<string, Page>()
  for await (const page of paced(pages)) {
    const after = rewriteLinks(page, rewrite, { registry: builtinRegistry, ownHosts })
    if (after !== page) changed.set(page.slug, after)
  }
  return changed
}

function menuBack(config: SiteConfig | undefined, back: readonly PageRename[]) {
  const before = config ?? {}
  const values = moveMenuEntries(
    before,
    back.map(({ from, to }) => [from, to]),
  )
  return values === before ? undefined : { values, overwrite: true }
}

const discarding = { kind: 'pages', source: 'discard' } as const

/** Plans the page with the published fields of one block, on the version that it was read from. */
function planBlock(
  drafted: StoredPage | undefined,
  published: Page | undefined,
  { slug, blockId, field }: Readonly<Record<'slug' | 'blockId', string>> & Pick<DiscardBody, 'field'>,
): Pick<CommitRequest, 'edit' | 'expect'> {
  const isOurs = ({ id }: Block): boolean => id === blockId
  const [whole, after] = [published?.blocks.find(isOurs), drafted?.page.blocks.find(isOurs)]
  const before = field !== undefined && whole && after ? withField(after, whole, field) : whole
  if (!drafted || !(before ?? after)) throw noSuchBlock(slug, blockId)
  const ids = published?.blocks.map(({ id }) => id) ?? []
  // A block that is gone comes back to its place.
  const order = after ? undefined : { before: ids, after: ids.filter((id) => id !== blockId) }
  const change = { slug, keys: [], blocks: [{ name: blockId, before, after }], ...(order && { order }) }
  const reset = pageWithout(drafted.page, change, { registry: builtinRegistry })
  const summary = `Discarded the changes of ${typeName((after ?? before)?.type ?? '', {})} on page "${drafted.page.title}"`
  const pages = new Map([[slug, reset?.page ?? drafted.page]])
  return { edit: { ...discarding, pages, summary }, expect: drafted.previewVersion }
}

const withField = (block: Block, { props }: Block, field: string): Block => ({
  ...block,
  props: { ...block.props, [field]: ownValue(props, field) },
})

/** Adds the page to show after a discard: the restored one, also at its former slug (`back`), or home. */
export function afterDiscard(
  committed: Committed,
  requestedSlug?: string,
  back: readonly PageRename[] = [],
): Committed {
  if (!committed.changed) throw nothingToDiscard()
  const { pages } = committed
  const slug = requestedSlug ?? committed.slug ?? ''
  const change = pages.get(slug)
  if (!change || (change.before && change.after)) return committed
  const restored = back.find(({ from }) => from === slug)?.to
  return { ...committed, navigateToSlug: change.after ? slug : (restored ?? home) }
}
