import * as v from 'valibot'
import { safeEqual } from '../../kernel/index.ts'
import { createSealer } from '../auth/port.ts'
import { defineCollection, type Store, type Transaction } from '../store/port.ts'

const scope = 'sites'

/** The draft secrets that sites have registered, under their ids. */
export const draftSecrets = defineCollection('site_draft_secrets', v.object({ sealed: v.string() }), {
  columns: {},
})

/** What a registration does to the draft secret of its site. */
export type SecretChange = 'none' | 'first' | 'replaced'

/**
 * The draft secrets of sites: each site's own, which opens no other site, else the shared one of the
 * installation.
 */
export function createDraftSecrets(store: Store, shared: string | undefined) {
  const sealer = createSealer(store, 'site-draft-secrets')
  const own = async (from: Pick<Store, 'of'>, siteId: string): Promise<string | undefined> => {
    const found = await from.of(draftSecrets).get(scope, siteId)
    return found && sealer.open(found.body.sealed, siteId)
  }
  return {
    of: async (siteId: string): Promise<string | undefined> => (await own(store, siteId)) ?? shared,
    /**
     * Prepares to store the secret that a site has sent in the transaction of its registration. The shared
     * secret is not stored: a site that has it follows its changes.
     */
    async change(siteId: string, secret: string | undefined) {
      if (!secret) return async (): Promise<SecretChange> => 'none'
      const isShared = shared !== undefined && safeEqual(secret, shared)
      const sealed = await sealer.seal(secret, siteId)
      return async (tx: Transaction): Promise<SecretChange> => {
        const stored = tx.of(draftSecrets)
        const isStored = (await stored.get(scope, siteId)) !== undefined
        const before = await own(tx, siteId)
        if (isShared ? !isStored : before !== undefined && safeEqual(before, secret)) return 'none'
        if (isShared) await stored.remove(scope, siteId)
        else await stored.put(scope, siteId, { body: { sealed }, columns: {} })
        return before === undefined ? 'first' : 'replaced'
      }
    },
    async forget(tx: Transaction, siteId: string): Promise<void> {
      await tx.of(draftSecrets).remove(scope, siteId)
    },
  }
}
export type DraftSecrets = ReturnType<typeof createDraftSecrets>
