import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t, { type Test } from 'tap'
import { note, Notes, write } from '../../config/contracts/store-documents.ts'
import { restore } from '../../plugins/store/testing.ts'
import { openSqlite } from '../helpers/sqlite.ts'
import { pageOf } from '../helpers/content.ts'
import { askOver, editor } from '../helpers/stack.ts'
import { startService } from '../prove/service.ts'
import { folderWith, inHouse, orchestrator, smallConfig, type Circumstances } from './helpers.ts'

const small = { 'orchestrator.config.json': smallConfig() }

/** A folder with a database of two notes, and helpers that run commands on it. */
async function database(t: Test, file = '.orchestrator/orchestrator.db') {
  const folder = folderWith(t, small)
  const path = join(folder, file)
  const open = () => openSqlite(t, path)
  const put = async (key: string) => {
    const store = open()
    await write(store, 's', { [key]: note('x') })
    await store.close()
  }
  const keys = async () => {
    const store = open()
    const rows = await store.of(Notes).rows('s')
    await store.close()
    return rows.map(({ key }) => key)
  }
  const run = (command: string, words: readonly string[] = [], more: Circumstances = {}) =>
    orchestrator(folder, [command, ...words], more)
  await put('a')
  await put('b')
  return { folder, path, open, put, keys, run }
}

const refusal = (err: RegExp) => ({ code: 1, out: '', err })
/** The bytes of every file in a folder. */
const bytesIn = (folder: string) =>
  new Map(
    readdirSync(folder)
      .sort()
      .map((name) => [name, readFileSync(join(folder, name), 'latin1')]),
  )

t.test('after backup, kill and restore the content is that of the backup; the old is kept', async (t) => {
  const folder = folderWith(t)
  const first = startService(folder)
  const at = async (service: typeof first) => {
    const { port } = await service.ready
    return editor((request) => askOver(`http://127.0.0.1:${port}`, request))
  }
  const before = await at(first)
  await before.bootstrap([pageOf('/'), pageOf('/a')])
  await before.retitle('/', 'In the backup')
  const saved = [await before.slugs(), await before.page('/'), await before.version()]
  const command = ['--data-dir', folder]
  const made = await orchestrator(folder, ['backup', 'copy.db', ...command])
  t.strictSame(made, { code: 0, out: `${join(folder, 'copy.db')}\n`, err: '' }, 'while the service runs')
  await before.retitle('/', 'After the backup')
  await before.ops([{ op: 'create_page', page: { slug: '/b' } }])
  t.match(
    await orchestrator(folder, ['restore', 'copy.db', ...command]),
    refusal(/a service uses .*; stop it, then repeat this/),
  )
  first.kill('SIGKILL')
  await first.gone

  const file = join(folder, 'orchestrator.db')
  t.ok(statSync(`${file}-wal`).size > 0, 'the write-ahead log exists')
  const restored = await orchestrator(folder, ['restore', 'copy.db', ...command])
  t.match(restored, {
    code: 0,
    out: /^Restored .*orchestrator\.db\nKept the old file as .*\.before-restore-/,
    err: '',
  })
  const second = startService(folder)
  const after = await at(second)
  t.strictSame([await after.slugs(), await after.page('/'), await after.version()], saved)
  second.kill('SIGTERM')
  await second.gone

  const aside = readdirSync(folder).find((name) => name.includes('.before-restore-')) ?? ''
  t.match(await orchestrator(folder, ['restore', aside, ...command]), { code: 0 })
  const third = startService(folder)
  const again = await at(third)
  t.match(
    [(await again.page('/')).title, await again.slugs()],
    ['After the backup', ['/', '/a', '/b']],
    'the replaced database can be restored',
  )
  third.kill('SIGTERM')
  await third.gone
})

