import { home } from '../content/slugs.ts'
import type { DiffOverview } from './comparison.ts'
import type { LogRow } from './schemas.ts'

/** One sentence about a publish that worked. */
export function summaryOf(diff: DiffOverview, pageCount: number): string {
  if (!diff.baselineAvailable) return `Published ${pageCount} ${pageCount === 1 ? 'page' : 'pages'}`
  const changed = [...namesOf(diff, 'added'), ...namesOf(diff, 'modified')]
  const removed = namesOf(diff, 'removed')
  const parts = [
    ...(changed.length > 0 ? [`updated ${listed(changed)}`] : []),
    ...(removed.length > 0
      ? [`removed ${removed.length === 1 ? removed[0] : `${removed.length} pages`}`]
      : []),
  ]
  if (parts.length > 0) return `Published: ${parts.join('; ')}`
  const sameSettings = diff.siteConfig.fieldDiffs.length === 0
  return sameSettings ? 'Republished with no content changes' : 'Published: updated the site settings'
}

/** One sentence about a deployment that began and then failed. */
export function failedDeployment(state: string | undefined): string {
  const remedy = 'Look at it where the site is hosted, then publish again.'
  return `The deployment ended as ${state ?? 'failed'}. ${remedy}`
}

/** How many pages a publish changed, where that is known. */
export function countsOf({ baselineAvailable, summary }: DiffOverview): LogRow['diffSummary'] {
  if (!baselineAvailable) return undefined
  return { added: summary.pagesAdded, removed: summary.pagesRemoved, changed: summary.pagesModified }
}

function namesOf({ pages }: DiffOverview, status: DiffOverview['pages'][number]['status']): readonly string[] {
  return pages.filter((page) => page.status === status).map(({ slug }) => nameOf(slug))
}

/** How a page is called in a sentence. */
const nameOf = (slug: string): string => (slug === home ? 'Home' : slug.replace(/^\//, ''))

function listed([first = '', second, third, ...more]: readonly string[]): string {
  if (second === undefined) return first
  if (third === undefined) return `${first} and ${second}`
  return `${first}, ${second} and ${more.length === 0 ? third : `${1 + more.length} more`}`
}
