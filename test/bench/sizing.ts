import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fill, report, startServer } from './harness.ts'
import { send } from './load.ts'
import { pageOf, target } from './pages.ts'
import type { Bench } from './run.ts'

const edits = 10_000

/** What one machine is sized by: how many edits it stores, and how much disk they take. */
const sizing: Bench = async (folder) => {
  const [perSecond, disk, memory]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < 3; round++) {
    const dataDir = await folder()
    const server = await startServer('standalone', { dataDir })
    await fill(server, [pageOf(30_000)])
    const before = bytesIn(dataDir)
    const body = (at: number): string =>
      JSON.stringify({
        session: 'dev',
        ops: [{ op: 'update_props', pageSlug: '/', blockId: target, patch: { body: sentence(at) } }],
      })
    perSecond.push(await send(server.url, { path: '/ops', method: 'POST', headers, body, amount: edits }))
    memory.push((await server.memory()) / 1024 ** 2)
    disk.push((bytesIn(dataDir) - before) / 1024 ** 2)
    await server.stop()
  }
  return [
    report('durable edits of a page of 30 KB by 32 clients, each second', perSecond, {}),
    report('disk for 10,000 edits of a text of 600 characters', disk, {}, ' MB'),
    report('resident memory after them', memory, {}, ' MB'),
  ].every(Boolean)
}

const headers = { 'content-type': 'application/json' }
const sentence = (at: number): string => `Edit ${at}. `.padEnd(600, 'A sentence of an editor. ')

const bytesIn = (folder: string): number =>
  readdirSync(folder)
    .filter((name) => name.startsWith('orchestrator.db'))
    .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)

export const benches = { sizing }
