import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { defineCollection, type Store } from '../store/port.ts'

export const secrets = defineCollection('auth_secrets', v.object({ secret: v.string() }), { columns: {} })

/** Returns the random secret of this installation for a purpose; generates and stores it on first use. */
export function keptSecret(store: Store, purpose: string): Promise<string> {
  return store.transaction(async (transaction) => {
    const collection = transaction.of(secrets)
    const found = await collection.get('auth', purpose)
    if (found) return found.body.secret
    const secret = randomBytes(32).toString('base64url')
    await collection.put('auth', purpose, { body: { secret }, columns: {} }, { expect: 0 })
    return secret
  })
}