t.test('the commands locate the database like the service', async (t) => {
  type Case = readonly [file: string, words: readonly string[], env: Readonly<Record<string, string>>]
  const cases: readonly Case[] = [
    ['.orchestrator/orchestrator.db', [], {}],
    ['data/orchestrator.db', ['--data-dir', 'data'], {}],
    ['other/orchestrator.db', [], { ORCHESTRATOR_DATA_DIR: 'other' }],
    ['named.db', [], { ORCHESTRATOR_DB_FILE: 'named.db' }],
  ]
  for (const [file, words, env] of cases) {
    const { path, put, keys, run } = await database(t, file)
    const { code, out } = await run('backup', words, { env })
    t.equal(code, 0, file)
    const copy = out.trim()
    t.match(copy.slice(path.length), /^\.backup-\d{4}-\d\d-\d\dT[\d-]+Z$/)
    t.equal(statSync(copy).mode & 0o777, 0o600)
    await put('c')
    t.match(await run('restore', [copy, ...words], { env }), { code: 0 })
    t.same(await keys(), ['a', 'b'])
  }
  const backup = (config: string, env = {}) =>
    orchestrator(folderWith(t, { 'orchestrator.config.json': config }), ['backup'], { env })
  const without = 'scope blobs bus outbound sites draft draft-ops store'.split(' ')
  for (const [config, reason] of [
    [
      { plugins: [['store', { file: 'from-the-file.db' }]] },
      /the database .*from-the-file\.db does not exist; start the service once, or name its folder with --data-dir/,
    ],
    [
      { without, plugins: [inHouse('kept-elsewhere.ts')] },
      /kept-elsewhere\.ts stores the content; this command works on the built-in store only/,
    ],
  ] as const)
    t.match(await backup(smallConfig(config)), refusal(reason))
  const inMemory = { ORCHESTRATOR_DB_FILE: ':memory:' }
  t.match(await backup(smallConfig(), inMemory), refusal(/in memory.*ORCHESTRATOR_DB_FILE/))
})

t.test('a backup does not overwrite files, and a damaged database is not backed up', async (t) => {
  const { folder, path, run } = await database(t)
  writeFileSync(join(folder, 'taken'), 'mine')
  t.match(await run('backup', ['taken']), refusal(/taken exists; name a file that does not/))
  t.equal(readFileSync(join(folder, 'taken'), 'utf8'), 'mine')
  const noFolder =
    /no\/such\/folder cannot be created \(ENOENT\); name a file in a folder that exists and can/
  t.match(await run('backup', ['no/such/folder']), refusal(noFolder))
  t.match(await run('backup', ['one', 'two']), { code: 2, err: /unexpected argument 'two' for 'backup'/ })
  damage(path)
  t.match(await run('backup', ['copy']), refusal(/damaged/))
  t.notOk(existsSync(join(folder, 'copy')))
  writeFileSync(path, 'not a database')
  t.match(await run('backup', ['copy']), refusal(/not a database/))
})

t.test('a database that the user has no access to is not called missing', async (t) => {
  const { folder, path, run } = await database(t)
  t.match(await run('backup'), { code: 0 })
  chmodSync(folder, 0o755)
  const home = join(path, '..')
  const isRoot = process.getuid?.() === 0
  if (isRoot) process.seteuid?.(65_534)
  else chmodSync(home, 0)
  const outcome = await run('backup').finally(() => (isRoot ? process.seteuid?.(0) : chmodSync(home, 0o700)))
  const reason = /^the database .*\.db cannot be read \(EACCES\); run this as a user who may read it\n$/
  t.match(outcome, refusal(reason))
})

t.test('an impossible restore is reported with its reason and changes nothing', async (t) => {
  const { folder, path, open, run } = await database(t)
  const good = (await run('backup', ['good.db'])).out.trim()
  const home = join(folder, '.orchestrator')
  copyFileSync(good, join(folder, 'damaged.db'))
  damage(join(folder, 'damaged.db'))
  writeFileSync(join(folder, 'text.db'), 'this is not a database '.repeat(1000))
  const make = (name: string, sql: string): void => {
    const made = new DatabaseSync(join(folder, name))
    made.exec(sql)
    made.close()
  }
  make('foreign.db', 'create table notes (text)')
  copyFileSync(good, join(folder, 'later.db'))
  make('later.db', `update _store set value = 99 where name = 'layout'`)
  mkdirSync(join(folder, 'folder'))
  const cases: readonly (readonly [words: readonly string[], reason: RegExp])[] = [
    [['gone.db'], /the backup .*gone\.db does not exist; name another file/],
    [['.orchestrator/orchestrator.db'], /is the database itself; name a backup/],
    [['damaged.db'], /damaged\.db is damaged/],
    [['text.db'], /text\.db is damaged, or not a database/],
    [['foreign.db'], /foreign\.db is not a backup of this service/],
    [['later.db'], /was written by a later version/],
    [['folder'], /folder is a folder; name a backup in it/],
  ]
  // The first run claims the database, which creates a file.
  await run('restore', ['damaged.db'])
  const before = bytesIn(home)
  for (const [words, reason] of cases) {
    t.match(await run('restore', words), refusal(reason), words.join())
    t.strictSame(bytesIn(home), before, words.join())
  }
  const usage = /'restore' needs an argument: npx content-orchestrator restore BACKUP/
  t.match(await run('restore'), { code: 2, err: usage })
  // A website opens it without a claim.
  const store = open()
  t.match(await run('restore', [good]), refusal(/a service uses/))
  await store.close()
  t.ok(existsSync(path))
})

