/** What limits of V8 for memory cost edits, and save. */
import { readFileSync } from 'node:fs'
import { posted, report } from './harness.ts'
import { send } from './load.ts'
import { pageOf, target } from './pages.ts'
import type { Bench } from './run.ts'
import { built, firstAnswer } from './start.ts'

const newObjects = [2, 4, 8, 16, 32].map((size) => `--max-semi-space-size=${size}`)
const limits = [
  ...newObjects.map((flag) => [flag]),
  ...[100, 50, 35].map((percent) => ['--max-semi-space-size=16', `--heap-growing-percent=${percent}`]),
]
const [drafts, edits] = [10, 125_000]
const port = 4294
const url = `http://127.0.0.1:${port}`

const cpuOf = (pid: number | undefined): number =>
  Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e3

const post = (...load: Parameters<typeof posted>) => send(url, posted(...load))

/** Edits ten drafts of one page of 30 KB, and returns the microseconds of the main thread for an edit. */
async function editsOf(pid: number | undefined): Promise<number> {
  const pages = [pageOf(30_000)]
  await post('/draft/bootstrap', (at) => ({ session: `s${at}`, pages, overwrite: true }), drafts, 1)
  const before = cpuOf(pid)
  const op = (at: number) => ({
    op: 'update_props',
    pageSlug: '/',
    blockId: target,
    patch: { title: `Title ${at}` },
  })
  await post('/ops', (at) => ({ session: `s${at % drafts}`, ops: [op(at)] }), edits, 32)
  return (cpuOf(pid) - before) / edits
}

/**
 * Prints the CPU of an edit, and the memory after all of them, for some limits in place of those of `serve`.
 */
const memoryLimits: Bench = async (folder) => {
  for (const limit of limits) {
    let cpu = Number.NaN
    const serve = [built('config/cli/bin.js'), 'serve', '--port', String(port), '--data-dir', await folder()]
    const { resident } = await firstAnswer(
      [...limit, ...serve],
      `${url}/health`,
      async (pid) => void (cpu = await editsOf(pid)),
    )
    report(`an edit with ${limit.join(' ')}, CPU of the main thread`, [cpu], {}, ' µs')
    report(`memory after ${edits} edits of ten drafts with that`, [resident / 1024], {}, ' MiB')
  }
  return true
}

export const benches = { memoryLimits }
