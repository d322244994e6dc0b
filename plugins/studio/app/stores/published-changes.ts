/** What tells one publish from another: the changes of the draft since the publish before. */
import type { Answer } from '../service.ts'

type LogLine = Answer<'GET /history/log'>['entries'][number]
type LogEntry = Pick<LogLine, 'version' | 'at' | 'channel'> & Partial<Pick<LogLine, 'source'>>
type Publish = Pick<
  Answer<'GET /publish/log'>['entries'][number],
  'at' | 'status' | 'scheduledId' | 'rolledBackTo'
>

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
