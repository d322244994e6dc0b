import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { defineCollection, type Store } from '../store/port.ts'

const secrets = defineCollection('auth_secrets', v.object({ secret: v.string() }), { columns: {} })

/** Gives the secret that this installation signs with; it is stored, so that tokens outlive a restart. */
export function keptSecret(store: Store): Promise<string> {
  return store.transaction(async (transaction) => {
    const kept = transaction.of(secrets)
    const found = await kept.get('auth', 'access-token')
    if (found) return found.body.secret
    const secret = randomBytes(32).toString('base64url')
    await kept.put('auth', 'access-token', { body: { secret }, columns: {} }, { expect: 0 })
    return secret
  })
}
