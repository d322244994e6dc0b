import type { ContentAdapter } from '../content/adapter.ts'
import type { ChangeSource } from './change.ts'
import type { ChangeParticipant } from './port.ts'
import { notStorable } from './refusals.ts'

/** The sources of changes that a caller requests. What the site brings, or the draft had, is not refused. */
const requested: ReadonlySet<string> = new Set<ChangeSource>(['direct', 'chat', 'agent', 'jira', 'checks'])

const noSettings =
  'This website has no place for site settings, such as a name or a menu: its content is in files. ' +
  'Change them in its code.'
const noOrder = 'The pages of this website are in the order of its files. Rename a file to move its page.'

/** Returns what refuses changes of drafts that the content source of their site says it cannot store. */
export function refusingUnstorable(
  adapter: ContentAdapter | undefined,
  ownSiteId: string,
): readonly ChangeParticipant[] {
  if (!adapter?.refusalOf && !adapter?.isPagesOnly) return []
  return [
    async (_tx, { siteId, source, configChanged, slugs }, pages) => {
      if (siteId !== ownSiteId || !requested.has(source)) return
      if (adapter.isPagesOnly && configChanged) throw notStorable(noSettings)
      if (adapter.isPagesOnly && slugs.some((slug) => !pages.has(slug))) throw notStorable(noOrder)
      for (const change of pages.values()) {
        const why = adapter.refusalOf?.(change)
        if (why !== undefined) throw notStorable(why)
      }
    },
  ]
}
