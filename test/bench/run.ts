/**
 * Measures the service relative to a bare server in the same run: `npm run bench`, or `npm run bench -- health ops` for some.
 *
 * Ratios are of CPU per request, the most stable metric: variants in turn, pair by pair, median of nine rounds.
 * Exits with 1 if a limit is missed or a bench fails.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as chat from './chat.ts'
import * as compare from './compare.ts'
import * as follow from './follow.ts'
import * as growth from './growth.ts'
import * as hosts from './hosts.ts'
import * as http from './http.ts'
import * as media from './media.ts'
import * as memory from './memory.ts'
import * as operations from './operations.ts'
import * as profile from './profile.ts'
import * as replicas from './replicas.ts'
import * as siteGrowth from './site-growth.ts'
import * as sizing from './sizing.ts'
import * as slow from './slow.ts'
import * as start from './start.ts'
import * as streams from './streams.ts'

export type Bench = (folder: () => Promise<string>) => Promise<boolean>

const benches: Readonly<Record<string, Bench>> = {
  ...http.benches,
  ...compare.benches,
  ...operations.benches,
  ...memory.benches,
  ...sizing.benches,
  ...replicas.benches,
  ...media.benches,
  ...slow.benches,
  ...start.benches,
  ...hosts.benches,
  ...chat.benches,
  ...growth.benches,
  ...siteGrowth.benches,
  ...follow.benches,
  ...streams.benches,
  ...profile.benches,
}

const folders: string[] = []
const folder = async (): Promise<string> => {
  const made = await mkdtemp(join(tmpdir(), 'orchestrator-bench-'))
  folders.push(made)
  return made
}

const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => !(name in benches))
if (unknown.length > 0) {
  console.error(`Unknown bench '${unknown.join("', '")}'. Available: ${Object.keys(benches).join(', ')}.`)
  process.exit(2)
}
let passed = true
for (const [name, bench] of Object.entries(benches)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue
  const isMet = await bench(folder).catch((error: unknown) => {
    console.error(`${name} FAILED:`, error)
    return false
  })
  passed &&= isMet
}
await Promise.all(folders.map((each) => rm(each, { recursive: true, force: true })))
process.exit(passed ? 0 : 1)
