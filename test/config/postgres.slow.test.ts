import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import t, { type Test } from 'tap'
import { copyDocuments, readPostgres, readSqlite, writePostgres } from '../../plugins/store/testing.ts'
import { collectionsOf } from '../../plugins/store/port.ts'
import { largePng } from '../helpers/media-files.ts'
import { startPostgres } from '../helpers/postgres.ts'
import { until } from '../helpers/until.ts'
import { json, startService, type Service } from '../security/service.ts'
import { builtinPlugins } from '../surface/environment.ts'
import { folderWith, orchestrator } from './helpers.ts'

const server = await startPostgres(t)
const at = { siteId: 'demo', session: 'dev' }
const picture = new Uint8Array(largePng(600_000))

/** Runs a command in an empty folder, and fails if it prints the password. */
async function run(t: Test, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const outcome = await orchestrator(folderWith(t), args, { env })
  t.notMatch(outcome.out + outcome.err, /p4ssw0rd/)
  return outcome
}

async function rowsOf(url: string, sql: string): Promise<readonly unknown[][]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' }).finally(() => client.end())
  return rows
}

async function retitle(service: Service, title: string): Promise<void> {
  const ops = [{ op: 'update_page_meta', pageSlug: '/', patch: { title } }]
  const answer = await service.send(json('/ops', { ...at, ops }))
  t.equal(answer.status, 200, answer.text)
}

const titleIn = async (service: Service): Promise<string | undefined> =>
  /"title":"(First|Second|In the backup|After the backup)"/.exec(
    (await service.send({ path: '/draft/pages?siteId=demo&session=dev&slug=/' })).text,
  )?.[1]

async function upload({ origin }: Service): Promise<string> {
  const body = new FormData()
  body.set('image', new File([picture], 'a.png', { type: 'image/png' }))
  const answer = await fetch(`${origin}/image/upload`, { method: 'POST', body })
  return /\/generated-images\/[\w-]+\.png/.exec(await answer.text())?.[0] ?? ''
}

async function serves(service: Service, path: string): Promise<boolean> {
  const answer = await fetch(service.origin + path)
  return answer.status === 200 && Buffer.compare(Buffer.from(await answer.arrayBuffer()), picture) === 0
}

t.test('migrate says what is pending, does it once, and a start finds nothing left', async (t) => {
  const url = await server.database()
  const env = { DATABASE_URL: url }
  const tables = `select count(*)::int from pg_tables where schemaname = 'content_orchestrator'`
  const first = await run(t, ['migrate', '--check'], env)
  t.equal(first.code, 1)
  t.match(
    first.out,
    /pending\n  create schema content_orchestrator\n[^]*create table "draft_heads"[^]*create table _files/,
  )
  t.strictSame(await rowsOf(url, tables), [[0]], 'a check creates nothing')
  const [started, ...done] = await Promise.all([
    startService(t, { env, demo: true }),
    ...Array.from({ length: 4 }, () => run(t, ['migrate'], env)),
  ])
  t.strictSame(
    done.map(({ code }) => code),
    [0, 0, 0, 0],
    'also while a service starts',
  )
  const [count] = await rowsOf(url, tables)
  await retitle(started, 'Here')
  await upload(started)
  t.strictSame(await rowsOf(url, tables), [count], 'a service creates no other table')
  await started.stop()
  t.match(await run(t, ['migrate', '--check'], env), { code: 0, out: /has every table/ })

  const gone = `alter table content_orchestrator.draft_changes drop column %; drop index content_orchestrator."bus_events.at"`
  const [[column] = []] = await rowsOf(
    url,
    `select column_name from information_schema.columns where table_schema = 'content_orchestrator' and table_name = 'draft_changes' and column_name not in ('scope', 'key', 'version', 'body') limit 1`,
  )
  await rowsOf(url, gone.replace('%', String(column)).split(';')[0] ?? '')
  const [[index] = []] = await rowsOf(
    url,
    `select indexname from pg_indexes where schemaname = 'content_orchestrator' and tablename = 'auth_attempts' and indexname like '%.at'`,
  )
  await rowsOf(url, `drop index content_orchestrator."${String(index)}"`)
  const pending = await run(t, ['migrate', '--check'], env)
  t.equal(pending.code, 1)
  t.match(pending.out, new RegExp(`alter table "draft_changes" add column "${String(column)}"`))
  t.match(pending.out, /create index if not exists "auth_attempts\.at"/)
  t.match(await run(t, ['migrate'], env), { code: 0, out: /: done/ })
  t.match(await run(t, ['migrate', '--check'], env), { code: 0 })

  await rowsOf(url, 'alter table content_orchestrator.auth_attempts alter column at type text')
  t.match(await run(t, ['migrate'], env), {
    code: 1,
    err: /Column 'at' of collection 'auth_attempts'.*another name/,
  })
  t.match(await run(t, ['migrate', '--check']), { code: 0, out: /completes its tables by itself/ })
})

