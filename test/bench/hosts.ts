/** What it costs to be inside of a website, without the share of the website's own framework. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { linesOf, measure, report, startServer, type BenchServer } from './harness.ts'
import { built, firstAnswer } from './start.ts'
import type { Bench } from './run.ts'

const rounds = 9
/** The mount asks for a token, which a server of its own does not. */
const token = 'an-access-token-of-32-characters'
const headers = { 'x-access-token': token }
const load = { path: '/health', headers, amount: 20_000 }

/** The same request to a mount in a host and to a server of its own; what the host costs by itself is taken off. */
const mountedIn =
  (host: 'express' | 'hono', way: string): Bench =>
  async (folder) => {
    const own = await startServer('standalone', { dataDir: await folder() })
    const mounted = await startServer(`${host}Mount`, { dataDir: await folder(), token })
    const bytes = await linesOf(`${mounted.url}${load.path}`, headers)
    const alone = await startServer(`${host}Alone`, bytes)
    const bare = await startServer('bare', bytes)
    const cpu = async (server: BenchServer): Promise<number> => (await measure(server, load)).cpu
    const ratios: number[] = []
    for (let round = 0; round <= rounds; round++) {
      const inHost = await cpu(mounted)
      const share = (await cpu(alone)) - (await cpu(bare))
      const ratio = (inHost - share) / (await cpu(own))
      // The first round warms up.
      if (round > 0) ratios.push(ratio)
    }
    await Promise.all([own, mounted, alone, bare].map((server) => server.stop()))
    return report(`GET /health by ${way}, times a server of its own`, ratios, { atMost: 1.15 })
  }

/** A website that answers by itself, and the same one with a mount that answers. */
const website = (mount: string): string => `
import { createServer } from 'node:http'
${mount}
createServer((request, response) => answer(request, response)).listen(Number(process.argv[2]), '127.0.0.1')
`
const alone = website(`const answer = (request, response) => response.end('{"ok":true}')`)
const withMount = (dataDir: string): string =>
  website(`
import { createOrchestrator } from ${JSON.stringify(built('config/index.js'))}
process.env.ORCHESTRATOR_DATA_DIR = ${JSON.stringify(dataDir)}
const answer = createOrchestrator({ adapter: { readContent: async () => ({ pages: [] }) } }).node`)

const boot: Bench = async (folder) => {
  const files = await folder()
  const [plain, mounted] = [join(files, 'alone.mjs'), join(files, 'mounted.mjs')]
  await writeFile(plain, alone)
  await writeFile(mounted, withMount(join(files, 'data')))
  const start = async (file: string): Promise<number> => (await firstAnswer([file, '4293'], 'http://127.0.0.1:4293/health')).milliseconds
  const added: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const milliseconds = (await start(mounted)) - (await start(plain))
    if (round > 0) added.push(milliseconds)
  }
  return report('a mount in a website, added to its start', added, { atMost: 50 }, ' ms')
}

export const benches = { express: mountedIn('express', 'node inside Express'), hono: mountedIn('hono', 'fetch inside Hono'), boot }
