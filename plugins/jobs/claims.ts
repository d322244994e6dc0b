import type { Clock, Ids } from '../../kernel/index.ts'
import type { ColumnValues, Document, Reader, Store, Transaction, Writer } from '../store/port.ts'
import { freed } from './columns.ts'
import type { Job, JobColumns, JobCounts, Outcome, QueueOptions } from './port.ts'

export interface ClaimServices {
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
}

/** How many of the earliest rows are read to find the next time. */
const mostRead = 100

/** Creates the claims of a queue: who works on which row, and until when. */
export function createClaims<Body>(
  {
    rows: spec,
    scope,
    where,
    lane,
    leaseMs,
  }: Pick<QueueOptions<Body>, 'rows' | 'scope' | 'where' | 'lane'> & { readonly leaseMs: number },
  { store, clock, ids }: ClaimServices,
) {
  const read: Reader<Body, JobColumns> = store.of(spec)
  const write = (tx: Transaction): Writer<Body, JobColumns> => tx.of(spec)
  const now = (): number => clock.now().getTime()

  const toJob = (
    key: string,
    body: Body,
    { claim, until, interrupted }: ColumnValues<JobColumns>,
  ): Job<Body> => ({ key, body, claim, until, interrupted })

  const held = async (tx: Transaction, { key, claim }: Job<Body>) => {
    const found = await write(tx).get(scope, key)
    return found?.columns.claim === claim ? found : undefined
  }

  /** Writes other columns, and leaves the body. */
  const mark = async (
    tx: Transaction,
    { key, body, text: json }: Document<Body, JobColumns>,
    columns: ColumnValues<JobColumns>,
  ): Promise<void> => void (await write(tx).put(scope, key, { body, json, columns }))

  return {
    holds: async (tx: Transaction, job: Job<Body>): Promise<boolean> => (await held(tx, job)) !== undefined,
    /** Claims what is due, up to a number, the earliest first. */
    async due(limit: number, now: number): Promise<readonly Job<Body>[]> {
      const claim = { scope, where, lane, limit, claim: ids.uuid(), now, until: now + leaseMs }
      const found: readonly Document<Body, JobColumns>[] = store.claimRows
        ? await store.claimRows(spec, claim)
        : await store.transaction((tx) => write(tx).claim(claim))
      const ordered = found.toSorted((one, other) => one.columns.due - other.columns.due)
      return ordered.map(({ key, body, columns }) => toJob(key, body, columns))
    },
    /** Claims one row, due or not. */
    async one(tx: Transaction, key: string): Promise<Job<Body> | undefined> {
      const found = await write(tx).get(scope, key)
      if (!found || found.columns.until > now()) return undefined
      const columns = { ...freed(found.columns), claim: ids.uuid(), until: now() + leaseMs }
      await mark(tx, found, columns)
      return toJob(key, found.body, columns)
    },
    /** Returns the new end of a claim; `undefined` if it is lost. */
    prolong: (job: Job<Body>): Promise<number | undefined> =>
      store.transaction(async (tx) => {
        const [found, until] = [await held(tx, job), now() + leaseMs]
        if (found) await mark(tx, found, { ...found.columns, until })
        return found && until
      }),
    async settle(tx: Transaction, job: Job<Body>, outcome: Outcome<Body>): Promise<boolean> {
      const found = await held(tx, job)
      if (!found) return false
      if (outcome === 'done') return write(tx).remove(scope, job.key)
      if (outcome === 'unknown') await mark(tx, found, freed(found.columns))
      else {
        const { body = found.body, columns } = outcome
        const changed = { ...found.columns, ...columns, until: 0, claim: '' }
        await write(tx).put(scope, job.key, { body, columns: changed })
      }
      return true
    },
    /**
     * Returns when a row becomes due, or its claim ends, after a time; `Infinity` if none of the earliest
     * does.
     */
    async next(after: number): Promise<number> {
      const first = await read.rows(scope, {
        where: { ...where, failed: 0 },
        orderBy: 'due',
        limit: mostRead,
      })
      const times = first.map(({ columns }) => Math.max(columns.due, columns.until))
      return Math.min(...times.filter((time) => time > after))
    },
    async counts(): Promise<Omit<JobCounts, 'queue'>> {
      const count = (columns: Partial<ColumnValues<JobColumns>>) =>
        read.count(scope, { ...where, ...columns })
      const [all, failed, waiting] = await Promise.all([
        count({}),
        count({ failed: 1 }),
        count({ failed: 0, until: 0 }),
      ])
      return { waiting, running: Math.max(all - failed - waiting, 0), failed }
    },
  }
}

export type Claims<Body> = ReturnType<typeof createClaims<Body>>