/** Every row of every collection of a file. */
function contentOf(file: string): unknown {
  const database = new DatabaseSync(file, { readOnly: true })
  const tables = database
    .prepare(`select name from sqlite_schema where type = 'table' and name <> '_store' order by name`)
    .all()
  const content = tables.map(({ name }) => [
    name,
    database
      .prepare(`select * from "${String(name)}" order by scope, key`)
      .all()
      .map((row) => ({
        ...row,
        body: row['body'] instanceof Uint8Array ? Buffer.from(row['body']).toString() : row['body'],
      })),
  ])
  database.close()
  return content.filter(([, rows]) => Array.isArray(rows) && rows.length > 0)
}

t.test('copy takes everything to PostgreSQL and back, and refuses what would lose something', async (t) => {
  const url = await server.database()
  const env = { DATABASE_URL: url }
  const before = await startService(t, { demo: true })
  await retitle(before, 'First')
  await retitle(before, 'Second')
  const path = await upload(before)
  const file = join(before.dataDir, 'orchestrator.db')
  const there = ['copy', '--from', file, '--to', url]
  const refuses = async (words: readonly string[], err: RegExp, code = 1) =>
    t.match(await run(t, words), { code, err }, words.join(' '))
  await refuses(there, /a service uses .*orchestrator\.db; stop it/)
  await before.stop()
  const copied = await run(t, there)
  t.match(copied, {
    code: 0,
    out: /Copied and verified [\d,]+ documents in \d+ collections, and 1 files, from .* to PostgreSQL at 127/,
  })
  await refuses(there, /the target is not empty: '\w+' has \d+ documents/)
  t.match(await run(t, ['migrate', '--check'], env), { code: 0 }, 'the copy has every table')
  t.match(await run(t, ['copy', '--from', url, '--to', url]), { code: 1, err: /the target is not empty/ })

  const here = join(folderWith(t), 'back', 'orchestrator.db')
  const shown = await orchestrator(folderWith(t), ['copy', '--to', here], { env, isTerminal: true })
  t.match(shown, { code: 0, out: /\r.*█+ \d+ of \d+ documents.*\r.*Copied and verified/s }, 'with progress')
  t.strictSame(contentOf(here), contentOf(file), 'every document with its version is the same')
  t.strictSame(readdirSync(join(dirname(here), 'generated-images')), [
    path.slice('/generated-images/'.length),
  ])
  await refuses(['copy', '--from', url, '--to', here], /exists; name a file that does not/)

  const named = { DATABASE_URL: `${url}?application_name=mine` }
  const after = await startService(t, { env: named, demo: true })
  t.equal(await titleIn(after), 'Second')
  t.ok(await serves(after, path))
  t.equal((await after.send(json('/history/undo', { ...at, slug: '/' }))).status, 200)
  t.equal(await titleIn(after), 'First', 'the history came along')
  const other = join(folderWith(t), 'other.db')
  await refuses(['copy', '--from', url, '--to', other], /a service uses the database; stop it/)
  t.notOk(existsSync(other))

  const empty = await server.database()
  await refuses(['copy', '--from', empty, '--to', other], /the source has no content/)
  await refuses(['copy', '--from', file, '--to', other], /use backup and restore/)
  await refuses(['copy'], /needs --from, --to or both/, 2)
  await refuses(['copy', '--from', folderWith(t), '--to', empty], /is a folder/)
  const mistyped = url.replace('postgres:', 'postgress:')
  await refuses(['copy', '--from', mistyped, '--to', other], /postgres:\/\/user@/, 2)
  await refuses(['copy', '--from', file, '--to', `${url}_missing`], /cannot be used/)
  new DatabaseSync(other).exec('create table theirs (id integer)')
  const foreign = /^\S*other\.db belongs to another program; name a database of this service$/m
  await refuses(['copy', '--from', other, '--to', empty], foreign)
  t.match(await run(t, ['restore', other], { DATABASE_URL: empty }), { code: 1, err: foreign })
  const broken = join(folderWith(t), 'broken.db')
  writeFileSync(broken, readFileSync(file).fill(0xff, 4096, 3 * 4096))
  const isDamaged = /^\S*broken\.db is damaged, or not a database; name another file$/m
  await refuses(['copy', '--from', broken, '--to', empty], isDamaged)
  t.match(await run(t, ['restore', broken], { DATABASE_URL: empty }), { code: 1, err: isDamaged })
})