t.test('a restore that fails midway is rolled back completely', async (t) => {
  const { path, run } = await database(t)
  const copy = (await run('backup', ['copy.db'])).out.trim()
  await run('restore', ['gone.db'])
  // A log of another database is moved aside, which fails here.
  copyFileSync(copy, path)
  writeFileSync(`${path}-wal`, 'the log of another database')
  const now = new Date('2026-01-01T12:00:00.000Z')
  mkdirSync(`${path}.before-restore-2026-01-01T12-00-00-000Z-wal`)
  const files = () =>
    readdirSync(join(path, '..'))
      .filter((name) => !name.includes('claim'))
      .sort()
  const before = [files(), readFileSync(path), readFileSync(`${path}-wal`, 'utf8')]
  await t.rejects(restore(path, copy, now), { code: 'EISDIR' })
  t.strictSame([files(), readFileSync(path), readFileSync(`${path}-wal`, 'utf8')], before)
})

t.test('a restore replaces a damaged database, a foreign log and a missing database', async (t) => {
  const { path, put, keys, run } = await database(t)
  const copy = (await run('backup', ['copy.db'])).out.trim()
  t.equal(basename(copy), 'copy.db')
  const folder = join(path, '..')
  const restored = async (out: RegExp | string) => {
    t.match(await run('restore', [copy]), { code: 0, out })
    t.same(await keys(), ['a', 'b'])
  }
  await put('c')
  damage(path)
  await restored(/before-restore-/)
  writeFileSync(path, 'text')
  await restored(/before-restore-/)

  copyFileSync(copy, path)
  writeFileSync(`${path}-wal`, 'the log of another database')
  const foreign = /does not belong.*`npx content-orchestrator restore BACKUP`/
  t.match(await run('backup', ['more.db']), refusal(foreign))
  await restored(/before-restore-[\d-TZ]+\nKept the old file as .*before-restore-.*-wal\n/)

  rmSync(folder, { recursive: true })
  await restored(`Restored ${path}\n`)
  const left = readdirSync(folder).filter((name) => name.includes('restor'))
  t.same(left, [])
})

/** Overwrites all pages but the first two, like a failing disk. */
function damage(file: string): void {
  chmodSync(file, 0o600)
  const bytes = readFileSync(file)
  bytes.fill(7, 2 * 4096)
  writeFileSync(file, bytes)
}

t.test(
  'root restores for the user of the folder, and a claim file that cannot be used is named',
  async (t) => {
    const { folder, path, open, run } = await database(t)
    const copy = join(folder, 'copy.db')
    await run('backup', [copy])
    if (process.getuid?.() === 0) {
      const theirs = join(folder, 'theirs')
      mkdirSync(theirs)
      chownSync(theirs, 65_534, 65_534)
      t.match(await run('restore', [copy, '--data-dir', 'theirs']), { code: 0 })
      for (const name of readdirSync(theirs)) t.equal(statSync(join(theirs, name)).uid, 65_534, name)
      t.ok(existsSync(join(theirs, 'orchestrator.db.claim')))
    }
    rmSync(`${path}.claim`, { force: true })
    mkdirSync(`${path}.claim`)
    t.match(await run('restore', [copy]), refusal(/orchestrator\.db\.claim cannot be used/))
    await t.rejects(open().claim(), { message: /orchestrator\.db\.claim cannot be used/ })
  },
)

t.test('a folder that cannot be made is named with the remedy', async (t) => {
  const { folder, run } = await database(t)
  await run('backup', ['copy.db'])
  writeFileSync(join(folder, 'file'), '')
  const inFile = join(folder, 'file', 'data')
  const answer = refusal(/^the folder .*file\/data cannot be made or written \(\w+\); name another folder/)
  t.match(await run('restore', [join(folder, 'copy.db'), '--data-dir', inFile]), answer)
})
