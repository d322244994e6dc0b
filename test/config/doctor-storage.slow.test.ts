import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { checkEncryption } from '../../config/cli/doctor/storage.ts'
import { packageVersion, systemClock } from '../../kernel/index.ts'
import { backupOf, createPostgresStore } from '../../plugins/store/testing.ts'
import { startPostgres } from '../helpers/postgres.ts'
import { openSqlite, silent } from '../helpers/sqlite.ts'
import { folderWith, orchestrator, smallConfig } from './helpers.ts'

const Findings = v.array(v.object({ item: v.string(), state: v.string(), says: v.string() }))

/** The findings about the store of an installation with these files and variables. */
async function diagnose(
  t: Test,
  env: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>> = {},
) {
  const folder = folderWith(t, { 'orchestrator.config.json': smallConfig(), ...files })
  const { out } = await orchestrator(folder, ['doctor', '--json'], { env })
  t.notMatch(out, /p4ssw0rd|canary/)
  return v
    .parse(Findings, JSON.parse(out))
    .filter(({ item }) => ['Database', 'Processes', 'Clocks', 'Backups'].includes(item))
    .map(({ item, state, says }) => `${state} ${item}: ${says.replaceAll(folder, '')}`)
}

t.test('servers on one database whose versions or clocks differ are found', async (t) => {
  const server = await startPostgres(t)
  const url = await server.database()
  const env = { DATABASE_URL: url }
  const local = 'ok Database: The database is on this machine.'
  const finds = async (...findings: readonly (string | RegExp)[]) =>
    t.match(await diagnose(t, env), [local, /^warn Backups: .*makes no backups/, ...findings])
  const none = 'ok Processes: No server reports that it uses the database.'
  await finds(none)

  const store = await createPostgresStore({ url, clock: systemClock, log: silent })
  await finds(
    `ok Processes: 1 server uses the database, with version ${packageVersion}.`,
    'ok Clocks: The clocks of the servers and of the database agree.',
  )

  const now = () => new Date(systemClock.now().getTime() - 90_000)
  const late = await createPostgresStore({ url, clock: { ...systemClock, now }, log: silent })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const processes = 'content_orchestrator._processes'
  const [one] = (await client.query(`select id from ${processes} order by started desc`)).rows
  await client.query(`update ${processes} set version = '0.1.0' where id = $1`, [one.id])
  await finds(
    `warn Processes: 2 servers use the database, with the versions 0.1.0 and ${packageVersion}; finish the update.`,
    /^warn Clocks: A server and the database are (?:89|90|91) seconds apart/,
  )

  await store.close()
  const lost = `update ${processes} set seen = seen - interval '2 minutes'`
  t.equal((await client.query(lost)).rowCount, 1, 'a server that stops removes its row')
  await finds(none)
  await late.close()
  await client.end()
  await server.stop()
  const unusable = /^unsafe Database: The database of DATABASE_URL cannot be used/
  t.match((await diagnose(t, env)).slice(2), [unusable])
})

t.test('a connection to another host is to be encrypted', async (t) => {
  const found = {
    ok:
      'u:p@localhost:5432/d u:p@[::1]/d /d?host=/run/postgresql ' +
      'u:p@db.example.com/d?sslmode=verify-full u:p@db.example.com/d?ssl=true',
    unsafe: 'u:p@db.example.com/d u:p@db.example.com/d?sslmode=disable u:p@10.0.0.5/d',
    warn: 'u:p@database/d u:p@db.example.com/d?sslmode=no-verify',
  }
  for (const [state, urls] of Object.entries(found))
    for (const url of urls.split(' '))
      t.equal(checkEncryption(`postgres://${url}`, undefined).state, state, url)
  t.equal(checkEncryption('postgres://u:p@db.example.com/d', 'verify-full').state, 'ok', 'by PGSSLMODE')
})

t.test('backups of a file that are missing or too old are found', async (t) => {
  const file = join('.orchestrator', 'orchestrator.db')
  const madeBefore = (hours: number) => ({
    [file]: '',
    [backupOf(file, new Date(systemClock.now().getTime() - hours * 3_600_000))]: 'copy',
  })
  t.match(await diagnose(t, {}), [/^ok Backups: There is no database yet/])
  t.match(await diagnose(t, {}, { [file]: '' }), [/^warn Backups: .* has no backup yet/])
  t.match(await diagnose(t, {}, madeBefore(47)), [/^ok Backups: The newest backup/])
  t.match(await diagnose(t, {}, madeBefore(49)), [/^warn Backups: The newest backup/])
  const often = { ORCHESTRATOR_DB_BACKUP_INTERVAL_HOURS: '1' }
  t.match(await diagnose(t, often, { ...madeBefore(49), ...madeBefore(3) }), [
    /^warn Backups: The newest backup/,
  ])
  t.strictSame(await diagnose(t, { ORCHESTRATOR_DB_FILE: ':memory:' }), [])
})

t.test('a database with which the start is refused is found', async (t) => {
  const starts = async (folder: string) =>
    (await orchestrator(folder, ['doctor'])).out
      .split('\n')
      .filter((line) => / (?:Start|Database) /.test(line))
  const files = {
    'orchestrator.config.json': smallConfig(),
    '.orchestrator/orchestrator.db': 'something else',
  }
  const broken = folderWith(t, files)
  t.match(await starts(broken), [
    /^unsafe +Start +It does not start/,
    /^unsafe +Database .*is not a database/,
  ])
  const later = folderWith(t, { 'orchestrator.config.json': smallConfig() })
  const file = join(later, '.orchestrator', 'orchestrator.db')
  await openSqlite(t, file).close()
  t.match(await starts(later), [/^ok +Start +It starts/])
  const database = new DatabaseSync(file)
  database.exec(`update _store set value = 99 where name = 'layout'`)
  database.close()
  t.match(await starts(later), [/^unsafe +Start/, /^unsafe +Database .*written by a later version/])
})
