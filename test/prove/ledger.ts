import { DatabaseSync } from 'node:sqlite'
import * as v from 'valibot'
import { systemClock } from '../../kernel/index.ts'
import { defineCollection, type Store } from '../../plugins/store/port.ts'
import { createSqliteStore, type SqliteOptions, type SqliteStore } from '../../plugins/store/testing.ts'

/**
 * Batches written in one transaction each, so that lost and partial ones can be detected after any failure.
 */

const Page = defineCollection('pages', v.object({ batch: v.number(), filler: v.string() }), {
  columns: { batch: 'integer' },
})
const Part = defineCollection('parts', v.object({ part: v.number() }), {
  columns: { batch: 'integer' },
  indexes: ['batch'],
})
const Ghost = defineCollection('ghosts', v.string(), { columns: {} })

const partsOfBatch = 3
const filler = 'x'.repeat(12_000)

/** The last answered batch of each writer. */
export type Acknowledged = ReadonlyMap<string, number>

export function openLedger(file: string, options: Partial<SqliteOptions> = {}): SqliteStore {
  return createSqliteStore({
    file,
    clock: systemClock,
    log: { warn() {}, error() {} },
    backups: false,
    ...options,
  })
}

/** Writes one batch of a writer in one transaction: it replaces its page and adds new parts. */
export async function writeBatch(store: Store, writer: string, batch: number): Promise<void> {
  await store.transaction(async (transaction) => {
    await transaction.of(Page).put('all', writer, { body: { batch, filler }, columns: { batch } })
    for (let part = 0; part < partsOfBatch; part++) {
      await transaction
        .of(Part)
        .put(writer, `${String(batch).padStart(8, '0')}.${part}`, { body: { part }, columns: { batch } })
    }
  })
}

/** Writes in a transaction that is rolled back. */
export async function writeGhost(store: Store, key: string): Promise<void> {
  const failing = store.transaction(async (transaction) => {
    await transaction.of(Ghost).put('all', key, { body: filler, columns: {} })
    await transaction.of(Part).clear(key)
    throw new Error('rolled back')
  })
  await failing.catch((error: unknown) => {
    if (!(error instanceof Error && error.message === 'rolled back')) throw error
  })
}

/** The last batch of a writer, or 0. */
export async function lastBatch(store: Store, writer: string): Promise<number> {
  return (await store.of(Page).get('all', writer))?.body.batch ?? 0
}

/** The number of answered batches that a file has lost after a failure, and other problems of it. */
export async function auditFile(
  file: string,
  acknowledged: Acknowledged,
): Promise<{ readonly lost: number; readonly wrong: readonly string[] }> {
  const store = openLedger(file)
  const wrong: string[] = []
  let lost = 0
  const pages = await store.of(Page).rows('all')
  for (const writer of new Set([...acknowledged.keys(), ...pages.map(({ key }) => key)])) {
    const last = await lastBatch(store, writer)
    lost += Math.max(0, (acknowledged.get(writer) ?? 0) - last)
    const found = (await store.of(Part).rows(writer)).map(({ columns }) => columns.batch)
    const expected = Array.from({ length: last * partsOfBatch }, (_, at) => 1 + Math.floor(at / partsOfBatch))
    if (found.join() !== expected.join()) wrong.push(`${writer} has ${found.length} parts of ${last} batches`)
  }
  if ((await store.of(Ghost).count('all')) > 0) wrong.push('data of a rolled back transaction was found')
  await store.close()
  const database = new DatabaseSync(file, { readOnly: true })
  const integrity = String(database.prepare('pragma integrity_check').get()?.['integrity_check'])
  database.close()
  return { lost, wrong: integrity === 'ok' ? wrong : [...wrong, integrity] }
}

/** The batches in the output of writers, lines of `writer batch`; an incomplete line does not count. */
export function acknowledgedIn(output: string): Map<string, number> {
  const last = new Map<string, number>()
  for (const [, writer = '', batch] of output.matchAll(/^(writer\w+) (\d+)\n/gm))
    last.set(writer, Number(batch))
  return last
}
