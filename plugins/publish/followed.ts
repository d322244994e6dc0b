import type { Drafts } from '../draft/port.ts'
import type { DraftId } from '../scope/port.ts'
import type { Compared } from './comparison.ts'
import type { PublishLog } from './log.ts'
import type { LogRow } from './schemas.ts'

/** The number of publishes among which the one before is searched. */
const searched = 50

/** Creates the function that returns what a site had on its own since the last publish of a draft, for the log. */
export function createFollowedSince({
  drafts,
  publishLog,
}: {
  readonly drafts: Pick<Drafts, 'changesAfter'>
  readonly publishLog: Pick<PublishLog, 'list'>
}) {
  return async (id: DraftId, { taken }: Pick<Compared, 'taken'>): Promise<LogRow['followed']> => {
    if (taken) return listOf(taken.map(({ slug }) => slug))
    const rows = await publishLog.list(id, searched)
    const last = rows.findLast(({ status }) => status !== 'failed')
    const version = last ? last.version : 0
    const changes = version === undefined ? [] : ((await drafts.changesAfter(id, version)) ?? [])
    const ofSite = changes.filter(({ source }) => source === 'site')
    return listOf(
      ofSite.flatMap(({ slugs, removedSlugs = [], configChanged = false }) => [
        ...slugs,
        ...removedSlugs,
        ...(configChanged ? [settings] : []),
      ]),
    )
  }
}

/** What stands for the site config among slugs. */
const settings = ''

function listOf(slugs: readonly string[]): LogRow['followed'] {
  const all = new Set(slugs)
  const siteConfig = all.delete(settings)
  return all.size > 0 || siteConfig ? { pages: [...all], siteConfig } : undefined
}
