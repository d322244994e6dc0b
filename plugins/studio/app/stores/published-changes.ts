/** What tells one publish from another: the changes of the draft since the publish before. */
import type { Answer } from '../service.ts'

type PublishRow = Answer<'GET /publish/log'>['entries'][number]

type LogLine = Answer<'GET /history/log'>['entries'][number]
type LogEntry = Pick<LogLine, 'version' | 'at' | 'channel'> & Partial<Pick<LogLine, 'source'>>
type Publish = Pick<PublishRow, 'at' | 'status' | 'scheduledId' | 'rolledBackTo'>
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

/**
 * The changes in a publish, oldest first, as far as the log has them. What was scheduled, or published again, is
 * older than the changes before it.
 */
export function changesIn<E extends LogEntry>(
  { at, status, scheduledId, rolledBackTo }: Publish,
  publishes: readonly Publish[],
  entries: readonly E[],
): readonly E[] {
  if (status !== 'success' || scheduledId !== undefined || rolledBackTo !== undefined) return []
  const earlier = publishes.filter((each) => each.status === 'success' && each.at < at)
  const since = earlier.reduce((latest, each) => (each.at > latest ? each.at : latest), '')
  return entries
    .filter((entry) => !isOfSite(entry) && entry.at > since && entry.at <= at)
    .toSorted((a, b) => a.version - b.version)
}

/** Whether a change brought what the site has: by itself, or because a person has decided so. */
export const isOfSite = ({ channel, source }: Pick<LogEntry, 'channel' | 'source'>): boolean =>
  channel === 'site' || source === 'site'
