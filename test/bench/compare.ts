import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BenchServer, fill, json, linesOf, measure, ranged, startServer } from './harness.ts'
import type { Load } from './load.ts'
import { pageOf, target } from './pages.ts'
import type { Bench } from './run.ts'

const rounds = 7
const names = ['plain', 'standalone', 'fastify', 'hono', 'express'] as const
type Name = (typeof names)[number]

interface ComparedWork {
  readonly title: string
  /** Shares are of CPU per request, or of requests a second where the disk is waited for. */
  readonly metric: 'cpu' | 'perSecond'
  readonly load: Omit<Load, 'path'>
  readonly path: (name: Name) => string
}

const pagePath = (name: Name) => (name === 'standalone' ? '/draft/pages?session=dev&slug=/' : '/page')

const works = (etag: string) =>
  [
    { title: 'small GET', metric: 'cpu', load: { amount: 20_000 }, path: () => '/health' },
    { title: 'page of 30 KB', metric: 'cpu', load: { amount: 10_000 }, path: pagePath },
    {
      title: 'page not modified (304)',
      metric: 'cpu',
      load: { amount: 20_000, headers: { 'if-none-match': etag } },
      path: pagePath,
    },
    {
      title: 'change, validated and on the disk, 32 clients',
      metric: 'perSecond',
      load: {
        amount: 4_000,
        method: 'POST',
        headers: json,
        body: (at: number) =>
          JSON.stringify({
            ops: [
              {
                op: 'update_props',
                pageSlug: '/',
                blockId: target,
                patch: { title: `Title ${at} ${performance.now()}` },
              },
            ],
          }),
      },
      path: () => '/ops',
    },
  ] satisfies readonly ComparedWork[]

const columns: Readonly<Record<Exclude<Name, 'plain'>, string>> = {
  standalone: 'content-orchestrator',
  fastify: 'Fastify 5',
  hono: 'Hono',
  express: 'Express 5',
}

/**
 * The same work in other frameworks, in turn, as shares of what plain `node:http` reaches: 1 is equal, more
 * is faster.
 */
const compare: Bench = async (folder) => {
  const ours = await startServer('standalone', { dataDir: await folder() })
  await fill(ours, [pageOf(30_000)])
  const { body } = await linesOf(`${ours.url}/health`)
  const shown = await fetch(ours.url + pagePath('standalone'))
  const etag = shown.headers.get('etag') ?? ''
  const file = join(await folder(), 'page.json')
  writeFileSync(file, await shown.bytes())
  const servers = { standalone: ours } as Record<Name, BenchServer>
  for (const name of names)
    servers[name] ??= await startServer(name, {
      dataDir: await folder(),
      body,
      file,
      headers: ['etag', etag],
    })
  const rows: string[] = []
  for (const { title, metric, load, path } of works(etag)) {
    const shares = new Map<Name, number[]>()
    for (let round = 0; round <= rounds; round++) {
      const figures = new Map<Name, number>()
      for (const name of round % 2 === 0 ? names : names.toReversed())
        figures.set(name, (await measure(servers[name], { ...load, path: path(name) }))[metric])
      const plain = figures.get('plain') ?? Number.NaN
      for (const [name, figure] of figures)
        if (round > 0)
          shares.set(name, [...(shares.get(name) ?? []), metric === 'cpu' ? plain / figure : figure / plain])
    }
    rows.push(
      `| ${[title, ...Object.keys(columns).map((name) => shareOf(shares.get(name as Name)))].join(' | ')} |`,
    )
    console.log(rows.at(-1))
  }
  await Promise.all(Object.values(servers).map((server) => server.stop()))
  const head = ['Share of plain `node:http`', ...Object.values(columns)]
  if (process.env['BENCH_README'] === '1')
    intoReadme([`| ${head.join(' | ')} |`, `|${'---|'.repeat(head.length)}`, ...rows])
  return true
}

const shareOf = (shares: readonly number[] = []): string => ranged(shares, (share) => share.toFixed(2))

const readme = new URL('../../README.md', import.meta.url)
const marks = ['<!-- npm run bench -- compare -->', '<!-- end -->'] as const

/** Replaces the table between the marks of the README. */
function intoReadme(lines: readonly string[]): void {
  const text = readFileSync(readme, 'utf8')
  const [from, to] = [text.indexOf(marks[0]), text.indexOf(marks[1])]
  if (from === -1 || to < from) throw new Error(`README.md lacks ${marks.join(' and ')}`)
  writeFileSync(readme, `${text.slice(0, from)}${marks[0]}\n\n${lines.join('\n')}\n\n${text.slice(to)}`)
}

export const benches = { compare }
