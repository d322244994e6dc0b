import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { startPostgres } from '../helpers/postgres.ts'
import { json, startService } from '../security/service.ts'

const server = await startPostgres(t)

/** Passes connections on to a database, and records what a client sends each time that it waits for an answer. */
async function recordTrips(address: string) {
  const url = new URL(address)
  const [port, host] = [Number(url.port), url.hostname]
  let trips: { readonly client: Socket; text: string }[] = []
  const proxy = createServer((client) => {
    const database = connect(port, host)
    let trip: (typeof trips)[number] | undefined
    client.on('data', (bytes) => {
      if (!trip) trips.push((trip = { client, text: '' }))
      trip.text += bytes
      database.write(bytes)
    })
    database.on('data', (bytes) => {
      trip = undefined
      client.write(bytes)
    })
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const)
      from.on('error', () => to.destroy()).on('close', () => to.destroy())
  })
  proxy.listen(0, host)
  await once(proxy, 'listening')
  t.teardown(() => proxy.close())
  url.port = String((proxy.address() as AddressInfo).port)
  return {
    url: String(url),
    /** Returns the trips of changes, which begin when the database is idle, on the connection that writes. */
    async during(change: () => Promise<unknown>): Promise<readonly string[]> {
      do trips = []
      while ((await pause(100), trips.length > 0))
      await change()
      const writer = trips.find(({ text }) => text.includes('begin isolation'))?.client
      return trips.flatMap(({ client, text }) => (client === writer ? text : []))
    },
  }
}

t.test('a change of a draft takes two round trips with its event, also with a key', async (t) => {
  const { url, during } = await recordTrips(await server.database())
  const service = await startService(t, { env: { DATABASE_URL: url }, demo: true })
  let count = 0
  const edit = async (headers: Readonly<Record<string, string>> = {}, session = 'dev') => {
    const ops = [{ op: 'update_page_meta', pageSlug: '/', patch: { title: `Title ${++count}` } }]
    const body = { siteId: 'demo', session, ops }
    t.equal((await service.send(json('/ops', body, 'POST', headers))).status, 200)
  }
  const keyed = () => edit({ 'idempotency-key': `key-${count}` })
  // What is read or prepared once.
  for (const each of [edit, keyed, edit, keyed]) await each()
  for (const each of [edit, keyed]) {
    const trips = await during(each)
    t.equal(trips.length, 2)
    t.match(trips, [/begin isolation/, /update_page_meta[^]*draft\.changed[^]*commit/])
  }
  const drafts = Array.from({ length: 8 }, (_, at) => `draft-${at}`)
  const together = () => Promise.all(drafts.map((session) => edit({}, session)))
  for (let turn = 0; turn < 2; turn++) await together()
  const trips = await during(together)
  const begins = trips.filter((trip) => trip.includes('begin isolation'))
  t.ok(begins.length < drafts.length, 'changes of several drafts share a transaction')
  const readFirst = drafts.filter((session) => begins.some((trip) => trip.includes(session)))
  t.strictSame(readFirst, drafts, 'which reads what they need in its first round trip')
})
