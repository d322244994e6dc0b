import type { SiteContent } from '../adapter.ts'
import { ingestPage } from '../ingest.ts'
import { withoutGeneratedItemIds } from '../items.ts'
import type { Block, Fields, AvailableTypes, Page, SiteConfig } from '../model.ts'
import { sameJson } from '../plain-object.ts'
import { definesHeader, redirectsOf } from '../redirects.ts'
import { builtinRegistry, declaredType } from '../registry.ts'
import { diffBlocks, diffProps, fieldDiff, type Sides, unchangedBlocks, unknownFields } from './blocks.ts'
import type { ContentDiff, FieldDiff, PageDiff, SiteConfigDiff } from './schema.ts'

/** The changes of a publish: the draft of a site compared with its published pages. */

export { marked, withConflicts } from './conflicts.ts'
export { BlockDiff, ContentDiff, FieldDiff, PageDiff } from './schema.ts'

const order = ['added', 'modified', 'removed', 'unchanged'] as const

/**
 * Compares a draft with the published content.
 *
 * Pages match by slug, blocks by id. Ignores generated row ids, page ids, `updatedAt`, page order, unknown
 * page keys and key order. Both sides are repaired before the comparison. If two pages have the same slug,
 * the first counts.
 */
export function diffContent({
  draft,
  baseline,
  ...types
}: AvailableTypes & {
  readonly draft: SiteContent
  /** `undefined` if it is not available, never for an empty site. */
  readonly baseline: SiteContent | undefined
}): ContentDiff {
  if (!baseline) return nothingClaimed
  const [old, current] = [bySlug(baseline.pages), bySlug(draft.pages)]
  const pages: PageDiff[] = []
  for (const [slug, page] of current) pages.push(diffPage(page, old.get(slug), types))
  for (const [slug, page] of old) if (!current.has(slug)) pages.push(removedPage(page))
  const siteConfig = diffSiteConfig(baseline.siteConfig, draft.siteConfig)
  const summary = summaryOf([countsIn(pages.map(toTally))], siteConfig)
  return { baselineAvailable: true, summary, pages: pages.toSorted(byStatusAndSlug), siteConfig }
}

/** Compares one page of a draft with the published one: its slug, title, meta and blocks. */
export function diffPage(page: Page, published: Page | undefined, types: AvailableTypes): PageDiff {
  const { slug, title, blocks } = page
  if (!published) {
    return {
      slug,
      status: 'added',
      titleAfter: title,
      blockDiffs: diffBlocks({ before: [], after: blocks }, () => noFields),
    }
  }
  if (published === page) return { slug, status: 'unchanged', blockDiffs: unchangedBlocks(blocks) }
  const renamed = published.slug !== slug && { slugBefore: published.slug }
  const titles = published.title !== title && { titleBefore: published.title, titleAfter: title }
  const metaDiffs = diffProps({ before: published.meta ?? {}, after: page.meta ?? {} }, unknownFields)
  const blockDiffs = comparedBlocks({ before: published, after: page }, types)
  const isModified =
    renamed || titles || metaDiffs.length > 0 || blockDiffs.some(({ status }) => status !== 'unchanged')
  const status = isModified ? 'modified' : 'unchanged'
  return { slug, ...renamed, status, ...titles, blockDiffs, ...(metaDiffs.length > 0 && { metaDiffs }) }
}

/** The diff of a published page that the draft lacks. */
export function removedPage({ slug, title, blocks }: Page): PageDiff {
  return {
    slug,
    status: 'removed',
    titleBefore: title,
    blockDiffs: diffBlocks({ before: blocks, after: [] }, () => noFields),
  }
}

/** Compares a page in two states by the built-in types; `undefined` if it exists in neither. */
export function diffStates({ before, after }: Sides<Page | undefined>): PageDiff | undefined {
  if (after) return diffPage(after, before, { registry: builtinRegistry })
  return before && removedPage(before)
}

/** Indexes pages by slug; for a duplicate slug, the first page counts. */
export function bySlug(pages: readonly Page[]): ReadonlyMap<string, Page> {
  return new Map(pages.toReversed().map((page) => [page.slug, page]))
}

export const slugsOf = ({ pages }: { readonly pages: readonly Page[] }): readonly string[] =>
  pages.map(({ slug }) => slug)

/** The counts of a page in the summary. */
export type PageTally = Pick<PageDiff, 'slug' | 'status'> & { readonly changedFields: number }

export function toTally({ slug, status, blockDiffs, metaDiffs = [], ...titles }: PageDiff): PageTally {
  const isRetitled = titles.titleBefore !== undefined && titles.titleAfter !== undefined
  const own = metaDiffs.length + (isRetitled ? 1 : 0)
  return {
    slug,
    status,
    changedFields: blockDiffs.reduce((sum, { fieldDiffs = [] }) => sum + fieldDiffs.length, own),
  }
}

