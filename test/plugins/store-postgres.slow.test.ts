import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import t, { type Test } from 'tap'
import { note, Notes, put, write } from '../../config/contracts/store-documents.ts'
import { systemClock } from '../../kernel/index.ts'
import { failureOf } from '../../kernel/testing.ts'
import { createPostgresStore } from '../../plugins/store/testing.ts'
import { largePng } from '../helpers/media-files.ts'
import { startPostgres } from '../helpers/postgres.ts'
import { silent } from '../helpers/sqlite.ts'
import { askOver, editor, eventsIn, temporaryFolder, versionIn } from '../helpers/stack.ts'
import { testCertificate } from '../helpers/upstream.ts'
import { startService } from '../security/service.ts'

const server = await startPostgres(t)

async function openStore(t: Test, url: string) {
  const store = await createPostgresStore({ url, clock: systemClock, log: silent })
  t.teardown(() => store.close())
  return store
}

t.test('two processes share one database, and no write is lost', async (t) => {
  const url = await server.database()
  const stores = [await openStore(t, url), await openStore(t, url)]
  const add = (store: (typeof stores)[number]) =>
    store.transaction(async (tx) => {
      const rank = ((await tx.of(Notes).get('s', 'shared'))?.columns.rank ?? 0) + 1
      await tx.of(Notes).put('s', 'shared', note('counted', { rank }))
      return rank
    })
  const seen = new Set<number>()
  const count = async (store: (typeof stores)[number]) => {
    for (let turn = 0; turn < 100; turn++) seen.add(await add(store))
  }
  await Promise.all(stores.map(count))
  t.equal(seen.size, 200, 'each transaction ran on what the one before had written')
})

t.test('a transaction that another process has overtaken is not overtaken again', async (t) => {
  const url = await server.database()
  const [one, other] = [await openStore(t, url), await openStore(t, url)]
  await put(other, Notes, 's', 'shared', note('first'))
  const faster: Promise<unknown>[] = []
  const version = await one.transaction(async (tx) => {
    await tx.of(Notes).get('s', 'shared')
    faster.push(put(other, Notes, 's', 'shared', note('faster')))
    await (faster.length === 1 ? faster[0] : pause(200))
    return tx.of(Notes).put('s', 'shared', note('slower'))
  })
  await Promise.all(faster)
  t.equal(faster.length, 2, 'it was run again once')
  t.equal(version, 3, 'and the other one waited for it')
})

t.test('transactions of two processes on different documents do not conflict', async (t) => {
  const url = await server.database()
  const [one, other] = [await openStore(t, url), await openStore(t, url)]
  await write(one, 's', { a: note('first'), b: note('first') })
  // Only now it is known how small the table is, for which a scan is the fastest way.
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('analyze').finally(() => client.end())
  let runs = 0
  const change = (store: typeof one, key: string, meanwhile?: () => Promise<unknown>) =>
    store.transaction(async (tx) => {
      runs++
      await tx.of(Notes).get('s', key)
      await meanwhile?.()
      return tx.of(Notes).put('s', key, note('second'))
    })
  await change(one, 'a', () => change(other, 'b'))
  t.equal(runs, 2)
})

t.test('while the database is away it answers 503, and it recovers by itself', async (t) => {
  const store = await openStore(t, await server.database())
  await write(store, 's', { kept: note('answered') })
  await server.stop()
  t.equal(await failureOf(write(store, 's', { lost: note('never answered') })), '503 store_unavailable')
  t.equal(await failureOf(store.of(Notes).get('s', 'kept')), '503 store_unavailable')
  t.match(await store.health(), /does not answer/)
  await server.start()
  for (let tries = 0; tries < 100 && (await store.health()) !== 'ok'; tries++) await pause(100)
  await write(store, 's', { after: note('stored') })
  t.match(await store.of(Notes).rows('s'), [{ key: 'after' }, { key: 'kept' }])
})

t.test('a database that cannot be used stops the start with a sentence', async (t) => {
  const url = await server.database()
  const wrong = [
    url.replace('p4ssw0rd', 'secret-guess'),
    `${url}_missing`,
    'postgres://x:secret-guess@127.0.0.1:1/x',
  ]
  for (const each of wrong) {
    const failure = await createPostgresStore({ url: each, clock: systemClock, log: silent }).then(
      () => undefined,
      (error: unknown) => String(error),
    )
    t.match(failure, /The database of DATABASE_URL cannot be used/)
    t.notMatch(failure, /secret-guess/)
  }
})

t.test('an address may want TLS, and a certificate that it does not know stops the start', async (t) => {
  const url = await server.database()
  const file = join(temporaryFolder(t), 'ca.pem')
  writeFileSync(file, testCertificate)
  const store = await openStore(t, `${url}?sslmode=verify-full&sslrootcert=${file}`)
  await put(store, Notes, 's', 'kept', note('kept'))
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client
    .query<{ ssl: boolean }>(
      `select ssl from pg_stat_ssl join pg_stat_activity using (pid)
       where datname = current_database() and pid <> pg_backend_pid()`,
    )
    .finally(() => client.end())
  t.ok(rows.length > 0 && rows.every(({ ssl }) => ssl), 'every connection is encrypted')
  const stranger = createPostgresStore({ url: `${url}?sslmode=verify-full`, clock: systemClock, log: silent })
  t.match(
    await failureOf(stranger),
    /the certificate of 127\.0\.0\.1 is not trusted\. Name the file of its authority by sslrootcert/,
  )
})

