import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { copyFile, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t, { type Test } from 'tap'
import { note, Notes, write } from '../../config/contracts/store-documents.ts'
import { backUp, restore, unused, checkStart, type SqliteStore } from '../../plugins/store/testing.ts'
import { openSqlite } from '../helpers/sqlite.ts'

const keysIn = async (store: SqliteStore) => (await store.of(Notes).rows('s')).map(({ key }) => key)

/** A copy of a folder as a process killed now would leave it. */
function killed(t: Test, folder: string): string {
  const left = `${folder}-killed`
  rmSync(left, { recursive: true, force: true })
  cpSync(folder, left, { recursive: true })
  t.teardown(() => rmSync(left, { recursive: true, force: true }))
  return join(left, 'store.db')
}

/** A store that was backed up, then changed and killed. */
async function backedUpAndKilled(t: Test): Promise<{ readonly file: string; readonly copy: string }> {
  const folder = t.testdir({})
  const store = openSqlite(t, join(folder, 'store.db'))
  await write(store, 's', { a: note('before') })
  const copy = String(await store.backup())
  await write(store, 's', { b: note('after') })
  return { file: killed(t, folder), copy }
}

const refused = {
  name: 'BootError',
  problems: [/-wal does not belong to .*`npx content-orchestrator restore BACKUP`.*delete .*\.generation/],
}

t.test('the log of a killed process matches its file, at any moment of the kill', async (t) => {
  const folder = t.testdir({})
  const file = join(folder, 'store.db')
  const expected: string[] = []
  for (let at = 0; at < 10; at++) {
    const key = `k${at}`
    const [store, second] = [openSqlite(t, file), openSqlite(t, file)]
    // An open read prevents the checkpoint of the log.
    const reader = new DatabaseSync(file, { readOnly: true })
    reader.exec('begin; select * from sqlite_schema')
    await write(store, 's', { [key]: note('x') })
    const late = openSqlite(t, file)
    expected.push(key)
    t.same(await keysIn(openSqlite(t, killed(t, folder))), expected, `${at}`)
    reader.close()
    for (const each of at % 2 === 0 ? [store, late, second] : [second]) await each.close()
  }
})

t.test('a process killed during a checkpoint leaves file and log, and can be started again', async (t) => {
  const { file } = await backedUpAndKilled(t)
  const bytes = await readFile(file)
  // The header was written first, and refers to pages that are still in the log only.
  bytes.writeUInt32BE(bytes.readUInt32BE(28) + 100, 28)
  await writeFile(file, bytes)
  t.same(await keysIn(openSqlite(t, file)), ['a', 'b'])
})

t.test(
  'a backup copied over the file by hand next to a live log is refused, and no file is changed',
  async (t) => {
    const { file, copy } = await backedUpAndKilled(t)
    const log = await readFile(`${file}-wal`)
    await copyFile(copy, file)
    const before = await readFile(file)
    for (let attempt = 0; attempt < 2; attempt++) t.throws(() => openSqlite(t, file), refused)
    t.same([await readFile(file), await readFile(`${file}-wal`)], [before, log])
    await rm(`${file}-wal`)
    t.same(await keysIn(openSqlite(t, file)), ['a'], 'without the log it is the backup')
  },
)

t.test(
  'a copy of the file from before an earlier start is refused next to the log of a later one',
  async (t) => {
    const folder = t.testdir({})
    const file = join(folder, 'store.db')
    const first = openSqlite(t, file)
    await write(first, 's', { a: note('x') })
    await first.close()
    await copyFile(file, `${folder}-by-hand`)
    t.teardown(() => rm(`${folder}-by-hand`))
    await write(openSqlite(t, file), 's', { b: note('x') })
    const left = killed(t, folder)
    await copyFile(`${folder}-by-hand`, left)
    t.throws(() => openSqlite(t, left), refused)
  },
)

t.test('a file whose log is missing is refused, and no file is changed', async (t) => {
  const { file, copy } = await backedUpAndKilled(t)
  const log = await readFile(`${file}-wal`)
  await rm(`${file}-wal`)
  await rm(`${file}-shm`, { force: true })
  const before = await readFile(file)
  const lost = {
    name: 'BootError',
    problems: [/-wal .* is missing.*`npx content-orchestrator restore BACKUP`/],
  }
  for (let attempt = 0; attempt < 2; attempt++) t.throws(() => openSqlite(t, file), lost)
  t.throws(() => checkStart(file), lost)
  await t.rejects(backUp(file, `${file}.bak`), lost)
  t.same(await readFile(file), before)
  await writeFile(`${file}-wal`, log)
  const found = openSqlite(t, file)
  t.same(await keysIn(found), ['a', 'b'], 'with the log back in its place it starts')
  await found.close()
  await copyFile(copy, file)
  t.same(await keysIn(openSqlite(t, file)), ['a'], 'so does a backup in its place')
})

t.test(
  'a file without a log starts after a clean stop, before the first change, and after a restore',
  async (t) => {
    const folder = t.testdir({})
    const file = join(folder, 'store.db')
    const [first, second] = [openSqlite(t, file), openSqlite(t, file)]
    await write(first, 's', { a: note('x') })
    await write(second, 's', { b: note('x') })
    await first.close()
    const open = killed(t, folder)
    await rm(`${open}-wal`)
    // Another one still has it open.
    t.throws(() => openSqlite(t, open), { name: 'BootError', problems: [/is missing/] })
    await second.close()
    t.notOk(existsSync(`${file}-wal`))
    await rm(`${open}-wal`, { force: true })
    await restore(open, file, new Date())
    t.same(await keysIn(openSqlite(t, open)), ['a', 'b'], 'a restore')
    const stopped = killed(t, folder)
    const alone = `${folder}-alone.db`
    t.teardown(() => rm(alone))
    await copyFile(stopped, alone)
    for (const each of [stopped, alone]) t.same(await keysIn(openSqlite(t, each)), ['a', 'b'], each)
    const idle = openSqlite(t, file)
    const unchanged = killed(t, folder)
    await rm(`${unchanged}-wal`)
    t.same(await keysIn(openSqlite(t, unchanged)), ['a', 'b'], 'nothing was in the log')
    await idle.close()
  },
)

t.test('a file that a tool has left without its log starts', async (t) => {
  const { file } = await backedUpAndKilled(t)
  await unused(file, async () => undefined)
  t.notOk(existsSync(`${file}-wal`))
  t.same(await keysIn(openSqlite(t, file)), ['a', 'b'])
})

t.test('an interrupted copy is reported at the start, which creates no new database', async (t) => {
  const file = join(t.testdir({}), 'store.db')
  await writeFile(`${file}.partial`, '')
  const interrupted = /interrupted: run `npx content-orchestrator copy` again.*delete .*\.partial/
  t.throws(() => openSqlite(t, file), { name: 'BootError', problems: [interrupted] })
  await rm(`${file}.partial`)
  const store = openSqlite(t, file)
  await store.close()
  await writeFile(`${file}.partial`, '')
  t.same(await keysIn(openSqlite(t, file)), [], 'one beside a complete file is no obstacle')
})

t.test('a log without its file is refused, because SQLite would delete it', async (t) => {
  const { file } = await backedUpAndKilled(t)
  await rm(file)
  t.throws(() => openSqlite(t, file), refused)
  for (const text of ['', 'this is not a database '.repeat(1000)]) {
    writeFileSync(file, text)
    t.throws(() => openSqlite(t, file), refused)
  }
  t.ok((await stat(`${file}-wal`)).size > 0)
})

t.test(
  'a file of an earlier version is opened with its log; a copy that was never opened has none',
  async (t) => {
    const folder = t.testdir({})
    const file = join(folder, 'store.db')
    const store = openSqlite(t, file)
    await write(store, 's', { a: note('x') })
    const copy = String(await store.backup())
    const database = new DatabaseSync(file)
    database.exec('pragma user_version = 0; pragma wal_checkpoint(truncate)')
    await write(store, 's', { b: note('x') })
    const left = killed(t, folder)
    await rm(`${left}.generation`)
    const names = ['', '-wal', '-shm']
    mkdirSync(`${left}-other`)
    const other = join(`${left}-other`, 'store.db')
    t.teardown(() => rm(`${left}-other`, { recursive: true }))
    for (const name of names) await copyFile(left + name, other + name)
    t.same(await keysIn(openSqlite(t, left)), ['a', 'b'])
    await copyFile(copy, other)
    t.throws(() => openSqlite(t, other), refused)
    database.close()
  },
)

t.test('an interrupted restore is reported at the start, which creates no new database', async (t) => {
  const { file } = await backedUpAndKilled(t)
  for (const part of ['', '-wal', '-shm']) await rm(file + part)
  writeFileSync(`${file}.restoring`, '')
  t.throws(() => openSqlite(t, file), {
    name: 'BootError',
    problems: [/interrupted: run `npx content-orchestrator restore BACKUP` again.*before-restore/],
  })
})

t.test('if the generation cannot be written, the store does not open and leaves no lock', async (t) => {
  const folder = t.testdir({})
  const file = join(folder, 'store.db')
  await openSqlite(t, file).close()
  mkdirSync(`${file}.generation.new`)
  t.throws(() => openSqlite(t, file), { name: 'BootError', problems: [/cannot be used/] })
  rmSync(`${file}.generation.new`, { recursive: true })
  await write(openSqlite(t, file), 's', { a: note('x') })
})

t.test('opening a file again keeps the locks of its process', async (t) => {
  const file = join(t.testdir({}), 'store.db')
  const other = `const { DatabaseSync } = require('node:sqlite')
    new DatabaseSync(process.argv[1]).exec('pragma locking_mode = exclusive; begin immediate')`
  const isFree = () => spawnSync(process.execPath, ['-e', other, file], { env: {} }).status === 0
  const first = openSqlite(t, file)
  t.equal(isFree(), false)
  await openSqlite(t, file).close()
  t.equal(isFree(), false)
  await first.close()
  t.equal(isFree(), true)
})
