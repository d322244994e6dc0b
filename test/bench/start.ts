import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { inTurn, report, startServer } from './harness.ts'
import { siteOf } from './pages.ts'
import type { Bench } from './run.ts'

const cli = fileURLToPath(new URL('../../config/cli.ts', import.meta.url))
const bare = fileURLToPath(new URL('bare.mjs', import.meta.url))

const start: Bench = async (folder) => {
  const dataDir = await folder()
  const filler = await startServer('standalone', { dataDir })
  const pages = siteOf(10_000, 4_000)
  for (let at = 0; at < pages.length; at += 1_000) {
    await fetch(`${filler.url}/draft/bootstrap`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ pages: pages.slice(at, at + 1_000), overwrite: true }) })
  }
  await filler.stop()
  const ours = () => firstAnswer([cli, 'serve', '--port', '4291', '--data-dir', dataDir], 'http://127.0.0.1:4291/health')
  const theirs = () => firstAnswer([bare, '4292'], 'http://127.0.0.1:4292/')
  const times = await inTurn(9, ours, theirs)

  const idle = await startServer('standalone', { dataDir })
  await fetch(`${idle.url}/draft/slugs?session=dev`)
  const resident = (await idle.memory()) / 1024 / 1024
  await idle.stop()
  const kept = report('process start to first answer with 10,000 pages, times bare', times, { atMost: 3 })
  return report('idle memory with 10,000 pages', [resident], { atMost: 120 }, ' MiB') && kept
}

/** Milliseconds from starting a process to the first answer of its server. */
async function firstAnswer(args: readonly string[], url: string): Promise<number> {
  const started = performance.now()
  const child = spawn(process.execPath, args, { stdio: 'ignore' })
  try {
    for (;;) {
      const answered = await fetch(url).then((response) => response.ok, () => false)
      if (answered) return performance.now() - started
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  } finally {
    child.kill('SIGTERM')
    await new Promise((resolve) => child.once('exit', resolve))
  }
}

export const benches = { start }