/** The summary of pages alone. */
export function countsIn(pages: readonly PageTally[]) {
  const counts = { added: 0, removed: 0, modified: 0, unchanged: 0 }
  let totalChangedFields = 0
  for (const { status, changedFields } of pages) {
    counts[status] += 1
    totalChangedFields += changedFields
  }
  return {
    pagesAdded: counts.added,
    pagesRemoved: counts.removed,
    pagesModified: counts.modified,
    pagesUnchanged: counts.unchanged,
    totalChangedFields,
  }
}

/** Sums the counts of several lists of pages. */
export function summaryOf(
  counts: readonly ReturnType<typeof countsIn>[],
  siteConfig: SiteConfigDiff,
): ContentDiff['summary'] {
  const sum = { ...countsIn([]), siteConfigChangedFields: siteConfig.fieldDiffs.length }
  for (const each of counts) {
    sum.pagesAdded += each.pagesAdded
    sum.pagesRemoved += each.pagesRemoved
    sum.pagesModified += each.pagesModified
    sum.pagesUnchanged += each.pagesUnchanged
    sum.totalChangedFields += each.totalChangedFields
  }
  return sum
}

const sameConfig: SiteConfigDiff = { status: 'unchanged', fieldDiffs: [] }

/** The diff without a baseline. */
export const nothingClaimed: ContentDiff = {
  baselineAvailable: false,
  summary: summaryOf([], sameConfig),
  pages: [],
  siteConfig: sameConfig,
}

export function byStatusAndSlug(
  a: Pick<PageDiff, 'slug' | 'status'>,
  b: Pick<PageDiff, 'slug' | 'status'>,
): number {
  return order.indexOf(a.status) - order.indexOf(b.status) || byCodePoint(a.slug, b.slug)
}

const noFields: Fields = {}

function comparedBlocks({ before, after }: Sides<Page>, types: AvailableTypes): PageDiff['blockDiffs'] {
  const repaired = (page: Page) => withoutRowIds(ingestPage(page, types))
  return diffBlocks(
    { before: repaired(before), after: repaired(after) },
    (type) => declaredType(type, types)?.fields ?? noFields,
  )
}

function withoutRowIds({ blocks }: Page): readonly Block[] {
  return blocks.map(({ id, type, props }) => ({ id, type, props: withoutGeneratedItemIds(props) }))
}

/**
 * Compares the header data of two configs, name, logo, menu labels and menu groups, and the redirects.
 *
 * Other keys are ignored, and the differences are sorted by path. A side without a config, or with redirects
 * alone, does not define the header, so nothing in it has changed; the same holds for redirects.
 */
export function diffSiteConfig(
  before: SiteConfig | undefined,
  after: SiteConfig | undefined,
): SiteConfigDiff {
  if (before === undefined || after === undefined) return sameConfig
  const [old, current] = [valuesOf(before, after), valuesOf(after, before)]
  const fieldDiffs: FieldDiff[] = []
  for (const path of [...new Set([...old.keys(), ...current.keys()])].toSorted(byCodePoint)) {
    const values = { before: old.get(path), after: current.get(path) }
    const kind = path === 'logo' ? 'image' : path === 'name' ? 'text' : 'other'
    if (!sameJson(values.before, values.after)) fieldDiffs.push(fieldDiff(path, values, kind))
  }
  const status = old.size === 0 ? 'added' : current.size === 0 ? 'removed' : 'modified'
  return { status: fieldDiffs.length === 0 ? 'unchanged' : status, fieldDiffs }
}

/** Returns the values of a config that both sides define by path, such as `navLabels["/about"]`. */
function valuesOf(config: SiteConfig, other: SiteConfig): ReadonlyMap<string, unknown> {
  const redirects = (redirectsOf(other) && redirectsOf(config)) ?? {}
  const {
    name,
    logo,
    navLabels = {},
    navGroups = {},
  } = definesHeader(config) && definesHeader(other) ? config : {}
  const entries: [path: string, value: unknown][] = [
    ['name', name],
    ['logo', logo],
  ]
  for (const [key, map] of Object.entries({ navLabels, navGroups, redirects })) {
    for (const [name, value] of Object.entries(map)) entries.push([`${key}[${JSON.stringify(name)}]`, value])
  }
  return new Map(entries.filter(([, value]) => value !== undefined))
}

/** Compares two texts by code point, independently of the locale. */
function byCodePoint(a: string, b: string): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    if (a.charCodeAt(i) !== b.charCodeAt(i)) return (a.codePointAt(i) ?? 0) - (b.codePointAt(i) ?? 0)
  }
  return a.length - b.length
}
