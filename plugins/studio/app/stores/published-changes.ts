/** What a publish brought, in words. */
import type { Answer } from '../service.ts'
import { whenOf } from './formats.ts'
import { withCapital } from './capital.ts'

type PublishRow = Answer<'GET /publish/log'>['entries'][number]

type Brought = Pick<NonNullable<PublishRow['changes']>, 'added' | 'modified' | 'removed' | 'siteConfigFields'>

/** How many pages are named in one sentence. */
const mostNames = 6

/** What a publish brought to the site, such as `Home, Our team (new)`; deleted pages first. */
export const broughtBy = (brought: Brought, titleOf: (slug: string) => string): string =>
  partsOf(brought, titleOf).join(', ')

function partsOf(
  { added, modified, removed, siteConfigFields }: Brought,
  titleOf: (slug: string) => string,
): readonly string[] {
  const pages = [
    ...removed.map((slug) => `${titleOf(slug)} (deleted)`),
    ...added.map((slug) => `${titleOf(slug)} (new)`),
    ...modified.map(titleOf),
  ]
  const more = pages.length - mostNames
  const names = more > 1 ? [...pages.slice(0, mostNames), `${more} more pages`] : pages
  return [...names, ...(siteConfigFields > 0 ? ['site settings'] : [])]
}

/** What waits for its publish, such as `Home and About, as they were at 12:25`. */
export function asItWas(changes: PublishRow['changes'] | undefined, at: string): string {
  const titles = changes?.titles
  const parts = changes && titles ? partsOf(changes, (slug) => titles[slug] ?? slug) : []
  const [first = 'The draft'] = parts
  const names = parts.length > 1 ? new Intl.ListFormat('en').format(parts) : first
  const isOne = parts.length < 2 && first !== 'site settings'
  return `${withCapital(names)}, as ${isOne ? 'it was' : 'they were'} ${whenOf(at)}`
}

/** What a publish brought, or will bring, by the titles that the pages had; of earlier versions, nothing. */
export function namedIn({ titles, ...brought }: NonNullable<PublishRow['changes']>): string | undefined {
  return titles && broughtBy(brought, (slug) => titles[slug] ?? slug)
}