t.test('DATABASE_URL selects it for a server, which starts again on what it has', async (t) => {
  const env = { DATABASE_URL: await server.database() }
  const ops = [{ op: 'create_page', page: { slug: '/new', title: 'New' } }]
  const body = JSON.stringify({ siteId: 'demo', session: 'dev', ops })
  const headers = { 'content-type': 'application/json' }
  const first = await startService(t, { env, demo: true })
  t.equal((await first.send({ method: 'POST', path: '/ops', headers, body })).status, 200)
  await first.stop()
  const second = await startService(t, { env, demo: true })
  const pages = await second.send({ path: '/draft/pages?siteId=demo&session=dev&slug=/new' })
  t.equal(pages.status, 200, 'another data directory, the same draft')
})

t.test('two servers on one database answer as one', async (t) => {
  const env = { DATABASE_URL: await server.database() }
  const [first, second] = [
    await startService(t, { env, demo: true }),
    await startService(t, { env, demo: true }),
  ]
  const at = { siteId: 'demo', session: 'dev' }
  const [one, other] = [first, second].map(({ origin }) => editor((asked) => askOver(origin, asked), at))
  if (!one || !other) return
  const start = versionIn(await one.retitle('/', 'First'))
  const stream = eventsIn(await fetch(`${second.origin}/events?${new URLSearchParams(at)}`))
  // Fewer than the stream would merge.
  const edits = Array.from({ length: 12 }, (_, n) => (n % 2 ? one : other).retitle('/', `Title ${n}`))
  const versions = (await Promise.all(edits)).map(versionIn).toSorted((a, b) => a - b)
  t.same(
    versions,
    [...versions.keys()].map((n) => start + n + 1),
    'no version twice, none missing',
  )
  const [hello] = await stream.take(1)
  const missed = versions.filter((version) => version > Number(hello?.id))
  const seen = (await stream.take(missed.length)).map(({ id }) => Number(id))
  t.strictSame(seen, missed, 'the stream of one has the changes of both, each once and in order')
  await stream.close()
  t.equal((await other.undo('/')).status, 200)
  t.equal((await one.page('/')).title, (await other.page('/')).title, 'what the other undid is undone here')
})

/** Uploads a picture and returns its path. */
async function upload(origin: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const body = new FormData()
  body.set('image', new File([bytes], 'a.png', { type: 'image/png' }))
  const answer = await fetch(`${origin}/image/upload`, { method: 'POST', body })
  const text = await answer.text()
  t.equal(answer.status, 200, text)
  return /\/generated-images\/[\w-]+\.png/.exec(text)?.[0] ?? ''
}

t.test('an upload through one server is served by the other, unless a folder is named', async (t) => {
  const env = { DATABASE_URL: await server.database() }
  const [one, other] = [await startService(t, { env }), await startService(t, { env })]
  const bytes = new Uint8Array(largePng(700_000))
  const path = await upload(one.origin, bytes)
  const whole = await fetch(other.origin + path)
  t.equal(whole.headers.get('content-type'), 'image/png')
  t.equal(Buffer.compare(Buffer.from(await whole.arrayBuffer()), bytes), 0)
  const part = await fetch(other.origin + path, { headers: { range: 'bytes=300000-600000' } })
  t.equal(part.status, 206)
  t.equal(Buffer.compare(Buffer.from(await part.arrayBuffer()), bytes.subarray(300_000, 600_001)), 0)
  t.notOk(existsSync(join(one.dataDir, 'generated-images')))
  const unknown = `${other.origin}/generated-images/upload_1767225600000_${'0'.repeat(32)}.png`
  t.equal((await fetch(unknown)).status, 404)

  const folder = temporaryFolder(t)
  const apart = await startService(t, { env: { ...env, ORCHESTRATOR_GENERATED_IMAGE_DIR: folder } })
  const inFolder = await upload(apart.origin, bytes)
  t.strictSame(readdirSync(folder), [inFolder.slice('/generated-images/'.length)])
  t.equal((await fetch(other.origin + inFolder)).status, 404)
})

t.test('a server without its database says so, stays alive and recovers', async (t) => {
  const env = { DATABASE_URL: await server.database() }
  const service = await startService(t, { env, demo: true })
  const at = 'siteId=demo&session=dev'
  const get = (path: string) => service.send({ path })
  const ops = [{ op: 'update_page_meta', pageSlug: '/', patch: { title: 'Answered' } }]
  const body = JSON.stringify({ siteId: 'demo', session: 'dev', ops })
  const edit = () =>
    service.send({ method: 'POST', path: '/ops', headers: { 'content-type': 'application/json' }, body })
  t.equal((await edit()).status, 200)
  await server.stop('SIGKILL')
  const failed = [await get(`/draft/slugs?${at}`), await get(`/draft/pages?${at}&slug=/`), await edit()]
  for (const answer of failed) {
    t.equal(answer.status, 503, answer.text)
    t.equal(answer.headers['retry-after'], '5')
    t.match(answer.text, /"code":"store_unavailable"/)
  }
  for (let n = 0; n < 5; n++) await get(`/draft/slugs?${at}`)
  const refused = service
    .written()
    .split('\n')
    .filter((line) => line.includes('"request refused"'))
  const traces = refused.filter((line) => line.includes('"stack"'))
  t.ok(refused.length >= 8 && traces.length <= 2, `${traces.length} of ${refused.length} have a stack`)
  t.strictSame([(await get('/readyz')).status, (await get('/livez')).status], [503, 200])
  await server.start()
  for (let tries = 0; tries < 100 && (await get('/readyz')).status !== 200; tries++) await pause(100)
  const ready = await get('/readyz')
  t.equal(ready.status, 200)
  t.match(ready.text, /"clock":"ok"/)
  t.notMatch(service.written(), /p4ssw0rd/, 'the password is not logged')
  t.match((await get(`/draft/pages?${at}&slug=/`)).text, /"title":"Answered"/, 'what was answered is kept')
})
