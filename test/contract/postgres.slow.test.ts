import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import t from 'tap'
import * as v from 'valibot'
import { blobsContract } from '../../config/contracts/blobs.ts'
import { busContract } from '../../config/contracts/bus.ts'
import { note, Notes, write } from '../../config/contracts/store-documents.ts'
import { storeContract } from '../../config/contracts/store.ts'
import { randomIds, systemClock } from '../../kernel/index.ts'
import type { Writer } from '../../plugins/store/port.ts'
import { createStoredBlobs } from '../../plugins/blobs/testing.ts'
import { defineEvent } from '../../plugins/bus/port.ts'
import { createSharedBus } from '../../plugins/bus/testing.ts'
import { createPostgresStore } from '../../plugins/store/testing.ts'
import { startPostgres } from '../helpers/postgres.ts'
import { silent } from '../helpers/sqlite.ts'
import type { TeardownTest } from '../helpers/raw.ts'

const server = await startPostgres(t)

async function openStore(t: TeardownTest, url?: string) {
  const opened = { url: url ?? (await server.database()), clock: systemClock, log: silent }
  const store = await createPostgresStore(opened)
  t.teardown(() => store.close())
  return store
}

/** The blobs of one process on a database. */
async function openBlobs(t: TeardownTest, url?: string) {
  const store = await openStore(t, url)
  const { files } = store
  return { store, blobs: createStoredBlobs({ store, files, clock: systemClock, ids: randomIds }) }
}

/** The bus of one process on a database. */
async function openBus(t: TeardownTest, url?: string) {
  const store = await openStore(t, url)
  const ended = new AbortController()
  t.teardown(() => ended.abort())
  const { signal } = ended
  const { channel } = store
  if (!channel) throw new Error('the store has no channel')
  const bus = createSharedBus({ store, channel, clock: systemClock, ids: randomIds, log: silent, signal })
  while ((await bus.health()) !== 'ok') await pause(10)
  return { bus, signal, store }
}

t.test('the store in PostgreSQL fulfils the contract', (t) => storeContract(t, (t) => openStore(t)))

t.test('what is read ahead for a group has what its earlier transactions have written', async (t) => {
  const store = await openStore(t)
  await write(store, 's', { put: note('before'), removed: note('before'), cleared: note('before') })
  const keys = ['put', 'removed', 'cleared', 'new']
  const read = () =>
    store.transaction(
      async (tx) => Promise.all(keys.map(async (key) => (await tx.of(Notes).get('s', key))?.body.text)),
      () => keys.map((key) => ({ spec: Notes, scope: 's', key })),
    )
  const change = (work: (notes: Writer<{ text: string }, (typeof Notes)['columns']>) => Promise<unknown>) =>
    store.transaction((tx) => work(tx.of(Notes)))
  const failed = change(async (notes) => {
    await notes.put('s', 'put', note('undone'))
    throw new Error('on purpose')
  }).catch(() => undefined)
  const group = [read(), failed, read()]
  group.push(
    change((notes) => notes.put('s', 'put', note('after'))).then(() => undefined),
    read(),
  )
  group.push(
    change((notes) => notes.remove('s', 'removed')).then(() => undefined),
    read(),
  )
  group.push(change((notes) => notes.put('s', 'new', note('after'), { expect: 0 })).then(() => undefined))
  group.push(
    change((notes) => notes.clear('s', { before: 'd' })).then(() => undefined),
    read(),
  )
  t.strictSame(
    (await Promise.all(group)).filter((texts) => texts !== undefined),
    [
      ['before', 'before', 'before', undefined],
      ['before', 'before', 'before', undefined],
      ['after', 'before', 'before', undefined],
      ['after', undefined, 'before', undefined],
      ['after', undefined, undefined, 'after'],
    ],
  )
})

t.test('blobs in PostgreSQL fulfil the contract', (t) =>
  blobsContract(t, async (t) => (await openBlobs(t)).blobs),
)

