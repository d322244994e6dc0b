import type { SiteContent } from '../../content/adapter.ts'
import { type FormerIds, slugsThen } from '../../content/merge/index.ts'
import type { DraftId } from '../../scope/port.ts'
import type { Store, Transaction } from '../../store/port.ts'
import { afterPin, type Pinned } from './pin.ts'
import {
  type Claimed,
  pinned,
  pinnedOf,
  putPin,
  records,
  type ScheduledDocument,
  scheduledScope,
} from './scheduled.ts'

/**
 * Notes in what a draft had scheduled before it renamed new pages that these are on the site now, at other
 * addresses: the earlier publish would add them again. Its changes stay as they are.
 */
export async function noteMovedPages(
  store: Store,
  { siteId, session }: DraftId,
  {
    former,
    draft,
    version = 0,
  }: { readonly former: FormerIds; readonly draft: SiteContent; readonly version: number | undefined },
): Promise<void> {
  const ids = new Map(draft.pages.map(({ slug, id }) => [slug, id]))
  await store.transaction(async (tx) => {
    for (const row of await tx.of(records).list(scheduledScope, { where: { siteId, session } })) {
      const then = row.body.version
      if (then === undefined || then >= version) continue
      const { base, content: sent } = (await pinnedOf(tx, row)) ?? {}
      if (!base || !sent) continue
      const slugs = slugsThen(former, { version: then, pages: sent.pages })
      const moved = [...slugs].flatMap(([slug, slugThen]) => {
        const id = ids.get(slug)
        return id === undefined ? [] : [[slugThen, id] as const]
      })
      if (moved.length === 0) continue
      const pin = { content: sent, base: { ...base, moved: [...(base.moved ?? []), ...moved] } }
      await putPin(tx, row, pin)
    }
  })
}

/**
 * Returns what moves the bases of the publishes of a draft that were scheduled after this one, when it is
 * published. One that was scheduled before has older content.
 */
export async function pinMoves(
  store: Store,
  { id: { siteId, session }, createdAt, pinned: { scheduledId: own, content, base, version } }: Claimed,
) {
  const moves: { readonly row: ScheduledDocument; readonly version: number; readonly pin: Pinned }[] = []
  const others = base ? await store.of(records).list(scheduledScope, { where: { siteId, session } }) : []
  for (const row of others) {
    // Processes may have different clocks, but drafts have one version.
    const isEarlier = (row.body.version ?? 0) - (version ?? 0) || (row.body.createdAt < createdAt ? -1 : 0)
    if (!base || row.key === own || isEarlier < 0) continue
    const stored = await store.of(pinned).get(scheduledScope, row.key)
    const later = await pinnedOf(store, row)
    if (!stored || !later?.base) continue
    const pin = await afterPin({ content: later.content, base: later.base }, { content, base }, version)
    moves.push({ row, version: stored.version, pin })
  }
  return async (tx: Transaction): Promise<void> => {
    for (const { row, version, pin } of moves)
      if ((await tx.of(pinned).get(scheduledScope, row.key))?.version === version) await putPin(tx, row, pin)
  }
}