t.test('a copy that lacks a document is found, and nothing of it is kept', async (t) => {
  const url = await server.database()
  const service = await startService(t, { demo: true })
  await retitle(service, 'Here')
  const file = join(service.dataDir, 'orchestrator.db')
  await service.stop()
  const collections = collectionsOf(await builtinPlugins())
  const copy = (spoil: (sql: string) => boolean) =>
    writePostgres(url, collections, (target) =>
      readSqlite(file, (source) => {
        const run: typeof target.run = async (sql, values) => (spoil(sql) ? [] : target.run(sql, values))
        return copyDocuments(source, { ...target, run }, () => undefined)
      }),
    )
  let inserted = 0
  const late = (sql: string): boolean => sql.startsWith('insert into "draft_pages"') && inserted++ === 1
  await t.rejects(copy(late), { name: 'FileError', message: /'draft_pages' has \d+ documents.*but the copy/ })
  t.strictSame(await rowsOf(url, 'select count(*)::int from content_orchestrator.auth_secrets'), [[0]])
  await copy(() => false)
})

t.test('a copy that was killed half way stops the start until it is repeated', async (t) => {
  const url = await server.database()
  const env = { DATABASE_URL: url }
  const before = await startService(t, { demo: true })
  await retitle(before, 'First')
  const path = await upload(before)
  await before.stop()
  const there = ['copy', '--from', join(before.dataDir, 'orchestrator.db'), '--to', url]
  t.equal((await run(t, ['migrate'], env)).code, 0)

  // The copy waits for this table, after the files and a part of the documents.
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('begin; lock table content_orchestrator.draft_pages in access share mode')
  const bin = fileURLToPath(new URL('../../config/cli/bin.ts', import.meta.url))
  const copying = spawn(process.execPath, [bin, ...there], { stdio: 'ignore', env: {}, cwd: folderWith(t) })
  t.teardown(() => copying.kill('SIGKILL'))
  const waiting = async () => (await rowsOf(url, 'select 1 from pg_locks where not granted')).length > 0
  await until(waiting, 'the copy to wait')
  const interrupted =
    /A copy into the database runs or was interrupted: run `npx content-orchestrator copy` again/
  await t.rejects(startService(t, { env }), { message: interrupted }, 'while it runs')
  copying.kill('SIGKILL')
  await once(copying, 'exit')
  await client.end()
  await until(async () => !(await waiting()), 'the database to notice')
  await t.rejects(startService(t, { env }), { message: interrupted })
  const unused = join(folderWith(t), 'unused')
  for (const args of [
    ['backup', unused],
    ['migrate'],
    ['copy', '--from', url, '--to', unused],
    ['token', 'list'],
  ])
    t.match(
      await run(t, args, env),
      { code: 1, err: /copy into the database .* interrupted/ },
      args.join(' '),
    )
  t.match(await run(t, there), { code: 0, out: /Copied and verified/ })
  const after = await startService(t, { env, demo: true })
  t.equal(await titleIn(after), 'First')
  t.ok(await serves(after, path))

  // What a restore into an empty database leaves, which copies an SQLite file.
  const restored = { DATABASE_URL: await server.database() }
  await rowsOf(restored.DATABASE_URL, 'create schema content_orchestrator')
  await rowsOf(restored.DATABASE_URL, 'create table content_orchestrator._copying ()')
  await t.rejects(startService(t, { env: restored }), { message: /or `restore` where that began it/ })
  t.match(await run(t, ['restore', join(before.dataDir, 'orchestrator.db')], restored), { code: 0 })
  t.equal(await titleIn(await startService(t, { env: restored, demo: true })), 'First')
})

