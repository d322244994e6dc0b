import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import type { Profiler } from 'node:inspector'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fill, measure, post, posted, startServer } from './harness.ts'
import type { Load } from './load.ts'
import { pageOf, siteOf, target } from './pages.ts'
import type { Bench } from './run.ts'
import { built, firstAnswer } from './start.ts'

const amount = 40_000
const page = '/draft/pages?session=dev&slug=/'

const titleOf = (at: number, slug = '/') => ({
  ops: [{ op: 'update_props', pageSlug: slug, blockId: target, patch: { title: `Title ${at}` } }],
})

/** Prints the microseconds of a request on the main thread, by the folder of the code that spends them. */
const profile: Bench = async (folder) => {
  await requests(await folder())
  await lists(await folder())
  await start(await folder())
  return true
}

async function requests(dataDir: string): Promise<void> {
  const server = await startServer('standalone', { dataDir })
  await fill(server, [pageOf(30_000)])
  const etag = (await fetch(`${server.url}${page}`)).headers.get('etag') ?? ''
  // A value that the page has would change nothing.
  let value = 0
  const inWords = () => ({ slug: '/', message: `Change the title of the first block to "Title ${value++}"` })
  const loads: Readonly<Record<string, Load>> = {
    'GET /health': { path: '/health', amount },
    'GET /draft/pages, 30 KB': { path: page, amount },
    'GET /draft/pages, 304': { path: page, headers: { 'if-none-match': etag }, amount },
    'POST /ops, 32 clients': posted('/ops', () => titleOf(value++), amount, 32),
    'POST /ops, one client': posted('/ops', () => titleOf(value++), 2_000, 1),
    'POST /chat, one client, the same in words': posted('/chat', inWords, 2_000, 1),
  }
  for (const [name, load] of Object.entries(loads)) {
    await measure(server, load)
    const profile = await server.profile(async () => void (await measure(server, load)))
    print(name, load.amount, [profile])
  }
  await server.stop()
}

/** Reads of a large draft, each after a change of another page. */
async function lists(dataDir: string): Promise<void> {
  const pages = siteOf(10_000, 1_000)
  const published = join(dataDir, 'published.json')
  await writeFile(published, JSON.stringify({ pages }))
  const server = await startServer('standalone', { dataDir, published })
  await fill(server, pages)
  // A recently changed file is read each time.
  await pause(2_500)
  for (const path of ['/draft/slugs?session=dev', '/publish/diff?session=dev']) {
    const profiles: Profiler.Profile[] = []
    for (let at = 0; at < 33; at++) {
      await post(server, '/ops', titleOf(Date.now() + at, `/page-${1 + at}`))
      const read = () => measure(server, { path, amount: 1, connections: 1 })
      profiles.push(await server.profile(async () => void (await read())))
    }
    print(`GET ${path}, 10,000 pages, after a change`, 30, profiles.slice(3))
  }
  await server.stop()
}

/** A start of the published package with the code cache of an earlier one, until its first answer and its end. */
async function start(folder: string): Promise<void> {
  const cli = [built('config/cli/bin.js'), 'serve', '--port', '4293', '--data-dir', join(folder, 'data')]
  const url = 'http://127.0.0.1:4293/health'
  await firstAnswer(cli, url)
  await firstAnswer(['--cpu-prof', '--cpu-prof-interval', '200', '--cpu-prof-dir', folder, ...cli], url)
  const profiles = readdirSync(folder)
    .filter((name) => name.endsWith('.cpuprofile'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Profiler.Profile)
  print('a start and an end of the package', 1, profiles)
}

function print(name: string, requests: number, profiles: readonly Profiler.Profile[]): void {
  const places = byFolder(profiles)
  const sum = places.reduce((sum, [, micros]) => sum + micros, 0)
  console.log(`${name}: ${(sum / requests).toFixed(1)} µs on the main thread`)
  for (const [place, micros] of places.filter(([, micros]) => micros > sum / 100))
    console.log(`  ${(micros / requests).toFixed(1).padStart(8)}  ${place}`)
}

/** Sums the samples of profiles by folder, largest first; without idle time. */
function byFolder(profiles: readonly Profiler.Profile[]): readonly (readonly [string, number])[] {
  const sums = new Map<string, number>()
  for (const [place, micros] of profiles.flatMap((each) => samplesOf(each)))
    sums.set(place, (sums.get(place) ?? 0) + micros)
  return [...sums].sort(([, a], [, b]) => b - a)
}

/** The microseconds of each sample of a profile, with the folder of its code; without those of the profiler. */
function samplesOf({
  nodes,
  samples = [],
  timeDeltas = [],
}: Profiler.Profile): readonly (readonly [string, number])[] {
  const known = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  )
  const placeOf = (id: number): string | undefined => {
    const { url, functionName } = known.get(id)?.callFrame ?? { url: '', functionName: '' }
    if (url.includes('plugins/store/connection.ts')) return 'SQLite, with the wait for the disk'
    const [, place] = /(?<=\/)((?:kernel|plugins|dist)\/[\w-]+|node_modules\/[\w@-]+)\//.exec(url) ?? []
    if (place !== undefined) return place
    if (url.includes('inspector')) return undefined
    if (url.startsWith('node:')) return nodeParts.find(([part]) => part.test(url))?.[1] ?? 'Node, other'
    if (functionName === '(garbage collector)') return 'garbage collection'
    const parent = parents.get(id)
    return parent === undefined ? 'native code without a caller' : placeOf(parent)
  }
  return samples.flatMap((id, at) => {
    const place = known.get(id)?.callFrame.functionName === '(idle)' ? undefined : placeOf(id)
    return place === undefined ? [] : [[place, timeDeltas[at] ?? 0] as const]
  })
}

const nodeParts = [
  [/modules|bootstrap|vm/, 'Node: modules'],
  [/http|stream|net|timers|async|events|buffer|process/, 'node:http, streams and sockets'],
] as const

export const benches = { profile }
