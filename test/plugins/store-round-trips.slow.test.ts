import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { startPostgres } from '../helpers/postgres.ts'
import { json, startService } from '../security/service.ts'

const server = await startPostgres(t)

/** Passes connections on to a database, and records what a client sends each time that it waits for an answer. */
async function recordTrips(address: string) {
  const url = new URL(address)
  const [port, host] = [Number(url.port), url.hostname]
  let trips: string[] = []
  const proxy = createServer((client) => {
    const database = connect(port, host)
    let isAnswered = true
    client.on('data', (bytes) => {
      if (isAnswered) trips.push('')
      isAnswered = false
      trips.push(`${trips.pop()}${bytes}`)
      database.write(bytes)
    })
    database.on('data', (bytes) => {
      isAnswered = true
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
    /** Returns the trips of a change, which begins when the database is idle, until others hear of its event. */
    async during(change: () => Promise<unknown>): Promise<readonly string[]> {
      do trips = []
      while ((await pause(100), trips.length > 0))
      await change()
      const heard = trips.findIndex((trip) => trip.includes('pg_notify'))
      return trips.slice(0, heard < 0 ? undefined : heard)
    },
  }
}

t.test('a change of a draft takes three round trips with its event, also with a key', async (t) => {
  const { url, during } = await recordTrips(await server.database())
  const service = await startService(t, { env: { DATABASE_URL: url }, demo: true })
  let count = 0
  const edit = async (headers: Readonly<Record<string, string>> = {}) => {
    const ops = [{ op: 'update_page_meta', pageSlug: '/', patch: { title: `Title ${++count}` } }]
    const body = { siteId: 'demo', session: 'dev', ops }
    t.equal((await service.send(json('/ops', body, 'POST', headers))).status, 200)
  }
  const keyed = () => edit({ 'idempotency-key': `key-${count}` })
  // What is read or prepared once.
  for (const each of [edit, keyed, edit, keyed]) await each()
  for (const each of [edit, keyed]) {
    const trips = await during(each)
    t.equal(trips.length, 3)
    t.match(trips, [/begin isolation/, /update_page_meta[^]*draft\.changed/, /commit/])
  }
})
