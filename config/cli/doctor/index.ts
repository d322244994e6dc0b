import { access, constants } from 'node:fs/promises'
import { dirname } from 'node:path'
import { drawTable } from '../../../kernel/draw.ts'
import { BootError } from '../../../kernel/index.ts'
import type { Assembly } from '../../assemble.ts'
import { explain, isMissing } from '../../explain.ts'
import { toOrigin } from '../../values.ts'
import { knownVariables, unreadVariables } from '../../variables.ts'
import { defineCommand, jsonFlag, report, UsageError, type Io } from '../shared/command.ts'
import { gateModeOf, publicInHouseRoutes, showsMessages } from '../shared/exposure.ts'
import { assembleFor, inspect, sharedFlags } from '../shared/installation.ts'
import { judge } from './checklist.ts'
import { ok, unsafe, warn, type Finding } from './finding.ts'
import { checkModels, judgeMediaProviders, judgeScreenshots } from './providers.ts'
import { checkSite } from './site.ts'

/** Milliseconds that a site has for each answer, and a model for its own. */
const usualTimeouts = { site: 5_000, model: 30_000 }

export const doctor = defineCommand({
  name: 'doctor',
  summary: 'Checks this installation for production; exit code 1 when something is unsafe.',
  flags: {
    ...sharedFlags,
    ...jsonFlag,
    models: { help: 'Asks each configured language model for one word, which costs next to nothing.' },
    site: { value: 'URL', help: 'Calls this running site too, and compares it with this installation.' },
  },
  async run(given, io) {
    const origin = readSite(given.text('site'))
    const findings = await examine(() => assembleFor(given, io), async (assembly) => [
      ...(given.has('models') ? await checkModels(assembly, io.timeoutMs ?? usualTimeouts.model) : []),
      ...(origin === undefined ? [] : await checkSite(origin, assembly, io.timeoutMs ?? usualTimeouts.site)),
    ])
    report(given, io, findings, () => draw(findings, io))
    return findings.some(({ state }) => state === 'unsafe') ? 1 : 0
  },
})

function readSite(address: string | undefined): string | undefined {
  const origin = address === undefined ? undefined : toOrigin(address.trim())
  if (address === undefined || origin !== undefined) return origin
  throw new UsageError("'--site' expects an origin such as https://www.example.com, without a path")
}

async function examine(load: () => Promise<Assembly>, checkFurther: (assembly: Assembly) => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  let assembly: Assembly
  try {
    assembly = await load()
  } catch (error) {
    return problemsOf(error, 'Configuration')
  }
  const { env, loaded, settings, plugins } = assembly
  const unread = unreadVariables(env, knownVariables(plugins))
  return [
    { item: 'Configuration', ...ok(loaded.file ?? 'No file, using the defaults.') },
    ...judge({ env, settings, plugins, shape: loaded.config.shape }),
    await examineFolder(settings.dataDir.value),
    ...(unread.length === 0 ? [] : [{ item: 'Variables', ...warn(`Unknown variables, which are ignored: ${unread.join(', ')}.`) }]),
    ...judgeMediaProviders(env),
    ...(plugins.some(({ plugin }) => plugin.name === 'preview') ? [await judgeScreenshots(env)] : []),
    ...(await examineStart(assembly).catch((error: unknown) => problemsOf(error, 'Start'))),
    ...(await checkFurther(assembly)),
  ]
}

const problemsOf = (error: unknown, item: string): readonly Finding[] =>
  (error instanceof BootError ? error.problems : [explain(error)]).map((says) => ({ item, ...unsafe(says) }))

async function examineStart(assembly: Assembly): Promise<readonly Finding[]> {
  const routes = await inspect(assembly, (kernel) => kernel.routes)
  const opened = publicInHouseRoutes(assembly.plugins, routes)
  const isOpen = gateModeOf({ ...assembly, shape: assembly.loaded.config.shape }, true) === undefined
  const mounted = routes.filter(({ leftOut }) => leftOut === undefined).length
  return [
    { item: 'Start', ...ok(`It starts, with ${mounted} routes.`) },
    ...(opened.length === 0 ? [] : [{ item: 'Public routes', ...warn(publicRoutes(opened)) }]),
    ...(isOpen && showsMessages(routes) ? [{ item: 'Telemetry', ...warn(readableChat) }] : []),
  ]
}

const publicRoutes = (routes: readonly string[]): string =>
  `Routes of in-house plugins are public: ${routes.join(', ')}; give them a gate unless that is intended.`
const readableChat =
  'Chat messages can be read below /telemetry without a token; set TELEMETRY_HTTP=off or ORCHESTRATOR_GATE=all unless that is intended.'

/** Checks a folder, or if it does not exist, the nearest existing parent. */
async function examineFolder(folder: string, wanted = folder): Promise<Finding> {
  const item = 'Data folder'
  try {
    await access(folder, constants.W_OK)
    return { item, ...ok(`${wanted} is writable.`) }
  } catch (error) {
    if (isMissing(error, folder) && dirname(folder) !== folder) return examineFolder(dirname(folder), wanted)
    return { item, ...unsafe(`${wanted} is not writable; change its permissions, or choose another with ORCHESTRATOR_DATA_DIR.`) }
  }
}

const styles = { ok: 'green', warn: 'yellow', unsafe: 'red' } as const

function draw(findings: readonly Finding[], { paint }: Io): string {
  const lines = drawTable(findings.map(({ item, state, says }) => [state, item, says]))
  return lines.map((line, at) => {
    const state = findings[at]?.state ?? 'ok'
    return paint(styles[state], state) + line.slice(state.length)
  }).join('\n')
}
