import { type DraftId, draftKey } from '../scope/port.ts'
import { heads } from './collections.ts'
import { toDraftHead, toStagedHead, type VisibleHead } from './cache.ts'
import type { CommitContext } from './commit.ts'
import type { Drafts } from './port.ts'
import type { Seeding } from './seeding.ts'

export type Heads = ReturnType<typeof createHeads>
export type ReadContext = Pick<CommitContext, 'store' | 'cache' | 'limits' | 'initialPages'>

/** Reads the heads of drafts, and seeds drafts that never had a page from their site. */
export function createHeads(
  { store, cache, initialPages }: ReadContext,
  seeding: Seeding,
  commit: Drafts['commit'],
) {
  const stored = store.of(heads)

  const head = async (id: DraftId): Promise<VisibleHead> => {
    const cached = cache.of(draftKey(id))
    if (cached.visible && !store.shared) return cached.visible
    const found = await stored.get(id.siteId, id.session)
    const fresh = toDraftHead(toStagedHead(found, initialPages(id)))
    if (found && (!cached.visible || store.shared)) cached.visible = fresh
    return fresh
  }

  const seed = (id: DraftId, from: 'anywhere' | 'adapter'): Promise<unknown> =>
    seeding.ensure(id, { head, commit }, from)

  return {
    head,
    seed,
    /** Returns the head of a draft. A draft that never had a page is first seeded from its site, if possible. */
    async seeded(id: DraftId, from: 'anywhere' | 'adapter' = 'anywhere'): Promise<VisibleHead> {
      const before = await head(id)
      if (!before.isUnfilled) return before
      await seed(id, from)
      return head(id)
    },
    whyEmpty: async (id: DraftId): Promise<string | undefined> =>
      (await head(id)).isUnfilled ? seeding.notice(id) : undefined,
  }
}
