import type { ContentAdapter } from '../content/adapter.ts'
import type { ChangeSource } from './change.ts'
import type { ChangeParticipant } from './port.ts'
import { notStorable } from './refusals.ts'

/** Changes that someone asks for. What comes from the site, or was in the draft before, is not refused. */
const asked: ReadonlySet<string> = new Set<ChangeSource>(['direct', 'chat', 'agent', 'jira', 'checks'])

/** Returns what refuses changes of drafts that the content source of their site says it cannot store. */
export function refusingUnstorable(
  adapter: ContentAdapter | undefined,
  ownSiteId: string,
): readonly ChangeParticipant[] {
  if (!adapter?.refusalOf) return []
  return [
    async (_tx, { siteId, source }, pages) => {
      if (siteId !== ownSiteId || !asked.has(source)) return
      for (const change of pages.values()) {
        const why = adapter.refusalOf?.(change)
        if (why !== undefined) throw notStorable(why)
      }
    },
  ]
}
