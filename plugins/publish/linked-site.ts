import { noteFill, renamesOn, unansweredOf } from '../baseline/port.ts'
import type { LinkedSite } from '../draft/port.ts'
import { authorsOf, createTypedAgain, type Following } from '../follow/port.ts'
import type { DraftId } from '../scope/port.ts'
import type { createDiffs } from './diff/diffs.ts'
import type { PublishContext } from './context.ts'

/**
 * Creates what drafts have of their sites: one that was filled follows, and a follow that fails is logged.
 */
export function createLinkedSite(
  context: PublishContext,
  { followSite, followKnown }: ReturnType<typeof createDiffs>,
): { readonly site: LinkedSite; readonly following: Following } {
  const { drafts, branches, log } = context
  const tried = async <T>(id: DraftId, follow: () => Promise<T>): Promise<T | undefined> => {
    try {
      return (await drafts.head(id)).isUnfilled ? undefined : await follow()
    } catch (err) {
      log.warn({ err, siteId: id.siteId }, 'a draft could not follow its site')
      return undefined
    }
  }
  const site: LinkedSite = {
    follow: async (id) => tried(id, () => followKnown(id)),
    decideTyped: createTypedAgain({ ...context, followSite }),
    renamesOn,
    unansweredOf,
    authorsOf,
    async noteFill(tx, read, version) {
      await noteFill(tx, read)
      await branches?.filled(tx, read, version)
    },
  }
  return { site, following: { follow: (id) => tried(id, async () => (await followSite(id, {})).message) } }
}
