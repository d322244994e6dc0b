/** The pages as a tree by their addresses. */
import { folderOf, isDocument } from '../stores/documents.ts'
import type { PageSummary } from '../stores/draft.ts'

export interface PageNode extends PageSummary {
  /** 1 for pages at the top. */
  readonly level: number
  /** Of a document, its folder. */
  readonly folder?: string
}

/** The pages in the order of the draft, each followed by those below its address. */
export function treeOf(pages: readonly PageSummary[]): readonly PageNode[] {
  const slugs = new Set(pages.map(({ slug }) => slug))
  const below = Map.groupBy(pages, ({ slug }) => parentOf(slug, slugs) ?? '')
  const nodesBelow = (slug: string, level: number): readonly PageNode[] =>
    (below.get(slug) ?? []).flatMap((page) => [{ ...page, level }, ...nodesBelow(page.slug, level + 1)])
  return nodesBelow('', 1)
}

/** Documents in the order of their folders; one of a website has no pages above. */
const inFolders = (pages: readonly PageSummary[]): readonly PageNode[] =>
  pages
    .map((page) => ({ ...page, level: 1, folder: folderOf(page.slug) }))
    .toSorted((one, other) => one.folder.localeCompare(other.folder))

/** The nearest page above an address; the home page is above none. */
function parentOf(slug: string, slugs: ReadonlySet<string>): string | undefined {
  for (let end = slug.lastIndexOf('/'); end > 0; end = slug.lastIndexOf('/', end - 1))
    if (slugs.has(slug.slice(0, end))) return slug.slice(0, end)
  return undefined
}

/** Whether a text has all words. */
export const hasWords = (text: string, wanted: string): boolean =>
  wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word))

/** The pages with all words in their title or address, in the order of the draft. */
export function found(pages: readonly PageSummary[], wanted: string): readonly PageNode[] {
  if (wanted.trim() === '')
    return pages.some(({ slug }) => isDocument(slug)) ? inFolders(pages) : treeOf(pages)
  return pages
    .filter(({ title, slug }) => hasWords(`${title} ${slug}`, wanted))
    .map((page) => ({ ...page, level: 1 }))
}

const longestSlug = 60

/** An address made of a title. */
export const slugFrom = (title: string): string =>
  `/${title
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, longestSlug)
    .replace(/-$/, '')}`

/** What is wrong with the address of a new page; `undefined` for a usable one. */
export function problemWith(slug: string, pages: readonly PageSummary[]): string | undefined {
  if (!/^\/[^\s?#\\]*$/.test(slug) || slug.includes('//')) return 'An address is like /about or /team/berlin.'
  return pages.some((page) => page.slug === slug) ? 'Another page has this address.' : undefined
}

/** The page behind which a page is when it moves by one; `undefined` where it cannot move. */
export function neighbour(
  pages: readonly PageSummary[],
  slug: string,
  by: -1 | 1,
): { readonly after: string | undefined; readonly place: number; readonly count: number } | undefined {
  const order = pages.map((page) => page.slug).filter((each) => each !== '/')
  const at = order.indexOf(slug)
  const to = at + by
  if (at === -1 || to < 0 || to >= order.length) return undefined
  return { after: order[by === 1 ? to : to - 1], place: to + 1, count: order.length }
}
