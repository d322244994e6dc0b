import pg from 'pg'
import { startPostgres } from '../helpers/postgres.ts'
import { eventsIn } from '../helpers/stack.ts'
import { type BenchServer, fill, inTurn, json, post, report, startServer } from './harness.ts'
import { send } from './load.ts'
import { pageOf, siteOf, target } from './pages.ts'
import type { Bench } from './run.ts'

const [edits, rounds] = [50, 3]
const clients = Array.from({ length: 32 }, (_, client) => client)
/** The tables that an edit writes to: it adds a row to the first two. */
const written = ['draft_changes', 'bus_events', 'draft_pages', 'draft_stacks', 'draft_heads']

/** Sends edits one after the other, and returns how many are stored a second. */
function edit({ url }: BenchServer, session: string, amount: number): Promise<number> {
  const body = (at: number): string => {
    const patch = { body: `Edit ${at} of ${performance.now()}. `.padEnd(600, 'A sentence of an editor. ') }
    return JSON.stringify({ session, ops: [{ op: 'update_props', pageSlug: '/', blockId: target, patch }] })
  }
  return send(url, { path: '/ops', method: 'POST', headers: json, connections: 1, amount, body })
}

/** Runs the work of all clients, and returns how many edits that was a second. */
async function perSecond(work: (client: number) => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await Promise.all(clients.map(work))
  return (clients.length * edits) / ((performance.now() - began) / 1000)
}

/** Copies the rows of the last edit as often as clients edit, in as few round trips, from one connection each. */
async function writeBare(url: string): Promise<number> {
  const connections = clients.map(() => new pg.Client({ connectionString: url, pipeline: true } as object))
  await Promise.all(connections.map((each) => each.connect()))
  const [admin] = connections as [pg.Client]
  await admin.query('drop schema if exists bare cascade; create schema bare')
  const inserts: (readonly [text: string, values: readonly unknown[]])[] = []
  for (const table of written) {
    await admin.query(`create table bare.${table} (like content_orchestrator.${table} including all)`)
    const last = `select * from content_orchestrator.${table} order by key desc limit 1`
    const [row] = (await admin.query(last)).rows
    const names = Object.keys(row).map((name) => `"${name}"`)
    const values = `(${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')})`
    const set = names.map((name) => `${name} = excluded.${name}`).join(', ')
    const text = `insert into bare.${table} ${values} on conflict (scope, key) do update set ${set}`
    inserts.push([text, Object.values(row).slice(2)])
  }
  const reached = await perSecond(async (client) => {
    const connection = connections[client] ?? admin
    for (let at = 0; at < edits; at++) {
      await connection.query('begin')
      const rows = inserts.map(([text, values], table) => {
        const own = [`c${client}`, table < 2 ? `${at}` : 'same', ...values]
        return connection.query({ name: `insert${table}`, text, values: own })
      })
      await Promise.all(rows)
      await connection.query('commit')
    }
  })
  await Promise.all(connections.map((each) => each.end()))
  return reached
}

/** What further processes add on one machine, whose cores the database and the clients share. */
async function measureReplicas(place: { readonly database: string }, servers: BenchServer[]): Promise<void> {
  for (const count of ['1 process', '2 processes', '3 processes']) {
    const added = await startServer('standalone', place)
    servers.push(added)
    const draft = { pages: [pageOf(30_000)], overwrite: true }
    for (const client of clients) await post(added, '/draft/bootstrap', { ...draft, session: `s${client}` })
    const each = (sessionOf: (client: number) => string) => (client: number) =>
      edit(servers[client % servers.length] ?? added, sessionOf(client), edits)
    const [apart, shares, together]: [number[], number[], number[]] = [[], [], []]
    for (let round = 0; round < rounds; round++) {
      apart.push(await perSecond(each((client) => `s${client}`)))
      shares.push((apart.at(-1) ?? 0) / (await writeBare(place.database)))
    }
    // Last, because processes write in turn for a while after a conflict.
    for (let round = 0; round < rounds; round++) together.push(await perSecond(each(() => 's0')))
    report(`edits a second of 32 drafts by 32 clients, ${count}`, apart, {})
    report(`share of what bare pg writes of the same rows, ${count}`, shares, {})
    report(`edits a second of one draft by 32 clients, ${count}`, together, {})
  }
}

/** How long after it is sent to one process an edit is in a stream of another one. */
async function measureEvents([one, other]: readonly BenchServer[]): Promise<boolean> {
  if (!one || !other) throw new Error('two processes are needed')
  const stream = eventsIn(await fetch(`${other.url}/events?session=s0`))
  await stream.take(1)
  const waits = []
  for (let round = 0; round < 100; round++) {
    const began = performance.now()
    await Promise.all([edit(one, 's0', 1), stream.take(1)])
    waits.push(performance.now() - began)
  }
  await stream.close()
  return report('time until an edit is in a stream of another process', waits, { atMost: 100 }, ' ms')
}

/** One edit after the other in a draft of 10,000 pages, and in one of 10. */
async function measureSize(engine: string, place: () => Promise<object>, servers: BenchServer[]) {
  const timeOf = async (pages: number) => {
    const server = await startServer('standalone', { ...(await place()) })
    servers.push(server)
    await fill(server, siteOf(pages, 4_000))
    return async () => 1 / (await edit(server, 'dev', 500))
  }
  const ratios = await inTurn(7, await timeOf(10_000), await timeOf(10))
  return report(`${engine}: time of an edit at 10,000 pages / at 10 pages`, ratios, { atMost: 1.2 })
}

const replicas: Bench = async (folder) => {
  const [servers, ends]: [BenchServer[], (() => unknown)[]] = [[], []]
  const stop = () => Promise.all(servers.splice(0).map((server) => server.stop()))
  const server = await startPostgres({ teardown: (end) => ends.push(end) }, 'on')
  try {
    const database = async () => ({ database: await server.database(), dataDir: await folder() })
    await measureReplicas(await database(), servers)
    const met = [await measureEvents(servers)]
    await stop()
    met.push(await measureSize('PostgreSQL', database, servers))
    await stop()
    met.push(await measureSize('SQLite', async () => ({ dataDir: await folder() }), servers))
    return met.every(Boolean)
  } finally {
    await stop()
    for (const end of ends) await end()
  }
}

export const benches = { replicas }
