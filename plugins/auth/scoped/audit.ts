import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import type { Clock, Logger } from '../../../kernel/index.ts'
import { limitQuery } from '../../content/limit.ts'
import { SiteId } from '../../scope/port.ts'
import { defineCollection, trusted, type Store } from '../../store/port.ts'

const Done = v.object({
  at: v.string(),
  /** The id and the name of the token. */
  token: v.string(),
  name: v.string(),
  method: v.string(),
  /** The path pattern of the route. */
  route: v.string(),
  siteId: v.optional(v.string()),
  session: v.optional(v.string()),
  status: v.number(),
  /** The draft version after the change, if the answer contains it. */
  previewVersion: v.optional(v.number()),
})
/** A change, or a refused one, by a scoped token. */
type Done = v.InferOutput<typeof Done>

export const AuditQuery = v.object({
  siteId: SiteId,
  token: v.pipe(v.optional(v.string()), v.description('The id of a token; all without it.')),
  limit: limitQuery(50, 200),
  before: v.pipe(
    v.optional(v.string()),
    v.description('The `id` of the last entry that was seen: older ones follow.'),
  ),
})

export type AuditQuery = v.InferOutput<typeof AuditQuery>

export const AuditList = v.object({ entries: v.array(v.object({ id: v.string(), ...Done.entries })) })
export type AuditList = v.InferOutput<typeof AuditList>

export type Audit = ReturnType<typeof createAudit>

export const auditEntries = defineCollection('auth_audit', trusted<Done>(), {
  columns: { siteId: 'text', token: 'text' },
  indexes: ['siteId', 'token'],
})
const scope = 'audit'
/** The number of writes between prunings. */
const pruneEvery = 100

/** Creates the audit log of scoped tokens, which keeps the newest `most` entries, or up to a hundred more. */
export function createAudit({
  store,
  clock,
  log,
  most,
}: {
  readonly store: Store
  readonly clock: Clock
  readonly log: Pick<Logger, 'warn'>
  readonly most: number
}) {
  const boot = randomBytes(4).toString('hex')
  const pending = new Set<Promise<unknown>>()
  let count = 0

  /** Keys sort by time, then by their order within a process. */
  const nextKey = (): string =>
    [String(clock.now().getTime()).padStart(15, '0'), String(count++).padStart(9, '0'), boot].join('-')

  const keep = (key: string, body: Done): Promise<void> =>
    store.transaction(async (transaction) => {
      const entries = transaction.of(auditEntries)
      await entries.put(scope, key, { body, columns: { siteId: body.siteId ?? '', token: body.token } })
      if (count % pruneEvery !== 0) return
      const excess = (await entries.count(scope)) - most
      const firstRetained = excess > 0 ? (await entries.rows(scope, { limit: excess + 1 })).at(-1) : undefined
      if (firstRetained) await entries.clear(scope, { before: firstRetained.key })
    })

  return {
    /** Stores an entry; a failure is logged. */
    write(done: Omit<Done, 'at'>): void {
      const work = keep(nextKey(), { at: clock.now().toISOString(), ...done })
        .catch((err: unknown) => log.warn({ err, token: done.token }, 'audit entry could not be written'))
        .finally(() => pending.delete(work))
      pending.add(work)
    },
    /** Lists entries, newest first, including pending writes. */
    async list({ siteId, token, limit, before }: AuditQuery): Promise<AuditList['entries']> {
      await Promise.all(pending)
      const where = { ...(siteId !== undefined && { siteId }), ...(token !== undefined && { token }) }
      const found = await store
        .of(auditEntries)
        .list(scope, { where, descending: true, limit, ...(before !== undefined && { after: before }) })
      return found.map(({ key, body }) => ({ id: key, ...body }))
    },
    /** Waits for pending writes. */
    settled: (): Promise<unknown> => Promise.all(pending),
  }
}
