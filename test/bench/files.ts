/** What a website of many files costs: a look at it, an edit and a publish, by the number of its documents. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { type BenchServer, post, report, startServer } from './harness.ts'
import type { Bench } from './run.ts'

/** `serve` and `edit` bound memory in the same way. */
const asServed = ['--max-semi-space-size=16', '--heap-growing-percent=35']
const few = 100
/** `DOCUMENTS=1000` saves time. */
const many = Number(process.env['DOCUMENTS'] ?? 10_000)
const rounds = 5
const parts = 12

const pathOf = (at: number): string => `content/part-${Math.floor(at / 100)}/document-${at}.md`
const slugOf = (at: number): string => `/~${pathOf(at)}`

/** A document of 5 KB, with marks in two thirds of its paragraphs. */
function documentOf(at: number, word: string): string {
  const sections = Array.from({ length: parts }, (_, n) => {
    const text = `Part ${n} of document ${at}. `.padEnd(
      330,
      `Boats of ${at % 7 ? 'oak' : 'elm'} float for years. `,
    )
    const marked =
      n % 3 === 0 ? text : `${text.slice(0, 150)} *often*, [as said](/boats/${n}), ${text.slice(150)}`
    return `## Part ${n}\n\n${marked.trim()}\n`
  })
  const front = `title: Document ${at}\ndescription: About ${at}\ndate: 2026-01-01\ntags: [oak, elm]\ndraft: false`
  return `---\n${front}\n---\n\n${word}\n\n${sections.join('\n')}`
}

function repositoryOf(folder: string, count: number): void {
  writeFileSync(join(folder, 'hugo.toml'), '')
  for (let at = 0; at < count; at++) {
    const place = join(folder, pathOf(at))
    if (at % 100 === 0) mkdirSync(dirname(place), { recursive: true })
    writeFileSync(place, documentOf(at, 'First.'))
  }
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', folder, ...args], { stdio: 'ignore' })
  git('init')
  git('add', '.')
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '--message', 'Documents')
}

async function get(server: BenchServer, path: string): Promise<unknown> {
  const response = await fetch(`${server.url}${path}`)
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return response.json()
}

/** CPU milliseconds, with those of the programs that were started. */
async function costOf(server: BenchServer, work: () => Promise<unknown>): Promise<number> {
  const before = (await server.cpu()) / 1000 + (await server.children())
  await work()
  return (await server.cpu()) / 1000 + (await server.children()) - before
}

const toMiB = (bytes: number): number => bytes / 1024 ** 2

const look = (server: BenchServer) => get(server, '/publish/diff')

interface Costs {
  /** Milliseconds of CPU by what was done. */
  readonly cpu: Readonly<Record<string, number>>
  readonly turns: Readonly<Record<string, number>>
  /** The most resident bytes by what was done. */
  readonly peaks: Readonly<Record<string, number>>
  readonly memory: number
  /** Bytes of the first publish, and in the database those of one of a single document and of another draft. */
  readonly written: number
  readonly writtenOfOne: number
  readonly writtenOfDraft: number
}

