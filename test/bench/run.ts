/**
 * Measures the service relative to a bare server in the same run: `npm run bench`, or `npm run bench --
 * health ops` for some.
 *
 * Ratios are of CPU per request, the most stable metric: variants in turn, pair by pair, median of nine
 * rounds. Exits with 1 if a limit is missed or a bench fails.
 *
 * `npm run bench -- pairs --with COMMIT [--pairs 5] [NAME...]` compares benches, without names those of
 * requests, with those of a commit of this repository, in pairs.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import * as chat from './chat.ts'
import * as compare from './compare.ts'
import * as files from './files.ts'
import * as follow from './follow.ts'
import * as growth from './growth.ts'
import * as hosts from './hosts.ts'
import * as http from './http.ts'
import * as media from './media.ts'
import * as memory from './memory.ts'
import * as memoryLimits from './memory-limits.ts'
import * as operations from './operations.ts'
import { PairsRefused, runPairs } from './pairs.ts'
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
  ...memoryLimits.benches,
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
  ...files.benches,
  ...streams.benches,
  ...profile.benches,
}

const folders: string[] = []
const folder = async (): Promise<string> => {
  const made = await mkdtemp(join(tmpdir(), 'orchestrator-bench-'))
  folders.push(made)
  return made
}

const { values, positionals } = parseArgs({
  options: { with: { type: 'string' }, pairs: { type: 'string', default: '5' } },
  allowPositionals: true,
})
const isPairs = positionals[0] === 'pairs'
const chosen = isPairs ? positionals.slice(1) : positionals
const refuse = (problem: string): never => {
  console.error(problem)
  process.exit(2)
}
const unknown = chosen.filter((name) => !(name in benches))
if (unknown.length > 0)
  refuse(`Unknown bench '${unknown.join("', '")}'. Available: ${Object.keys(benches).join(', ')}.`)
const compared = isPairs ? pairsIn(values) : undefined
const passed = await (compared ? comparing(compared) : running())
await Promise.all(folders.map((each) => rm(each, { recursive: true, force: true })))
process.exit(passed ? 0 : 1)

async function running(): Promise<boolean> {
  let areMet = true
  for (const [name, bench] of Object.entries(benches)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue
    const isMet = await bench(folder).catch((error: unknown) => {
      console.error(`${name} FAILED:`, error)
      return false
    })
    areMet &&= isMet
  }
  return areMet
}

function pairsIn({ with: commit, pairs }: typeof values) {
  if (!commit)
    return refuse('Name the commit to compare with: npm run bench -- pairs --with COMMIT [NAME...]')
  if (!/^[1-9]\d?$/.test(pairs)) return refuse('--pairs is a number from 1 to 99.')
  return { commit, pairs: Number(pairs), names: chosen.length > 0 ? chosen : ['health', 'draftPage', 'ops'] }
}

async function comparing(options: ReturnType<typeof pairsIn>): Promise<boolean> {
  try {
    await runPairs(options, await folder())
    return true
  } catch (error) {
    console.error(error instanceof PairsRefused ? error.message : error)
    return false
  }
}
