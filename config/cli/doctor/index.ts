import { access, constants } from 'node:fs/promises'
import { dirname } from 'node:path'
import { drawTable } from '../../../kernel/draw.ts'
import { BootError } from '../../../kernel/index.ts'
import { assemble, type Assembly } from '../../assemble.ts'
import { checkModels } from './models.ts'
import { judge } from './checklist.ts'
import { UsageError, defineCommand } from '../shared/command.ts'
import { explain, isMissing } from '../../explain.ts'
import type { Finding } from './finding.ts'
import { gateModeOf } from '../shared/gate-mode.ts'
import { inspect } from '../shared/inspect.ts'
import type { Io } from '../shared/io.ts'
import { judgeMediaProviders, judgeScreenshots } from './providers.ts'
import { checkSite } from './site/check-site.ts'
import { toOrigin } from '../../values.ts'
import { knownVariables, unreadVariables } from '../../variables.ts'
import { openedByInHouse, showsMessages } from '../serve/warnings.ts'
import { jsonFlag, readShared, sharedFlags } from '../shared/flags.ts'

export const doctor = defineCommand({
  name: 'doctor',
  summary: 'Judges this installation by the checklist for production; exit code 1 when something is unsafe.',
  flags: {
    ...sharedFlags,
    ...jsonFlag,
    models: { help: 'Asks each language model that is set up for one word, which costs next to nothing.' },
    site: { value: 'URL', help: 'Calls this running site too, and compares it with this installation.' },
  },
  async run(given, io) {
    const origin = readSite(given.text('site'))
    const findings = await examine(
      () => assemble(io, readShared(given)),
      async (assembly) => [
        ...(given.has('models') ? await checkModels(assembly, { timeoutMs: io.patience ?? modelPatience }) : []),
        ...(origin === undefined ? [] : await checkSite({ origin, ...assembly, timeoutMs: io.patience ?? patience })),
      ],
    )
    io.line(given.has('json') ? JSON.stringify(findings, null, 2) : draw(findings, io))
    return findings.some(({ state }) => state === 'unsafe') ? 1 : 0
  },
})

/** Milliseconds that a site has for each answer. */
const patience = 5_000
/** Milliseconds that a model has. */
const modelPatience = 30_000

function readSite(address: string | undefined): string | undefined {
  const origin = address === undefined ? undefined : toOrigin(address.trim())
  if (address === undefined || origin !== undefined) return origin
  throw new UsageError("'--site' expects an origin such as https://www.example.com, without a path")
}

async function examine(
  load: () => Promise<Assembly>,
  lookFurther: (assembly: Assembly) => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  let assembly: Assembly
  try {
    assembly = await load()
  } catch (error) {
    return problemsOf(error, 'Configuration')
  }
  const { env, loaded, settings, plugins } = assembly
  const unread = unreadVariables(env, knownVariables(plugins))
  return [
    { item: 'Configuration', state: 'ok', says: loaded.file ?? 'No file; the defaults hold.' },
    ...judge({ env, settings, plugins, shape: loaded.config.shape }),
    await examineFolder(settings.dataDir.value),
    ...(unread.length === 0
      ? []
      : [{ item: 'Variables', state: 'warn', says: `Nothing reads ${unread.join(', ')}.` } as const]),
    ...judgeMediaProviders(env),
    ...(plugins.some(({ plugin }) => plugin.name === 'preview') ? [await judgeScreenshots(env)] : []),
    ...(await examineStart(assembly)),
    ...(await lookFurther(assembly)),
  ]
}

const problemsOf = (error: unknown, item: string): readonly Finding[] =>
  (error instanceof BootError ? error.problems : [explain(error)]).map((says) => ({
    item,
    state: 'unsafe',
    says,
  }))

async function examineStart(assembly: Assembly): Promise<readonly Finding[]> {
  try {
    const routes = await inspect(assembly, (kernel) => kernel.routes)
    const opened = openedByInHouse(assembly.plugins, routes)
    const isOpen = gateModeOf({ ...assembly, shape: assembly.loaded.config.shape }, true) === undefined
    return [
      {
        item: 'Start',
        state: 'ok',
        says: `It starts, with ${routes.filter(({ leftOut }) => leftOut === undefined).length} routes.`,
      },
      ...(opened.length === 0
        ? []
        : [
            {
              item: 'Public routes',
              state: 'warn',
              says: `In-house plugins opened ${opened.join(', ')}; gate them unless that is meant.`,
            } as const,
          ]),
      ...(isOpen && showsMessages(routes)
        ? [
            {
              item: 'Telemetry',
              state: 'warn',
              says: 'Messages of chat can be read below /telemetry without a token; set TELEMETRY_HTTP=off or ORCHESTRATOR_GATE=all unless that is meant.',
            } as const,
          ]
        : []),
    ]
  } catch (error) {
    return problemsOf(error, 'Start')
  }
}

/** A folder that is not there yet is judged by the nearest one above it, in which it will be made. */
async function examineFolder(folder: string, wanted = folder): Promise<Finding> {
  try {
    await access(folder, constants.W_OK)
    return { item: 'Data folder', state: 'ok', says: `${wanted} can be written.` }
  } catch (error) {
    if (isMissing(error, folder) && dirname(folder) !== folder) return examineFolder(dirname(folder), wanted)
    return {
      item: 'Data folder',
      state: 'unsafe',
      says: `${wanted} cannot be written; change its rights, or choose another with ORCHESTRATOR_DATA_DIR.`,
    }
  }
}

const styles = { ok: 'green', warn: 'yellow', unsafe: 'red' } as const

function draw(findings: readonly Finding[], { paint }: Io): string {
  const lines = drawTable(findings.map(({ item, state, says }) => [state, item, says]))
  return lines
    .map((line, at) => {
      const state = findings[at]?.state ?? 'ok'
      return paint(styles[state], state) + line.slice(state.length)
    })
    .join('\n')
}