async function costsOf(count: number, newFolder: () => Promise<string>): Promise<Costs> {
  const [folder, dataDir, place] = [await newFolder(), await newFolder(), await newFolder()]
  repositoryOf(folder, count)
  const server = await startServer('files', { folder, dataDir, place }, asServed)
  const cpu: Record<string, number> = {}
  const turns: Record<string, number> = {}
  const peaks: Record<string, number> = {}
  /** Does something in rounds, which share what programs cost: that is counted in hundredths of a second. */
  const measure = async (name: string, times: number, work: (round: number) => Promise<unknown>) => {
    const all = async (): Promise<void> => {
      for (let round = 0; round < times; round++) await work(round)
    }
    peaks[name] = await server.peak(async () => {
      turns[name] = await server.longestTurn(async () => {
        cpu[name] = (await costOf(server, all)) / times
      })
    })
  }
  const [edited, changed] = [Math.floor(count / 2), Math.floor(count / 3)]
  let block = ''
  const edit = async (text: string): Promise<void> => {
    const op = { op: 'update_props', pageSlug: slugOf(edited), blockId: block, patch: { text } }
    await post(server, '/ops', { ops: [op] })
    const file = join(place, basename(folder), pathOf(edited))
    while (!readFileSync(file, 'utf8').includes(text)) await pause(1)
  }

  await measure('the first look', 1, async () => {
    await get(server, '/draft/slugs')
    await look(server)
  })
  await measure('a look without a change', rounds, () => look(server))
  await measure('a look with one changed file', rounds, async (round) => {
    writeFileSync(join(folder, pathOf(changed)), documentOf(changed, `Changed ${round}.`))
    await look(server)
  })
  const page = (await get(server, `/draft/pages?slug=${slugOf(edited)}`)) as {
    readonly blocks: readonly { readonly id: string; readonly type: string }[]
  }
  block = page.blocks.find(({ type }) => type === 'Paragraph')?.id ?? ''
  await edit('The first edit.')
  await measure('an edit', rounds, (round) => edit(`Edit ${round}.`))
  const publish = () => post(server, '/publish', {})
  const before = await server.written()
  await measure('a publish', 1, publish)
  const written = (await server.written()) - before
  await edit('A later edit.')
  const database = join(dataDir, 'orchestrator.db')
  emptyLogOf(database)
  await measure('a publish of one document', 1, publish)
  const writtenOfOne = statSync(`${database}-wal`).size
  emptyLogOf(database)
  await measure('another draft', 1, () => get(server, '/draft/slugs?session=another'))
  const writtenOfDraft = statSync(`${database}-wal`).size
  const memory = await server.memory()
  await server.stop()
  const again = await startServer('files', { folder, dataDir, place }, asServed)
  turns['the first look after a restart'] = await again.longestTurn(async () => {
    cpu['the first look after a restart'] = await costOf(again, () => look(again))
  })
  await again.stop()
  return { cpu, turns, peaks, memory, written, writtenOfOne, writtenOfDraft }
}

/** Empties the write-ahead log, so that its size is what is written next. */
function emptyLogOf(database: string): void {
  const connection = new DatabaseSync(database)
  connection.exec('pragma wal_checkpoint(truncate)')
  connection.close()
}

async function emptyStart(newFolder: () => Promise<string>): Promise<number> {
  const [folder, dataDir, place] = [await newFolder(), await newFolder(), await newFolder()]
  repositoryOf(folder, 0)
  const server = await startServer('files', { folder, dataDir, place }, asServed)
  const memory = await server.memory()
  await server.stop()
  return memory
}

const files: Bench = async (newFolder) => {
  const empty = await emptyStart(newFolder)
  const [small, large] = [await costsOf(few, newFolder), await costsOf(many, newFolder)]
  for (const [name, cost] of Object.entries(large.cpu)) {
    const own = small.cpu[name] ?? 0
    console.log(`${name}: ${own.toFixed(1)} ms of CPU with ${few} documents, ${cost.toFixed(1)} with ${many}`)
    report(`${name}: ${many} documents against ${few}`, [cost / own], {})
    report(`${name}: longest turn with ${many}`, [large.turns[name] ?? 0], {}, ' ms')
  }
  for (const [name, peak] of Object.entries(large.peaks))
    report(`${name}: most memory above an empty start with ${many}`, [toMiB(peak - empty)], {}, ' MiB')
  report(`bytes written by a publish: ${many} documents against ${few}`, [large.written / small.written], {})
  report(`bytes written by a publish, ${many} documents`, [toMiB(large.written)], {}, ' MiB')
  report(
    `bytes written to the database by a publish of one of ${many}`,
    [toMiB(large.writtenOfOne)],
    {},
    ' MiB',
  )
  report(
    `bytes written to the database by another draft of ${many}`,
    [toMiB(large.writtenOfDraft)],
    {},
    ' MiB',
  )
  for (const [count, { memory }] of [
    [few, small],
    [many, large],
  ] as const)
    report(`memory above an empty start, ${count} documents`, [toMiB(memory - empty)], {}, ' MiB')
  return true
}

export const benches = { files }
