import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { fill, inTurn, json, report, startServer } from './harness.ts'
import { send } from './load.ts'
import { pageOf, siteOf, target } from './pages.ts'
import type { Bench } from './run.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const bare = fileURLToPath(new URL('bare.mjs', import.meta.url))

const hook = new URL('count-modules.mjs', import.meta.url).href

let isBuilt = false

/** A file of the published package, compiled in this run. */
export function built(file: string): string {
  isBuilt ||=
    spawnSync('npm', ['run', 'build'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0
  if (!isBuilt) throw new Error('the package cannot be built')
  return join(root, 'dist', file)
}

/** Measures the published package: compiled, and with the code cache of an earlier start. */
const start: Bench = async (folder) => {
  const cli = built('config/cli/bin.js')
  const dataDir = await folder()
  const filler = await startServer('standalone', { dataDir })
  await fill(filler, siteOf(10_000, 4_000))
  await filler.stop()

  const serve = [cli, 'serve', '--port', '4291', '--data-dir', dataDir]
  const ours = () => firstAnswer(serve, 'http://127.0.0.1:4291/health')
  const theirs = () => firstAnswer([bare, '4292'], 'http://127.0.0.1:4292/')
  await ours()
  const times = await inTurn(
    9,
    async () => (await ours()).cpu,
    async () => (await theirs()).cpu,
  )
  const { resident } = await ours()
  const passed = report('CPU of a process until its first answer with 10,000 pages, times bare', times, {
    atMost: 4.5,
  })
  const { modules } = await firstAnswer(['--import', hook, ...serve], 'http://127.0.0.1:4291/health')
  const areFew = report('modules loaded until then, those of Node and of packages among them', [modules], {
    atMost: 200,
  })
  const loaded = await firstAnswer(
    [...serve.slice(0, -1), await folder()],
    'http://127.0.0.1:4291/health',
    () => work('http://127.0.0.1:4291'),
  )
  return [
    report('idle memory with 10,000 pages', [resident / 1024], { atMost: 120 }, ' MiB'),
    report('memory after 100,000 reads and 50,000 edits', [loaded.resident / 1024], { atMost: 190 }, ' MiB'),
    passed,
    areFew,
  ].every(Boolean)
}

/** Reads and edits a page of 30 KB. */
async function work(url: string): Promise<void> {
  const pages = JSON.stringify({ pages: [pageOf(30_000)], overwrite: true })
  await fetch(`${url}/draft/bootstrap`, { method: 'POST', headers: json, body: pages })
  await send(url, { path: '/health', amount: 60_000 })
  await send(url, { path: '/draft/pages?session=dev&slug=/', amount: 40_000 })
  const body = (at: number): string =>
    JSON.stringify({
      ops: [{ op: 'update_props', pageSlug: '/', blockId: target, patch: { title: `Title ${at}` } }],
    })
  await send(url, { path: '/ops', method: 'POST', headers: json, body, amount: 50_000 })
}

interface Started {
  /** CPU milliseconds of the main thread until the first response: other processes do not lengthen them. */
  readonly cpu: number
  /** Resident kilobytes afterwards. */
  readonly resident: number
  /** Modules loaded until the first response, if counted by the hook. */
  readonly modules: number
}

/** Starts a process, waits for its first answer, lets it work, and ends it. */
export async function firstAnswer(
  args: readonly string[],
  url: string,
  work: (pid: number | undefined) => Promise<unknown> = () => pause(300),
): Promise<Started> {
  const started = performance.now()
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text))
  try {
    for (;;) {
      const answered = await fetch(url).then(
        (response) => response.ok,
        () => false,
      )
      if (answered) break
      if (performance.now() - started > 30_000) throw new Error(`${args[0]} did not answer`)
      await pause(1)
    }
    const cpu = Number(readFileSync(`/proc/${child.pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6
    await work(child.pid)
    const resident = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1])
    return { cpu, resident, modules: Number(/modules: (\d+)/.exec(errors)?.[1]) }
  } finally {
    child.kill('SIGTERM')
    await new Promise((resolve) => child.once('exit', resolve))
  }
}

export const benches = { start }