t.test('a backup of PostgreSQL is an SQLite file, which both engines restore', async (t) => {
  const url = await server.database()
  const env = { DATABASE_URL: url }
  const service = await startService(t, { env, demo: true })
  await retitle(service, 'In the backup')
  const path = await upload(service)
  const folder = folderWith(t)
  const made = await run(t, ['backup', '--data-dir', folder], env)
  t.match(made, {
    code: 0,
    err: /^Copied [\d,]+ documents in \d+ collections, and 1 files\. The files are in .*\/generated-images\.$/m,
  })
  const backup = made.out.trim()
  t.match(backup, /postgres\.backup-[\dTZ-]+$/)
  t.match(readFileSync(backup, 'latin1').slice(0, 15), 'SQLite format 3')
  t.match(await run(t, ['backup', backup], env), { code: 1, err: /exists; name a file that does not/ })
  await retitle(service, 'After the backup')
  t.match(await run(t, ['restore', backup], env), { code: 1, err: /a service uses the database; stop it/ })
  await service.stop()

  const foreign = join(folder, 'foreign.db')
  writeFileSync(foreign, readFileSync(backup).subarray(0, 5000))
  t.equal((await run(t, ['restore', foreign], env)).code, 1, 'half a backup')
  t.match(await run(t, ['restore', folder], env), { code: 1, err: /is a folder; name a backup in it/ })
  writeFileSync(foreign, 'something else')
  t.match(await run(t, ['restore', foreign], env), {
    code: 1,
    err: /foreign\.db is damaged, or not a database/,
  })
  const unchanged = await startService(t, { env, demo: true })
  t.equal(await titleIn(unchanged), 'After the backup', 'a failure changes nothing')
  await unchanged.stop()

  // A restore whose process was killed: the earlier content is put aside, and another begins to arrive.
  await rowsOf(url, 'alter schema content_orchestrator rename to content_orchestrator_restoring')
  await t.rejects(startService(t, { env }), { message: /restore .* interrupted: repeat/ })
  const unused = join(folder, 'unused')
  for (const args of [['backup', unused], ['migrate'], ['copy', '--from', url, '--to', unused]])
    t.match(await run(t, args, env), { code: 1, err: /restore .* interrupted: repeat/ }, args.join(' '))
  await rowsOf(url, 'create schema content_orchestrator')
  const restored = await run(t, ['restore', backup], env)
  t.equal(restored.code, 0, restored.err)
  const [, kept] = /Kept the old content as the schema (content_orchestrator_\d+)/.exec(restored.out) ?? []
  t.ok(
    (await rowsOf(url, `select body from ${String(kept)}.draft_pages`)).join().includes('After the backup'),
  )
  const after = await startService(t, { env, demo: true })
  t.equal(await titleIn(after), 'In the backup')
  t.ok(await serves(after, path), 'with its files')
  await after.stop()

  const empty = { DATABASE_URL: await server.database() }
  t.match(await run(t, ['restore', backup], empty), { code: 0, out: /^Restored \S+ \S+ \S+\n$/ })
  t.equal(await titleIn(await startService(t, { env: empty, demo: true })), 'In the backup')
  t.match(await run(t, ['restore', backup, '--data-dir', folder]), { code: 0 }, 'without PostgreSQL')
  const places = {
    ORCHESTRATOR_DB_FILE: join(folder, 'orchestrator.db'),
    ORCHESTRATOR_GENERATED_IMAGE_DIR: join(folder, 'generated-images'),
  }
  const local = await startService(t, { env: places, demo: true })
  t.equal(await titleIn(local), 'In the backup')
  t.ok(await serves(local, path))
})

