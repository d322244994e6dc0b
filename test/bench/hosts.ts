/** The cost of a mount in a website, without the cost of the framework. */
import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { linesOf, measure, report, startServer, type BenchServer } from './harness.ts'
import { built } from './start.ts'
import type { Bench } from './run.ts'

const rounds = 9
/** A mount requires a token, a standalone server does not. */
const token = 'an-access-token-of-32-characters'
const headers = { 'x-access-token': token }
const load = { path: '/health', headers, amount: 20_000 }

/** The same request to a mount in a host and to a standalone server; the cost of the host itself is subtracted. */
const mountedIn =
  (host: 'express' | 'hono', way: string): Bench =>
  async (folder) => {
    const standalone = await startServer('standalone', { dataDir: await folder() })
    const mounted = await startServer(`${host}Mount`, { dataDir: await folder(), token })
    const bytes = await linesOf(`${mounted.url}${load.path}`, headers)
    const alone = await startServer(`${host}Alone`, bytes)
    const bare = await startServer('bare', bytes)
    const cpu = async (server: BenchServer): Promise<number> => (await measure(server, load)).cpu
    const ratios: number[] = []
    for (let round = 0; round <= rounds; round++) {
      const inHost = await cpu(mounted)
      const share = (await cpu(alone)) - (await cpu(bare))
      const ratio = (inHost - share) / (await cpu(standalone))
      // The first round warms up.
      if (round > 0) ratios.push(ratio)
    }
    await Promise.all([standalone, mounted, alone, bare].map((server) => server.stop()))
    return report(`GET /health by ${way}, times a standalone server`, ratios, { atMost: 1.15 })
  }

/** A website that prints the duration of its start; `before` runs before it listens. */
const website = (before: string): string => `
import { createServer } from 'node:http'
${before}
createServer((request, response) => response.end()).listen(0, '127.0.0.1', () => {
  process.stdout.write(String(performance.now()), () => process.exit())
})
`
const withMount = (dataDir: string): string => `
import { createOrchestrator } from ${JSON.stringify(built('config/index.js'))}
process.env.ORCHESTRATOR_DATA_DIR = ${JSON.stringify(dataDir)}
const mount = createOrchestrator({ adapter: { readContent: async () => ({ pages: [] }) } })`

/** A mount boots on its first request; here also during the start of the website, so that the boot is measured. */
const boot: Bench = async (folder) => {
  const files = await folder()
  const write = async (name: string, before: string): Promise<string> => {
    const file = join(files, name)
    await writeFile(file, website(before))
    return file
  }
  const mount = withMount(join(files, 'data'))
  const [alone, mounted, booted] = [
    await write('alone.mjs', ''),
    await write('mounted.mjs', mount),
    await write('booted.mjs', `${mount}\nawait mount.ready()`),
  ]
  const start = (file: string): number =>
    Number(spawnSync(process.execPath, [file], { encoding: 'utf8' }).stdout)
  const times: { readonly boot: number; readonly all: number }[] = []
  for (let round = 0; round <= rounds; round++) {
    const [bare, ready] = [start(alone), start(booted)]
    if (round > 0) times.push({ boot: ready - start(mounted), all: ready - bare })
  }
  report(
    'a mount with its modules, added to the start of a website',
    times.map(({ all }) => all),
    {},
    ' ms',
  )
  return report(
    'of that its boot',
    times.map((each) => each.boot),
    { atMost: 50 },
    ' ms',
  )
}

export const benches = {
  express: mountedIn('express', 'node inside Express'),
  hono: mountedIn('hono', 'fetch inside Hono'),
  boot,
}
