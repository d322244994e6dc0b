import type { Profiler } from 'node:inspector'
import { fill, json, measure, startServer } from './harness.ts'
import type { Load } from './load.ts'
import { pageOf, target } from './pages.ts'
import type { Bench } from './run.ts'

const amount = 40_000
const title = (at: number) => ({
  op: 'update_props',
  pageSlug: '/',
  blockId: target,
  patch: { title: `Title ${at}` },
})
const loads: Readonly<Record<string, Load>> = {
  'GET /health': { path: '/health', amount },
  'GET /draft/pages, 30 KB': { path: '/draft/pages?session=dev&slug=/', amount },
  'POST /ops': {
    path: '/ops',
    method: 'POST',
    headers: json,
    body: (at) => JSON.stringify({ ops: [title(at)] }),
    amount,
  },
}

/** Prints the microseconds of a request on the main thread, by the folder of the code that spends them. */
const profile: Bench = async (folder) => {
  const server = await startServer('standalone', { dataDir: await folder() })
  await fill(server, [pageOf(30_000)])
  for (const [name, load] of Object.entries(loads)) {
    await measure(server, load)
    let cpu = 0
    const rows = byFolder(await server.profile(async () => void ({ cpu } = await measure(server, load))))
    console.log(`${name}: ${cpu.toFixed(1)} µs of CPU a request while it is profiled`)
    for (const [place, micros] of rows) console.log(`  ${(micros / amount).toFixed(1).padStart(6)}  ${place}`)
  }
  await server.stop()
  return true
}

/** Sums the samples of a profile by folder, largest first; without idle time and what is below one percent. */
function byFolder({
  nodes,
  samples = [],
  timeDeltas = [],
}: Profiler.Profile): readonly (readonly [string, number])[] {
  const known = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  )
  const placeOf = (id: number): string => {
    const { url, functionName } = known.get(id)?.callFrame ?? { url: '', functionName: '' }
    if (url.includes('plugins/store/connection.ts')) return 'SQLite, with the wait for the disk'
    const [, place] = /(?<=\/)((?:kernel|plugins)\/[\w-]+|node_modules\/[\w@-]+)\//.exec(url) ?? []
    if (place !== undefined) return place
    if (url.startsWith('node:')) return 'node:http, streams and sockets'
    if (functionName === '(garbage collector)') return 'garbage collection'
    const parent = parents.get(id)
    return parent === undefined ? 'native code without a caller' : placeOf(parent)
  }
  const sums = new Map<string, number>()
  let total = 0
  samples.forEach((id, at) => {
    if (known.get(id)?.callFrame.functionName === '(idle)') return
    const place = placeOf(id)
    const micros = timeDeltas[at] ?? 0
    total += micros
    sums.set(place, (sums.get(place) ?? 0) + micros)
  })
  return [...sums].filter(([, micros]) => micros > total / 100).sort(([, a], [, b]) => b - a)
}

export const benches = { profile }