t.test('a backup is one state: a file that is removed meanwhile is in it', async (t) => {
  const url = await server.database()
  const service = await startService(t, { env: { DATABASE_URL: url }, demo: true })
  await upload(service)
  const found = await readPostgres(url, async ({ specs, files }) => {
    await specs()
    await rowsOf(url, 'delete from content_orchestrator._files')
    const [file] = await Array.fromAsync(files?.list() ?? [])
    return file && Buffer.concat(await Array.fromAsync(files?.read(file, 0, file.size) ?? []))
  })
  t.equal(found && Buffer.compare(found, picture), 0)
  t.strictSame(await rowsOf(url, 'select key from content_orchestrator._files'), [])
})

t.test('a table whose name is a statement stops a restore', async (t) => {
  const service = await startService(t)
  const file = join(service.dataDir, 'orchestrator.db')
  await service.stop()
  const name = 'auth_secrets""; create table public.theirs (id integer); --'
  const database = new DatabaseSync(file)
  database.exec(`create table "${name}" (scope text, key text, version integer, body text)`)
  database.close()
  const url = await server.database()
  const err = /its table 'auth_secrets"; .* is not of this service; name another/
  t.match(await run(t, ['restore', file], { DATABASE_URL: url }), { code: 1, err })
  t.strictSame(await rowsOf(url, `select to_regclass('public.theirs')`), [[null]])
})

t.test('a start that PostgreSQL refuses says what to correct, without the password', async (t) => {
  const url = await server.database()
  const [, port = '', name = ''] = /:(\d+)\/(\w+)$/.exec(url) ?? []
  await rowsOf(url, `create role limited login password 'p4ssw0rd'`)
  const cases: readonly (readonly [url: string, says: RegExp])[] = [
    [url.replace('p4ssw0rd', 'p4ssw0rd2'), /the password of the user postgres is refused/],
    [`${url}_none`, new RegExp(`its server has no database named ${name}_none`)],
    [url.replace(`:${port}/`, ':1/'), /nothing answers at 127\.0\.0\.1, port 1\./],
    [url.replace('127.0.0.1', 'nowhere.invalid'), /the host nowhere\.invalid is not known/],
    [
      url.replace('postgres:p', 'limited:p'),
      /the user limited lacks rights: .*GRANT CREATE ON DATABASE "test/,
    ],
    [url.replace('p4ssw0rd', '12#p4ssw0rd'), /percent-encoded/],
    [url.replace('p4ssw0rd', 'p4ssw0rd/%'), /percent-encoded/],
    [`${url}?sslmode=verify-full&sslrootcert=/no/ca.pem`, /the file \/no\/ca\.pem is missing/],
  ]
  for (const [DATABASE_URL, says] of cases) {
    const { code, err } = await run(t, ['token', 'list'], { DATABASE_URL })
    t.equal(code, 1)
    t.match(err, says)
  }
})
