import type { ContentDiff } from '../content/diff/index.ts'

/** How a page is called in a sentence. */
const nameOf = (slug: string): string => (slug === '/' ? 'Home' : slug.replace(/^\//, ''))

/** One sentence about a publish that worked. */
export function summaryOf(diff: ContentDiff | undefined, pageCount: number): string {
  if (!diff?.baselineAvailable) return `Published ${pageCount} ${pageCount === 1 ? 'page' : 'pages'}`
  const changed = diff.pages.filter(({ status }) => status === 'added' || status === 'modified').map(({ slug }) => nameOf(slug))
  const removed = diff.pages.filter(({ status }) => status === 'removed').map(({ slug }) => nameOf(slug))
  const parts = [changed.length > 0 && `updated ${listed(changed)}`, removed.length > 0 && (removed.length === 1 ? `removed ${removed[0]}` : `removed ${removed.length} pages`)].filter((part) => part !== false)
  if (parts.length > 0) return `Published: ${parts.join('; ')}`
  return diff.siteConfig.fieldDiffs.length > 0 ? 'Published: updated the site settings' : 'Republished with no content changes'
}

function listed([first, second, third, ...more]: readonly string[]): string {
  if (second === undefined) return first ?? ''
  if (third === undefined) return `${first} and ${second}`
  return more.length === 0 ? `${first}, ${second} and ${third}` : `${first}, ${second} and ${1 + more.length} more`
}

export function countsOf(diff: ContentDiff | undefined): { readonly added: number; readonly removed: number; readonly changed: number } | undefined {
  if (!diff?.baselineAvailable) return undefined
  const { pagesAdded, pagesRemoved, pagesModified } = diff.summary
  return { added: pagesAdded, removed: pagesRemoved, changed: pagesModified }
}
