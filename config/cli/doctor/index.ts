import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { drawTable } from '../../../kernel/draw.ts'
import { BootError } from '../../../kernel/index.ts'
import type { Assembly } from '../../assemble.ts'
import { explain } from '../../explain.ts'
import { missingPackages } from '../../optional-packages.ts'
import { toOrigin } from '../../values.ts'
import { variableNames, unreadVariables } from '../../variables.ts'
import { databaseOf } from '../shared/database.ts'
import { defineCommand, jsonFlag, report, UsageError, type Io } from '../shared/command.ts'
import { gateModeOf, publicInHouseRoutes, showsMessages } from '../shared/exposure.ts'
import { assembleFor, inspect, sharedFlags, type SharedGiven } from '../shared/installation.ts'
import { checkSettings } from './checklist.ts'
import { checkStorage } from './storage.ts'
import { ok, unsafe, warn, type Finding } from './finding.ts'
import { checkSite } from './site.ts'

const siteTimeoutMs = 5_000

export const doctor = defineCommand({
  name: 'doctor',
  summary: 'Checks this installation for production; exit code 1 when something is unsafe.',
  flags: {
    ...sharedFlags,
    ...jsonFlag,
    site: { value: 'URL', help: 'Calls this running site too, and compares it with this installation.' },
  },
  async run(given, io) {
    const address = given.get('site')
    const site = toOrigin(address?.trim() ?? '')
    if (address !== undefined && site === undefined) {
      throw new UsageError("'--site' expects an origin such as https://www.example.com, without a path")
    }
    const findings = await Array.fromAsync(examine(given, io, site))
    report(given, io, findings, () => draw(findings, io))
    return findings.some(({ state }) => state === 'unsafe') ? 1 : 0
  },
})

async function* examine(given: SharedGiven, io: Io, site: string | undefined): AsyncGenerator<Finding> {
  let assembly: Assembly
  try {
    assembly = await assembleFor(given, io)
  } catch (error) {
    return yield* problemsOf(error, 'Configuration')
  }
  const { env, loaded, settings, plugins } = assembly
  yield { item: 'Configuration', ...ok(loaded.file ?? 'No file, using the defaults.') }
  yield* checkSettings({ env, settings, plugins, shape: loaded.config.shape })
  const folder = await examineFolder(settings.dataDir.value)
  yield folder
  const unread = unreadVariables(env, variableNames(plugins)).join(', ')
  if (unread !== '') yield { item: 'Variables', ...warn(`Unknown variables, which are ignored: ${unread}.`) }
  const state = loaded.config.shape === 'standalone' ? unsafe : warn
  for (const says of missingPackages(env)) yield { item: 'Packages', ...state(`${says}.`) }
  const storage = await examineStorage(assembly, io)
  try {
    const needsFolder = folder.state !== 'ok' && isInFolder(assembly, io)
    yield* examineStart(
      assembly,
      [needsFolder ? 'Data folder' : [], storage.isUsable ? [] : 'Database'].flat(),
    )
  } catch (error) {
    yield* problemsOf(error, 'Start')
  }
  yield* storage.findings
  if (site !== undefined) yield* checkSite(site, assembly, io.timeoutMs ?? siteTimeoutMs)
}

const problemsOf = (error: unknown, item: string): readonly Finding[] =>
  (error instanceof BootError ? error.problems : [explain(error)]).map((says) => ({ item, ...unsafe(says) }))

async function examineStorage(assembly: Assembly, io: Io) {
  const findings: Finding[] = []
  try {
    for await (const finding of checkStorage(assembly, io)) findings.push(finding)
    return { isUsable: true, findings }
  } catch (error) {
    return { isUsable: false, findings: [...findings, ...problemsOf(error, 'Database')] }
  }
}

/** True if the database is a file in the data folder, without which the service does not start. */
function isInFolder(assembly: Assembly, { cwd }: Io): boolean {
  const { inHouse, url, file } = databaseOf(assembly)
  if (inHouse !== undefined || url !== undefined || file === ':memory:') return false
  return dirname(resolve(cwd, file)) === resolve(cwd, assembly.settings.dataDir.value)
}

async function* examineStart(assembly: Assembly, obstacles: readonly string[]): AsyncGenerator<Finding> {
  const routes = await inspect(assembly, (kernel) => kernel.routes)
  const mounted = routes.filter(({ leftOut }) => leftOut === undefined).length
  yield {
    item: 'Start',
    ...(obstacles.length === 0
      ? ok(`It starts, with ${mounted} routes.`)
      : unsafe(`It does not start, see ${obstacles.join(' and ')}.`)),
  }
  const opened = publicInHouseRoutes(assembly.plugins, routes).join(', ')
  if (opened !== '') {
    const says = `Routes of in-house plugins are public: ${opened}; give them a gate unless that is intended.`
    yield { item: 'Public routes', ...warn(says) }
  }
  const isOpen = gateModeOf({ ...assembly, shape: assembly.loaded.config.shape }, true) === undefined
  if (isOpen && showsMessages(routes)) {
    const remedy = 'set TELEMETRY_HTTP=off or ORCHESTRATOR_GATE=all unless that is intended.'
    const says = `Chat messages can be read below /telemetry without a token; ${remedy}`
    yield { item: 'Telemetry', ...warn(says) }
  }
}

/** Writes a file to a folder, or to its nearest existing parent if it does not exist, and removes it. */
async function examineFolder(folder: string, wanted = folder): Promise<Finding> {
  const item = 'Data folder'
  let probe: string | undefined
  try {
    probe = await mkdtemp(join(folder, '.doctor-'))
    await writeFile(join(probe, 'probe'), 'probe')
    return { item, ...ok(`${wanted} is writable.`) }
  } catch {
    if (!existsSync(folder) && dirname(folder) !== folder) return examineFolder(dirname(folder), wanted)
    const remedy = 'change its permissions, or choose another with ORCHESTRATOR_DATA_DIR.'
    return { item, ...unsafe(`${wanted} is not writable; ${remedy}`) }
  } finally {
    if (probe) await rm(probe, { recursive: true, force: true })
  }
}

const styles = { ok: 'green', warn: 'yellow', unsafe: 'red' } as const

function draw(findings: readonly Finding[], { paint }: Io): string {
  const lines = drawTable(findings.map(({ item, state, says }) => [state, item, says]))
  return findings
    .map(({ state }, at) => lines[at]?.replace(state, (word) => paint(styles[state], word)))
    .join('\n')
}
