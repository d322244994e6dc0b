/**
 * How long an event of a chat run takes from the run to a reader: in its process on SQLite, in another one on
 * PostgreSQL.
 */
import * as v from 'valibot'
import { startPostgres } from '../helpers/postgres.ts'
import { eventsIn } from '../helpers/stack.ts'
import { type BenchServer, post, report, startServer } from './harness.ts'
import type { Bench } from './run.ts'

const [runs, eventsOfRun] = [3, 100]
const Started = v.object({ streamId: v.string() })
/** The text of an event is the time at which it was emitted, in milliseconds. */
const Stamped = v.object({ type: v.literal('token'), text: v.pipe(v.string(), v.transform(Number)) })

const nowMs = (): number => performance.timeOrigin + performance.now()
/** The value below which a share of all values is. */
const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN

/**
 * Starts a run on one server, and follows it on another one: the time to its first event, and the delay of
 * each.
 */
async function followed(one: BenchServer, other: BenchServer, at: number) {
  const began = performance.now()
  const body = { session: `s${at}`, siteId: 'demo', slug: '/', message: 'Tick' }
  const { streamId } = v.parse(Started, await post(one, '/chat/start', body))
  const stream = eventsIn(await fetch(`${other.url}/chat/stream?streamId=${streamId}`))
  const delays: number[] = []
  let first = Number.NaN
  while (delays.length < eventsOfRun) {
    const [event] = await stream.take(1)
    const arrived = nowMs()
    if (delays.length === 0) first = performance.now() - began
    const stamped = v.safeParse(Stamped, event?.data)
    if (stamped.success) delays.push(arrived - stamped.output.text)
  }
  await stream.close()
  return { first, delays }
}

async function measured(where: string, servers: readonly [BenchServer, BenchServer], atMost: number) {
  await followed(...servers, 0)
  const all = []
  for (let at = 1; at <= runs; at++) all.push(await followed(...servers, at))
  const firsts = all.map(({ first }) => first)
  report(`from the request to the first event, ${where}`, firsts, {}, ' ms')
  const delays = all.map(({ delays }) => delays)
  const medians = delays.map((each) => quantile(each, 0.5))
  report(`delay of an event, median, ${where}`, medians, {}, ' ms')
  const late = delays.map((each) => quantile(each, 0.99))
  return report(`delay of an event, 99th percentile, ${where}`, late, { atMost }, ' ms')
}

const streams: Bench = async (folder) => {
  const alone = await startServer('ticking', { dataDir: await folder() })
  const met = [await measured('same process, SQLite', [alone, alone], 20)]
  await alone.stop()
  const ends: (() => unknown)[] = []
  const postgres = await startPostgres({ teardown: (end) => void ends.push(end) }, 'on')
  const database = await postgres.database()
  const start = async () => startServer('ticking', { dataDir: await folder(), database })
  const pair = [await start(), await start()] as const
  met.push(await measured('other process, PostgreSQL', pair, 100))
  met.push(await measured('same process, PostgreSQL', [pair[0], pair[0]], 100))
  for (const server of pair) await server.stop()
  for (const end of ends) await end()
  return met.every(Boolean)
}

export const benches = { streams }
