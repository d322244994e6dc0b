import { hash } from 'node:crypto'
import { once } from 'node:events'
import { chmod, open, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { mock } from 'node:test'
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import t from 'tap'
import * as v from 'valibot'
import { stillClock } from '../../kernel/testing.ts'
import {
  createStoreOver,
  type Engine,
  createDatabaseClock,
  isSoundSqlite,
  createMemoryEngine,
  storeUnavailable,
} from '../../plugins/store/testing.ts'
import { note, Notes, write } from '../../config/contracts/store-documents.ts'
import { defineCollection, type Store } from '../../plugins/store/port.ts'
import { openSqlite, silent } from '../helpers/sqlite.ts'
import { until } from '../helpers/until.ts'

const unavailable = { name: 'Refusal', status: 503, code: 'store_unavailable' }

/** Overwrites pages; unless stated, every one except the first few, as a failing disk leaves them. */
async function overwrite(file: string, { from = 8, pages = 40, byte = 7 } = {}): Promise<void> {
  const disk = await open(file, 'r+')
  await disk.write(Buffer.alloc(pages * 4096, byte), 0, pages * 4096, from * 4096)
  await disk.close()
}

const backupsIn = async (dir: string) =>
  (await readdir(dir))
    .filter((name) => name.includes('.backup-'))
    .map((name) => join(dir, name))
    .sort()
const textsIn = async (store: Store) => (await store.of(Notes).list('s')).map(({ body }) => body.text)

/** Opens the file as another program would. */
function look<R>(file: string, into: (database: DatabaseSync) => R): R {
  const database = new DatabaseSync(file)
  try {
    return into(database)
  } finally {
    database.close()
  }
}

t.test(
  'the file is created with its folder, for its owner only, and has its content when it is opened again',
  async (t) => {
    const file = join(t.testdir(), 'deep', 'data', 'store.db')
    const first = openSqlite(t, file)
    await write(first, 's', { a: note('kept') })
    for (const each of [file, `${file}-wal`, `${file}-shm`])
      t.equal((await stat(each)).mode & 0o777, 0o600, each)
    await first.close()
    t.same(await readdir(join(file, '..')), ['store.db', 'store.db.generation'], 'without its log')
    t.equal((await openSqlite(t, file).of(Notes).get('s', 'a'))?.body.text, 'kept')
  },
)

t.test(
  'all files next to the database are accessible to its owner only, also those an earlier version created readable',
  async (t) => {
    const dir = t.testdir({ old: { 'store.db.claim': '' } })
    await chmod(join(dir, 'old', 'store.db.claim'), 0o644)
    for (const folder of [join(dir, 'new'), join(dir, 'old')]) {
      const store = openSqlite(t, join(folder, 'store.db'))
      await store.claim()
      await write(store, 's', { a: note('x') })
      await store.backup()
      const names = await readdir(folder)
      t.ok(names.includes('store.db.claim') && names.some((name) => name.includes('.backup-')))
      for (const name of names) t.equal((await stat(join(folder, name))).mode & 0o777, 0o600, name)
    }
  },
)

t.test('an unusable file fails the start, with the reason and the variable', async (t) => {
  const dir = t.testdir({ folder: {}, file: 'text', 'text.db': 'this is no database, '.repeat(100) })
  await symlink('loop', join(dir, 'loop'))
  const cases: readonly (readonly [string, RegExp])[] = [
    [join(dir, 'folder'), /there can be no file at this place/],
    [join(dir, 'file', 'store.db'), /there can be no file at this place/],
    [join(dir, 'text.db'), /it is not a database/],
    [join(dir, 'x'.repeat(300)), /there can be no file at this place/],
    [join(dir, 'loop', 'store.db'), /cannot be used/],
  ]
  for (const [file, reason] of cases) {
    const open = () => openSqlite(t, file)
    t.throws(open, { name: 'BootError', problems: [reason] }, file)
    t.throws(open, { name: 'BootError', problems: [/ORCHESTRATOR_DB_FILE/] })
  }
  t.match(await readFile(join(dir, 'text.db'), 'utf8'), /^this is/, 'and a foreign file is unchanged')
})

t.test(
  'damage that looks like a fresh start stops the boot with the remedy, and nothing is written',
  async (t) => {
    const folder = join(t.testdir({}), 'kept')
    const file = join(folder, 'store.db')
    const rows = 60
    const zeroed = (from: number, pages: number) => overwrite(file, { from, pages, byte: 0 })
    const replaced = (sql: string) => async () => {
      await rm(file)
      look(file, (database) => database.exec(sql))
    }
    const [remedy, foreign] = [
      '`npx content-orchestrator restore BACKUP`',
      /another program.*ORCHESTRATOR_DB_FILE/,
    ]
    const says = (what: string) => new RegExp(`${what}.*${remedy}`)
    const damages: Readonly<Record<string, readonly [() => Promise<unknown>, RegExp]>> = {
      'no bytes': [() => truncate(file, 0), says('has no content, but .*\\.generation')],
      'missing beside its traces': [() => rm(file), says('is missing, but .*\\.generation')],
      'a table of another program': [replaced('create table contacts (name text)'), foreign],
      'the mark of another program': [replaced('pragma application_id = 1196444487'), foreign],
      'a zeroed header': [() => zeroed(0, 1), says('not a database')],
      'zeroed pages': [() => zeroed(8, 20), says('damaged')],
      'half of the file': [() => truncate(file, 4096 * 12), says('damaged')],
    }
    for (const [name, [damage, reason]] of Object.entries(damages)) {
      await rm(folder, { recursive: true, force: true })
      const store = openSqlite(t, file)
      for (let at = 0; at < rows; at++) await write(store, 's', { [String(at)]: note('x'.repeat(3000)) })
      await store.close()
      await damage()
      const stateOf = async (each: string) => [each, hash('sha1', await readFile(join(folder, each)))]
      const state = async () => Promise.all((await readdir(folder)).map(stateOf))
      const before = await state()
      t.throws(() => openSqlite(t, file), { name: 'BootError', problems: [reason] }, name)
      t.strictSame(await state(), before, `${name}: nothing is written`)
    }
  },
)

t.test(
  'a file that is damaged while it is in use makes the service unhealthy, and is logged once',
  async (t) => {
    const file = join(t.testdir({}), 'store.db')
    const logged: string[] = []
    const log = { ...silent, error: (_: object, message: string) => void logged.push(message) }
    const clock = stillClock()
    const store = openSqlite(t, file, { clock, log })
    for (let at = 0; at < 100; at++) await write(store, 's', { [String(at)]: note('x'.repeat(3000)) })
    look(file, (database) => database.exec('pragma wal_checkpoint(truncate)'))
    t.equal(await store.health(), 'ok')
    await overwrite(file)
    clock.advance(60_000)
    await until(async () => (await store.health()) !== 'ok', 'the damage to be found')
    t.match(await store.health(), /damaged.*`npx content-orchestrator restore BACKUP`/)
    t.match(await store.health(), /damaged/)
    t.match(logged, { length: 1, 0: /^store is damaged.*`npx content-orchestrator restore BACKUP`/ })
  },
)

t.test('a file written by a later version is refused and unchanged', async (t) => {
  const file = join(t.testdir(), 'store.db')
  await openSqlite(t, file).close()
  look(file, (database) => database.exec(`update _store set value = 99 where name = 'layout'`))
  t.throws(() => openSqlite(t, file), { name: 'BootError', problems: [/later version.*99.*backup/] })
  t.equal(look(file, (database) => database.prepare('select value from _store').get())?.['value'], 99)
})

t.test('a SQLite that can damage the write-ahead log is distinguished from a sound one', async (t) => {
  for (const version of '3.51.3 3.51.10 3.52.0 3.100.0 4.0.0 10.1.1'.split(' '))
    t.equal(isSoundSqlite(version), true, version)
  for (const version of '3.51.2 3.50.99 3.6.0 3.45.1 2.99.99'.split(' '))
    t.equal(isSoundSqlite(version), false, version)
})

t.test(
  'columns come before the body, also those that are added later, and indexes match the declaration',
  async (t) => {
    const file = join(t.testdir(), 'store.db')
    const Before = defineCollection('order', v.string(), { columns: { select: 'text' }, indexes: ['select'] })
    const After = defineCollection('order', v.string(), {
      columns: { select: 'text', index: 'integer' },
      indexes: ['index'],
    })
    const store = openSqlite(t, file)
    const put = (spec: typeof Before) =>
      store.transaction((transaction) =>
        transaction.of(spec).put('s', 'a', { body: 'b', columns: { select: 'x' } }),
      )
    await put(Before)
    await store.transaction(async (transaction) => {
      await transaction.of(Before).put('s', 'b', { body: 'b', columns: { select: 'y' } })
      await transaction.of(After).put('s', 'c', { body: 'c', columns: { select: 'z', index: 3 } })
    })
    await put(Before)
    t.same(
      (await store.of(After).rows('s')).map(({ key, version, columns }) => [key, version, columns]),
      [
        ['a', 2, { select: 'x', index: 0 }],
        ['b', 1, { select: 'y', index: 0 }],
        ['c', 1, { select: 'z', index: 3 }],
      ],
    )
    const found = look(file, (database) => {
      const names = (sql: string) =>
        database
          .prepare(sql)
          .all()
          .map(({ name }) => name)
      const query = `explain query plan select key from "order" where scope = 's' and "index" = 1 order by key`
      return [names(`select name from pragma_table_info('order')`), database.prepare(query).all()]
    })
    const columns = ['scope', 'key', 'version', 'select', 'index', 'body']
    t.match(found, [columns, [{ detail: /USING.*INDEX order\.index/ }]])
  },
)

t.test('a column that changes its type is a programming error with a remedy', async (t) => {
  const store = openSqlite(t, join(t.testdir(), 'store.db'))
  const Text = defineCollection('typed', v.string(), { columns: { size: 'text' } })
  const Integer = defineCollection('typed', v.string(), { columns: { size: 'integer' } })
  await store.transaction((transaction) =>
    transaction.of(Text).put('s', 'a', { body: '', columns: { size: 'big' } }),
  )
  const remedy = { name: 'TypeError', message: /give the new column another name/ }
  await t.rejects(store.of(Integer).rows('s'), remedy)
  await t.rejects(
    store.transaction((transaction) => transaction.of(Integer).clear('s')),
    remedy,
  )
  t.equal(await store.of(Text).count('s', { size: 'big' }), 1)
})

t.test('a table created in a failed transaction is created again by the next', async (t) => {
  const store = openSqlite(t, join(t.testdir(), 'store.db'))
  const failing = store.transaction(async (transaction) => {
    await transaction.of(Notes).put('s', 'a', note('x'))
    throw new Error('too late')
  })
  await t.rejects(failing, { message: 'too late' })
  t.equal(await store.of(Notes).get('s', 'a'), undefined)
  await write(store, 's', { a: note('there') })
  t.equal((await store.of(Notes).get('s', 'a'))?.body.text, 'there')
})

t.test('transactions of one tick share one commit, those of many ticks do not', async (t) => {
  const file = join(t.testdir(), 'store.db')
  const store = openSqlite(t, file)
  await write(store, 's', { a: note('') })
  const walSize = async () => (await stat(`${file}-wal`)).size
  const before = await walSize()
  await Promise.all(Array.from({ length: 100 }, () => write(store, 's', { a: note('x') })))
  const together = (await walSize()) - before
  for (let i = 0; i < 100; i++) await write(store, 's', { a: note('x') })
  const apart = (await walSize()) - before - together
  t.ok(together < 10 * 4096, `separately they would have written a page each; together ${together} bytes`)
  t.ok(apart > 100 * 4096, `each commit writes its page: ${apart} bytes`)
  t.equal((await store.of(Notes).get('s', 'a'))?.version, 201)
})

/** A store whose engine can be made to fail. */
function breakable(): {
  readonly store: ReturnType<typeof createStoreOver>
  readonly broken: Set<'begin' | 'commit' | 'inside'>
} {
  const broken = new Set<'begin' | 'commit' | 'inside'>()
  const refusal = storeUnavailable('The disk is broken; repair it, then repeat the change.')
  const memory = createMemoryEngine()
  const engine: Engine = {
    ...memory,
    begin: () => (broken.has('begin') ? Promise.reject(refusal) : memory.begin(1)),
    commit() {
      if (broken.has('commit')) throw refusal
      memory.commit()
    },
    failure: () => (broken.has('inside') ? refusal : undefined),
  }
  return { store: createStoreOver(engine, { shared: false }), broken }
}

t.test(
  'a group that cannot be made durable fails completely, with the reason, and the next group is not affected',
  async (t) => {
    for (const where of ['begin', 'commit', 'inside'] as const) {
      const { store, broken } = breakable()
      await write(store, 's', { a: note('before') })
      broken.add(where)
      const group = await Promise.allSettled([
        write(store, 's', { a: note('after') }),
        store.transaction((transaction) => transaction.of(Notes).get('s', 'a')),
        store.transaction(() => Promise.reject(new Error('what it saw was not durable'))),
        write(store, 's', { b: note('after') }),
      ])
      for (const each of group) t.match(each, { status: 'rejected', reason: unavailable }, where)
      t.match(await store.health(), /repair it/)
      t.same(await textsIn(store), ['before'])
      broken.clear()
      await write(store, 's', { c: note('again') })
      t.same(await textsIn(store), ['before', 'again'])
      t.equal(await store.health(), 'ok')
    }
  },
)

t.test(
  'while another program locks the file, writes wait without blocking anything else, and reads continue',
  async (t) => {
    const file = join(t.testdir(), 'store.db')
    const store = openSqlite(t, file)
    await write(store, 's', { a: note('before') })
    const other = new DatabaseSync(file)
    other.exec('begin immediate')
    const waiting = write(store, 's', { a: note('after') })
    let turns = 0
    while (turns < 20) {
      await pause(5)
      turns++
      t.equal((await store.of(Notes).get('s', 'a'))?.body.text, 'before')
    }
    other.exec('rollback')
    other.close()
    await waiting
    t.equal((await store.of(Notes).get('s', 'a'))?.body.text, 'after')
  },
)

t.test('opening waits for another process that is creating the same new file', async (t) => {
  const file = join(t.testdir(), 'store.db')
  const maker = new Worker(
    `const { DatabaseSync } = require('node:sqlite')
    const { parentPort, workerData } = require('node:worker_threads')
    const database = new DatabaseSync(workerData, { timeout: 5000 })
    database.exec(\`begin; create table _store (name text primary key, value integer not null); insert into _store values ('layout', 1), ('probe', 0)\`)
    parentPort.postMessage('made')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
    database.exec('commit')
    database.close()`,
    { eval: true, workerData: file },
  )
  const ended = once(maker, 'exit')
  await once(maker, 'message')
  const store = openSqlite(t, file)
  await write(store, 's', { a: note('x') })
  t.equal(await store.of(Notes).count('s'), 1)
  await ended
})

t.test('a transaction that waits for something else is aborted, and the others continue', async (t) => {
  const store = openSqlite(t, join(t.testdir(), 'store.db'))
  await write(store, 's', { a: note('before') })
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  const { promise: written, resolve: hasWritten } = Promise.withResolvers<void>()
  const stuck = store.transaction(async (transaction) => {
    await transaction.of(Notes).put('s', 'a', note('never'))
    hasWritten()
    await new Promise(() => {})
  })
  const other = write(store, 's', { b: note('patient') })
  await written
  mock.timers.tick(10_000)
  await t.rejects(stuck, { message: /waited for something that is not the store/ })
  await other
  t.same(await textsIn(store), ['before', 'patient'])
})

t.test('a transaction that keeps using the store has no timeout', async (t) => {
  const store = openSqlite(t, join(t.testdir(), 'store.db'))
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  await store.transaction(async (transaction) => {
    for (const key of ['a', 'b', 'c']) {
      await transaction.of(Notes).put('s', key, note(key))
      mock.timers.tick(3000)
      await turn()
    }
  })
  t.equal(await store.of(Notes).count('s'), 3)
})

t.test('closing finishes pending work; afterwards everything is refused with the reason', async (t) => {
  const file = join(t.testdir(), 'store.db')
  const store = openSqlite(t, file)
  const writes = Array.from({ length: 300 }, (_, index) => write(store, 's', { [String(index)]: note('x') }))
  await Promise.all([store.close(), store.close()])
  await Promise.all(writes)
  await t.rejects(store.of(Notes).get('s', '0'), { ...unavailable, reason: /closed/ })
  await t.rejects(write(store, 's', { late: note('x') }), { ...unavailable, reason: /closed/ })
  t.match(await store.health(), /closed/)
  t.equal(await openSqlite(t, file).of(Notes).count('s'), 300)
})

t.test('a backup is a complete, separate store, and only the newest are kept', async (t) => {
  const dir = t.testdir({})
  const file = join(dir, 'store.db')
  const clock = stillClock('2026-01-01T12:00:00.000Z')
  const store = openSqlite(t, file, { clock, backups: { limit: 2 } })
  const made: string[] = []
  const reserved = `${file}.backup-2027-01-01T12-00-00-000Z`
  await writeFile(reserved, '')
  for (let i = 0; i < 3; i++) {
    await write(store, 's', { [String(i)]: note('x'.repeat(10_000)) })
    const writing = Promise.all(
      Array.from({ length: 50 }, () => write(store, 's', { [String(i)]: note('while it is copied') })),
    )
    made.push(String(await store.backup()))
    await writing
    clock.advance(1)
  }
  t.equal(made[0], `${file}.backup-2026-01-01T12-00-00-000Z`)
  await rm(reserved)
  t.same(await backupsIn(dir), made.slice(1), 'partial backups are neither left nor counted')
  const copy = made[2] ?? ''
  const check = look(copy, (database) => database.prepare('pragma integrity_check').get())
  t.same(check, { integrity_check: 'ok' })
  t.equal(await openSqlite(t, copy).of(Notes).count('s'), 3)
})

t.test('backups start after a minute, repeat at the interval and end with the store', async (t) => {
  const dir = t.testdir({})
  const clock = stillClock()
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const store = openSqlite(t, join(dir, 'store.db'), { clock, backups: { intervalHours: 1, limit: 10 } })
  const copies = async () => (await readdir(dir)).filter((name) => /\.backup-[^.]+$/.test(name)).length
  const settled = async (wanted: number) => {
    const deadline = performance.now() + (wanted === 0 ? 100 : 60_000)
    const arrived = async () => wanted > 0 && (await copies()) >= wanted
    while (performance.now() < deadline && !(await arrived())) await new Promise(setImmediate)
    return copies()
  }
  const pass = (milliseconds: number) => {
    clock.advance(milliseconds)
    mock.timers.tick(milliseconds)
  }
  pass(59_999)
  t.equal(await settled(0), 0)
  pass(1)
  t.equal(await settled(1), 1)
  pass(3_600_000)
  t.equal(await settled(2), 2)
  pass(3_599_999)
  await store.close()
  pass(10_000_000)
  t.equal(await settled(0), 2)
})

t.test('a failed backup is logged, affects nothing else and leaves no partial file', async (t) => {
  const dir = t.testdir({})
  const file = join(dir, 'store.db')
  const logged: string[] = []
  const log = { ...silent, warn: (_: object, message: string) => void logged.push(message) }
  const store = openSqlite(t, file, { clock: stillClock('2026-01-01T12:00:00.000Z'), log })
  await write(store, 's', { a: note('x') })
  const target = `${file}.backup-2026-01-01T12-00-00-000Z`
  await writeFile(`${target}.partial`, 'not a database, left by a crash '.repeat(200))
  t.equal(await store.backup(), undefined)
  t.same(logged, ['backup of the store failed'])
  t.same(await backupsIn(dir), [])
  t.equal(await store.backup(), target, 'the next one succeeds')
  t.equal(await store.health(), 'ok')
  await rm(target)
})

t.test('a backup of a damaged file is not counted, and the last good ones are kept', async (t) => {
  const dir = t.testdir({})
  const file = join(dir, 'store.db')
  const clock = stillClock('2026-01-01T12:00:00.000Z')
  const logged: string[] = []
  const log = { ...silent, error: (_: object, message: string) => void logged.push(message) }
  const store = openSqlite(t, file, { clock, log, backups: { limit: 2 } })
  for (let at = 0; at < 200; at++) await write(store, 's', { [String(at)]: note('x'.repeat(1000)) })
  const good: string[] = []
  for (let at = 0; at < 2; at++) {
    good.push(String(await store.backup()))
    clock.advance(1)
  }
  look(file, (database) => database.exec('pragma wal_checkpoint(truncate)'))
  await overwrite(file)
  for (let at = 0; at < 3; at++) {
    t.equal(await store.backup(), undefined)
    clock.advance(1)
  }
  t.equal(logged.length, 3)
  for (const line of logged)
    t.match(line, /damaged.*earlier ones are kept.*`npx content-orchestrator restore BACKUP`/)
  t.same(await backupsIn(dir), good)
  const newest = openSqlite(t, good[1] ?? '')
  t.equal(await newest.of(Notes).count('s'), 200)
})

t.test(
  'a store trusts no cache once another store of its process has the file open, and logs it once',
  async (t) => {
    const file = join(t.testdir(), 'store.db')
    const lines: unknown[] = []
    const log = { warn: (_facts: object, text: string) => void lines.push(text), error() {} }
    const first = openSqlite(t, file, { log })
    t.equal(first.shared, false)
    const second = openSqlite(t, file)
    t.equal(first.shared, true)
    t.equal(second.shared, false, 'it has seen every commit so far')
    await write(first, 's', { a: note('x') })
    t.equal(second.shared, true)
    await second.close()
    t.equal(first.shared, true, 'its cache may be stale')
    t.match(lines, { length: 1, 0: /^another process, or another store of this one, writes.*on globalThis/ })
    await first.close()
    t.equal(openSqlite(t, file).shared, false, 'a store opened after all of them is not shared')
    t.equal(openSqlite(t, file, { shared: true }).shared, true)
  },
)

t.test(
  'a database gives the time, however the clock of this machine is set; 5 s are a warning',
  async (t) => {
    const own = stillClock()
    let time = own.now().getTime()
    const lines: object[] = []
    const log = { warn: (facts: object) => void lines.push(facts), error() {} }
    const run = async () => ({ rows: [[time]], rowCount: 1, command: 'SELECT' })
    const clock = createDatabaseClock(run, { clock: own, log })
    const read = async (): Promise<void> => {
      const [sent, before] = [performance.now(), time]
      await clock.read()
      const since = clock.now().getTime() - before
      t.ok(since >= -1 && since <= performance.now() - sent, 'it is the time of the answer')
    }
    await read()
    own.advance(4_000)
    t.equal(await clock.health(), 'ok')
    own.advance(86_000)
    t.match(await clock.health(), /^The clock of this server is 90 seconds ahead of .* by NTP\.$/)
    await read()
    await read()
    t.strictSame(lines, [{ aheadSeconds: 90 }], 'it is logged once')
    time += 3_600_000
    await read()
    t.match(await clock.health(), /is 3510 seconds behind /)
    time -= 3_510_000
    await read()
    own.advance(-5_000)
    await read()
    t.match(lines, { length: 2, 1: { aheadSeconds: -5 } }, 'and again once it was right')
  },
)
