import { typeName } from '../content/naming.ts'
import type { Block, Page } from '../content/page.ts'
import { ownValue } from '../content/plain-object.ts'
import { home } from '../content/slugs.ts'
import { withoutChange } from '../content/without-change.ts'
import type { Committed, CommitRequest, Drafts, StoredPage } from '../draft/port.ts'
import type { Baselines } from '../publish/port.ts'
import type { DraftId } from '../scope/port.ts'
import {
  baselineUnavailable,
  blockWithoutPage,
  noSuchBlock,
  notAnywhere,
  nothingToDiscard,
} from './refusals.ts'
import type { DiscardBody } from './schemas.ts'

interface Sources {
  readonly drafts: Drafts
  readonly baselines: Baselines
}

/**
 * Plans the reset of one field, block or page, or of all pages, to the published content; an unpublished one is removed.
 *
 * Refuses with 409 `baseline_unavailable`, and with 404 if the page or the block is neither in the draft nor
 * published.
 */
export async function planDiscard(
  id: DraftId,
  { slug, blockId, field, siteOrigin }: Pick<DiscardBody, 'slug' | 'blockId' | 'field' | 'siteOrigin'>,
  { drafts, baselines }: Sources,
): Promise<Pick<CommitRequest, 'edit' | 'expect'>> {
  const { content: baseline, otherSite } = await baselines.read(id, { siteOrigin })
  if (!baseline) throw baselineUnavailable(otherSite)
  const published = new Map(baseline.pages.map((page) => [page.slug, page]))
  if (blockId !== undefined) {
    if (slug === undefined) throw blockWithoutPage()
    return planBlock(await drafts.page(id, slug), published.get(slug), { slug, blockId, field })
  }
  if (field !== undefined) throw blockWithoutPage()
  const drafted = (await drafts.rows(id)).map((row) => row.slug)
  if (slug !== undefined && !published.has(slug) && !drafted.includes(slug)) throw notAnywhere(slug)
  const wanted = slug === undefined ? [...new Set([...drafted, ...published.keys()])] : [slug]
  const pages = new Map<string, Page | undefined>(wanted.map((each) => [each, published.get(each)]))
  const summary = slug === undefined ? 'Discarded all changes' : `Discarded the changes of ${slug}`
  return { edit: { ...discarding, pages, summary } }
}

const discarding = { kind: 'pages', source: 'discard', undo: 'all' } as const

interface Part {
  readonly slug: string
  readonly blockId: string
  readonly field: string | undefined
}

/** Plans the page with the published fields of one block, on the version of the page that it was read from. */
function planBlock(
  drafted: StoredPage | undefined,
  published: Page | undefined,
  { slug, blockId, field }: Part,
): Pick<CommitRequest, 'edit' | 'expect'> {
  const isOurs = ({ id }: Block): boolean => id === blockId
  const [whole, after] = [published?.blocks.find(isOurs), drafted?.page.blocks.find(isOurs)]
  const before = field !== undefined && whole && after ? withField(after, whole, field) : whole
  if (!drafted || !(before ?? after)) throw noSuchBlock(slug, blockId)
  const ids = published?.blocks.map(({ id }) => id) ?? []
  const reset = withoutChange(drafted.page, {
    slug,
    keys: [],
    blocks: [{ name: blockId, before, after }],
    order: { before: ids, after: ids.filter((id) => id !== blockId) },
  })
  const summary = `Discarded the changes of ${typeName((after ?? before)?.type ?? '', {})} on page "${drafted.page.title}"`
  const pages = new Map([[slug, reset?.page ?? drafted.page]])
  return { edit: { ...discarding, pages, summary }, expect: drafted.previewVersion }
}

const withField = (block: Block, { props }: Block, field: string): Block => ({
  ...block,
  props: { ...block.props, [field]: ownValue(props, field) },
})

/** Adds the page to show after a discard: home for a removed page, the page itself for a restored one. */
export function afterDiscard(committed: Committed): Committed {
  if (!committed.changed) throw nothingToDiscard()
  const { slug = '' } = committed
  const change = committed.pages.get(slug)
  if (!change || (change.before && change.after)) return committed
  return { ...committed, navigateToSlug: change.after ? slug : home }
}
