import { toSwitch, type MountedRoute } from '../../../kernel/index.ts'
import type { Environment } from '../../env.ts'
import { hasRoute } from './front-page.ts'
import type { Resolved } from '../../resolve.ts'
import type { Settings } from '../../settings.ts'
import { readStore } from '../shared/database.ts'

/** The address to reach a server at from the machine it runs on. */
export function addressOf({ host: { value } }: Settings, port: number): string {
  const name = value === '0.0.0.0' || value === '::' ? 'localhost' : value
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/** Where what the service keeps is to be found, for people. */
export function dataPlace({ dataDir }: Settings, env: Environment, plugins: readonly Resolved[]): string {
  const { options, inHouse } = readStore(plugins)
  if (inHouse !== undefined) return `wherever ${inHouse} keeps it`
  const file = env['ORCHESTRATOR_DB_FILE'] ?? options.file
  const isForgotten =
    options.driver === 'memory' ||
    file === ':memory:' ||
    (toSwitch(env['DEMO_MODE'] ?? '') === true && file === undefined && dataDir.source === 'default')
  return isForgotten ? 'in memory, until the process ends' : (file ?? dataDir.value)
}

/** What a person who started the service wants to know, one fact a line. */
export function banner({
  settings,
  port,
  env,
  plugins,
  routes,
  demoSite,
  hasEditor,
}: {
  readonly settings: Settings
  readonly port: number
  readonly env: Environment
  readonly plugins: readonly Resolved[]
  readonly routes: readonly MountedRoute[]
  readonly demoSite: string | undefined
  readonly hasEditor: boolean
}): readonly string[] {
  const address = addressOf(settings, port)
  return [
    `Service    ${address}`,
    ...(hasEditor ? [`Editor     ${address}/`] : []),
    ...(demoSite === undefined ? [] : [`Demo site  ${demoSite}`]),
    ...(hasRoute(routes, '/docs') ? [`API docs   ${address}/docs`] : []),
    `Data       ${dataPlace(settings, env, plugins)}`,
  ]
}