t.test(
  'files in PostgreSQL: every process serves them, piece by piece, and none is read as a text',
  async (t) => {
    const url = await server.database()
    const [one, other] = [await openBlobs(t, url), await openBlobs(t, url)]
    const bytes = Uint8Array.from({ length: 1_000_000 }, (_, at) => at % 251)
    const about = { type: 'image/png', extension: 'png', key: 'a.png' }
    await one.blobs.put(bytes, about)
    const found = await other.blobs.open('a.png')
    if (!found) throw new Error('not found')
    const pieces = await Array.fromAsync(found.bytes)
    t.equal(Buffer.compare(Buffer.concat(pieces), bytes), 0)
    t.ok(pieces.length > 1 && pieces.every(({ length }) => length <= 256 * 1024), 'no read loads the whole')
    const [from, to] = [262_100, 524_400]
    const part = Buffer.concat(await Array.fromAsync(found.part(from, to)))
    t.equal(Buffer.compare(part, bytes.subarray(from, to + 1)), 0, 'a range over the ends of pieces')
    t.strictSame(await Array.fromAsync(one.store.texts()), [])

    await Promise.all([one, other].map(({ blobs }, at) => blobs.put(Uint8Array.of(at), about)))
    t.equal((await Array.fromAsync(one.blobs.list())).length, 1, 'two writers of one name leave one file')
    await t.rejects(Array.fromAsync(found.part(0, 1)), { code: 'blobs_unavailable', reason: /replaced/ })

    const client = new pg.Client({ connectionString: url })
    await client.connect()
    t.teardown(() => client.end())
    const left = async () =>
      (await client.query('select count(distinct file)::int as files from content_orchestrator._pieces')).rows
    t.strictSame(await left(), [{ files: 1 }], 'replaced bytes are gone')
    const old = systemClock.now().getTime() - 2 * 86_400_000
    const insert = 'insert into content_orchestrator._files (size, changed) values (0, $1) returning id'
    const { id } = (await client.query(insert, [old])).rows[0]
    await client.query(`insert into content_orchestrator._pieces values ($1, 0, 'lost')`, [id])
    await other.blobs.put(Uint8Array.of(1), about)
    t.strictSame(await left(), [{ files: 1 }], 'what a killed process has left is removed after a day')
  },
)

t.test('the bus in PostgreSQL fulfils the contract', (t) =>
  busContract(t, async (t) => (await openBus(t)).bus),
)

const Tick = defineEvent('test.tick', v.object({ n: v.number(), text: v.string() }))

t.test(
  'events reach other processes in order and once, also those that a lost connection missed',
  async (t) => {
    const url = await server.database()
    const [one, other] = [await openBus(t, url), await openBus(t, url)]
    const got: { readonly own: number[]; readonly remote: number[] } = { own: [], remote: [] }
    one.bus.subscribe(Tick, ({ n }) => void got.own.push(n), one)
    other.bus.subscribe(Tick, ({ n }) => void got.remote.push(n), other)
    const long = 'x'.repeat(20_000)
    const arrived = async (count: number): Promise<void> => {
      for (let tries = 0; tries < 300 && got.remote.length < count; tries++) await pause(20)
    }
    for (let n = 1; n <= 20; n++) await one.bus.publish(Tick, { n, text: long })
    await arrived(20)
    const twenty = Array.from({ length: 20 }, (_, at) => at + 1)
    t.strictSame([got.own, got.remote], [twenty, twenty], 'also when a message is longer than a notification')

    const admin = new pg.Client({ connectionString: url })
    await admin.connect()
    await admin.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query in ('listen content_orchestrator', 'select 1')",
    )
    const broken = `insert into content_orchestrator.bus_events (scope, key, version, body) values ('all', $1, 1, 'broken')`
    await admin.query(broken, [String(Date.now()).padStart(15, '0')])
    await admin.end()
    await one.bus.publish(Tick, { n: 21, text: 'while nobody listened' })
    await one.bus.publish(Tick, { n: 22, text: 'perhaps as well' })
    await arrived(22)
    await pause(200)
    t.strictSame(got.remote, [...twenty, 21, 22])
    t.strictSame(got.own, [...twenty, 21, 22])

    const prepared = await one.store.transaction(async (tx) => {
      const event = one.bus.prepare(tx, Tick, { n: 23, text: 'with a transaction' })
      await event.written
      return event
    })
    await pause(50)
    t.notOk(got.own.includes(23), 'it is not passed on before it is published')
    await prepared.publish()
    await arrived(23)
    t.strictSame([got.own.at(-1), got.remote.at(-1)], [23, 23])
  },
)
