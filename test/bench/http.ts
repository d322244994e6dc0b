import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import {
  fill,
  inTurn,
  json,
  linesOf,
  measure,
  post,
  report,
  startServer,
  type BenchServer,
} from './harness.ts'
import { pageOf, siteOf, target } from './pages.ts'
import type { Bench } from './run.ts'

const rounds = 9

/** A bare server that sends the same headers and bytes. */
async function twinOf(
  ours: BenchServer,
  path: string,
  headers?: Readonly<Record<string, string>>,
): Promise<BenchServer> {
  return startServer('bare', await linesOf(`${ours.url}${path}`, headers))
}

/** A unique text per request, so that none is skipped. */
const updateOf = (value: string, slug = '/') => ({
  ops: [{ op: 'update_props', pageSlug: slug, blockId: target, patch: { title: value } }],
})

const edits = {
  path: '/ops',
  method: 'POST',
  headers: json,
  body: (at: number) => JSON.stringify(updateOf(`Title ${at} ${performance.now()}`)),
} as const

const health: Bench = async (folder) => {
  const ours = await startServer('standalone', { dataDir: await folder() })
  const bare = await twinOf(ours, '/health')
  const load = { path: '/health', amount: 40_000 }
  const ratios = await inTurn(
    rounds,
    async () => (await measure(bare, load)).cpu,
    async () => (await measure(ours, load)).cpu,
  )
  await Promise.all([ours.stop(), bare.stop()])
  return report('GET /health, share of bare', ratios, { atLeast: 0.7 })
}

const draftPage: Bench = async (folder) => {
  const ours = await startServer('standalone', { dataDir: await folder() })
  await fill(ours, [pageOf(30_000)])
  const path = '/draft/pages?session=dev&slug=/'
  const etag = (await fetch(`${ours.url}${path}`)).headers.get('etag') ?? ''
  const shares = async (headers: Readonly<Record<string, string>>) => {
    const bare = await twinOf(ours, path, headers)
    const load = { path, amount: 20_000, headers }
    const ratios = await inTurn(
      rounds,
      async () => (await measure(bare, load)).cpu,
      async () => (await measure(ours, load)).cpu,
    )
    await bare.stop()
    return ratios
  }
  const [page, unchanged] = [await shares({}), await shares({ 'if-none-match': etag })]
  await ours.stop()
  const passed = report('GET /draft/pages 30 KB, share of bare', page, { atLeast: 0.65 })
  return report('GET /draft/pages 304, share of bare', unchanged, { atLeast: 0.55 }) && passed
}

const ops: Bench = async (folder) => {
  const ours = await startServer('standalone', { dataDir: await folder() })
  const single = await startServer('standalone', { dataDir: await folder(), oneTransactionEach: true })
  const bare = await startServer('bare', { body: '{"status":"applied"}' })
  for (const server of [ours, single]) await fill(server, [pageOf(30_000)])
  const load = { ...edits, amount: 8_000 }
  const cpu = (server: BenchServer) => async () => (await measure(server, load)).cpu
  const share = await inTurn(rounds, cpu(bare), cpu(ours))
  const faster = await inTurn(
    rounds,
    async () => (await measure(ours, load)).perSecond,
    async () => (await measure(single, { ...load, amount: 2_000 })).perSecond,
  )
  await Promise.all([ours.stop(), single.stop(), bare.stop()])
  const passed = report('POST /ops 32 clients, share of bare', share, { atLeast: 0.09 })
  return report('POST /ops 32 clients, times one transaction per request', faster, { atLeast: 5 }) && passed
}

const large: Bench = async (folder) => {
  const few = await startServer('standalone', { dataDir: await folder() })
  const many = await startServer('standalone', { dataDir: await folder() })
  await fill(few, siteOf(10, 4_000))
  await fill(many, siteOf(10_000, 4_000))
  const load = { ...edits, amount: 3_000 }
  const cpu = (server: BenchServer) => async () => (await measure(server, load)).cpu
  const bytes = (server: BenchServer) => async () => {
    const before = await server.written()
    await measure(server, load)
    return (await server.written()) - before
  }
  const cost = await inTurn(rounds, cpu(many), cpu(few))
  const written = await inTurn(3, bytes(many), bytes(few))
  await Promise.all([few.stop(), many.stop()])
  const passed = report('POST /ops on 10,000 pages, CPU times that on 10 pages', cost, { atMost: 1.5 })
  return (
    report('POST /ops on 10,000 pages, bytes written times those on 10 pages', written, { atMost: 1.2 }) &&
    passed
  )
}

/** Reads a list or a comparison after each change of another page, on a small and on a large draft. */
const reads: Bench = async (folder) => {
  const serverOf = async (count: number) => {
    const dataDir = await folder()
    const published = join(dataDir, 'published.json')
    const pages = siteOf(count, 1_000)
    await writeFile(published, JSON.stringify({ pages }))
    const server = await startServer('standalone', { dataDir, published })
    await fill(server, pages)
    return server
  }
  const [few, many] = [await serverOf(10), await serverOf(10_000)]
  // A recently changed file is read each time.
  await setTimeout(2_500)
  let changes = 0
  const cpuOf = (server: BenchServer, path: string, count: number) => async () => {
    let cpu = 0
    for (let at = 0; at < 30; at++) {
      await post(server, '/ops', updateOf(`Title ${changes++}`, `/page-${1 + (changes % (count - 1))}`))
      cpu += (await measure(server, { path, amount: 1, connections: 1 })).cpu
    }
    return cpu
  }
  const ratiosOf = (path: string) => inTurn(rounds, cpuOf(many, path, 10_000), cpuOf(few, path, 10))
  const path = '/publish/diff?session=dev'
  const diff = await ratiosOf(path)
  const slugs = await ratiosOf('/draft/slugs?session=dev')
  await Promise.all([few.stop(), many.stop()])
  const passed = report(
    'GET /publish/diff after one change, 10,000 pages, CPU times that of 10 pages',
    diff,
    { atMost: 3 },
  )
  return (
    report(
      'GET /draft/slugs after one change, 10,000 pages, CPU of a page times that with 10 pages',
      slugs.map((ratio) => ratio / 1_000),
      { atMost: 0.02 },
    ) && passed
  )
}

/** The first scrape loads the library and is not measured. */
const metrics: Bench = async (folder) => {
  const ours = await startServer('standalone', { dataDir: await folder() })
  for (const path of ['/metrics', '/health', '/livez', '/sessions', '/sites', '/usage', '/nowhere'])
    await (await fetch(`${ours.url}${path}`)).text()
  const times: number[] = []
  for (let round = 0; round < rounds; round++)
    times.push((await measure(ours, { path: '/metrics', amount: 200 })).cpu / 1000)
  await ours.stop()
  return report('GET /metrics, CPU of a scrape', times, { atMost: 5 }, ' ms')
}

export const benches = { health, metrics, draftPage, ops, large, reads }
