/** What a publish brought, in words. */
import type { Answer } from '../service.ts'

type PublishRow = Answer<'GET /publish/log'>['entries'][number]

type Brought = Pick<NonNullable<PublishRow['changes']>, 'added' | 'modified' | 'removed' | 'siteConfigFields'>

/** How many pages are named in one sentence. */
const mostNames = 6

/** What a publish brought to the site, such as `Home, Our team (new)`; deleted pages first. */
export function broughtBy(
  { added, modified, removed, siteConfigFields }: Brought,
  titleOf: (slug: string) => string,
): string {
  const pages = [
    ...removed.map((slug) => `${titleOf(slug)} (deleted)`),
    ...added.map((slug) => `${titleOf(slug)} (new)`),
    ...modified.map(titleOf),
  ]
  const more = pages.length - mostNames
  const names = more > 1 ? [...pages.slice(0, mostNames), `${more} more pages`] : pages
  return [...names, ...(siteConfigFields > 0 ? ['site settings'] : [])].join(', ')
}

/** What a publish brought, or will bring, by the titles that the pages had; of earlier versions, nothing. */
export function namedIn({ titles, ...brought }: NonNullable<PublishRow['changes']>): string | undefined {
  return titles && broughtBy(brought, (slug) => titles[slug] ?? slug)
}
