import { hash, randomBytes } from 'node:crypto'
import { defineRefusal, safeEqual, type Clock } from '../../../kernel/index.ts'
import { defineCollection, trusted, type Store } from '../../store/port.ts'
import type { ScopedToken, ScopedTokens } from '../port.ts'

type StoredToken = ScopedToken & { readonly hash: string }

export const storedTokens = defineCollection('auth_tokens', trusted<StoredToken>(), { columns: {} })
const scope = 'tokens'
const prefix = 'cot_'
const form = /^cot_([0-9a-f]{12})_([\w-]{43})$/
const mostTokens = 1_000
const minute = 60_000
/** Milliseconds for which an ended token stays listed. */
const listedAfterEnd = 30 * 24 * 60 * minute

const tooManyTokens = defineRefusal({
  status: 409,
  code: 'too_many_tokens',
  reason: () => `There are ${mostTokens} scoped tokens already. Revoke some; they make room 30 days later.`,
})

/** True for a text that must be meant as a scoped token, valid or not. */
export const isScoped = (text: string): boolean => text.startsWith(prefix)

/**
 * Creates the service of scoped tokens, `cot_<id>_<secret>`: 6 random bytes in hex, and 32 in base64url.
 *
 * Stores only SHA-256 of the secret: a slow hash would not make 256 random bits more secure.
 */
export function createScopedTokens({
  store,
  clock,
}: {
  readonly store: Store
  readonly clock: Clock
}): ScopedTokens {
  const now = (): number => clock.now().getTime()
  const iso = (): string => clock.now().toISOString()
  const endOf = ({ expires, revoked }: ScopedToken): number =>
    Math.min(...[expires, revoked].map((at) => (at === undefined ? Infinity : Date.parse(at))))
  const isLive = (token: ScopedToken): boolean => endOf(token) > now()
  const collection = store.of(storedTokens)

  const liveOf = async (id: string): Promise<ScopedToken | undefined> => {
    const found = await collection.get(scope, id)
    return found && isLive(found.body) ? shown(found.body) : undefined
  }

  const change = (id: string, how: (token: StoredToken) => StoredToken): Promise<ScopedToken | undefined> =>
    store.transaction(async (transaction) => {
      const tokens = transaction.of(storedTokens)
      const found = await tokens.get(scope, id)
      if (!found) return undefined
      const body = how(found.body)
      await tokens.put(scope, id, { body, columns: {} })
      return shown(body)
    })

  return {
    isLive,
    create(wanted) {
      const [id, secret] = [randomBytes(6).toString('hex'), randomBytes(32).toString('base64url')]
      const body: StoredToken = { id, ...wanted, created: iso(), hash: hash('sha256', secret) }
      return store.transaction(async (transaction) => {
        const tokens = transaction.of(storedTokens)
        const all = await tokens.list(scope)
        const old = all.filter(({ body }) => endOf(body) + listedAfterEnd < now())
        if (all.length - old.length >= mostTokens) throw tooManyTokens()
        for (const { key } of old) await tokens.remove(scope, key)
        await tokens.put(scope, id, { body, columns: {} }, { expect: 0 })
        return { token: shown(body), text: `${prefix}${id}_${secret}` }
      })
    },
    async list() {
      const all = (await collection.list(scope)).map(({ body }) => shown(body))
      return all.toSorted((a, b) => b.created.localeCompare(a.created))
    },
    revoke: (id) => change(id, (token) => ({ ...token, revoked: token.revoked ?? iso() })),
    async remove(id) {
      await store.transaction((transaction) => transaction.of(storedTokens).remove(scope, id))
    },
    async find(text) {
      const [, id = '', secret = ''] = form.exec(text) ?? []
      const found = id === '' ? undefined : (await collection.get(scope, id))?.body
      return found && safeEqual(hash('sha256', secret), found.hash) ? shown(found) : undefined
    },
    isLiveId: async (id) => (await liveOf(id)) !== undefined,
    liveOf,
    async touch({ id, used }) {
      if (used !== undefined && Date.parse(used) + minute > now()) return
      await change(id, (token) => ({ ...token, used: iso() }))
    },
  }
}

const shown = ({ hash: _hash, ...token }: StoredToken): ScopedToken => token
