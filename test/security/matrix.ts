import { resolvePlugins } from '../../config/resolve.ts'
import { drawTable, gateName } from '../../kernel/draw.ts'
import { createLogger, give, mount, type Injected, type Injection, type MountedRoute } from '../../kernel/index.ts'
import { contentAdapter } from '../../plugins/content/adapter.ts'
import { exampleFor } from './bodies.ts'

const access = 'an-access-token-of-32-characters'
const publish = 'a-publish-secret-of-32-characters'
const secrets = { ORCHESTRATOR_ACCESS_TOKEN: access, PUBLISH_TOKEN: publish }

/** Installations that differ in who gets in. */
export const installations: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'development, nothing set': {},
  'development, secrets set': secrets,
  'production, nothing set': { NODE_ENV: 'production' },
  'production, secrets set': { NODE_ENV: 'production', ...secrets },
}

const wrong = 'a-guess-that-is-32-characters-long'
/** What callers show. */
export const credentials: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  none: {},
  wrong: { 'x-access-token': wrong, authorization: `Bearer ${wrong}`, 'x-publish-token': wrong },
  access: { 'x-access-token': access },
  publish: { 'x-publish-token': publish },
  both: { authorization: `Bearer ${access}`, 'x-publish-token': publish },
}

/** The routes of one installation, each asked once by one caller. */
export interface Column {
  readonly installation: string
  readonly credential: string
  readonly answers: readonly { readonly route: MountedRoute; readonly answer: Injected }[]
}

const page = { id: 'p_home', slug: '/', title: 'Home', updatedAt: '2026-01-01T00:00:00.000Z', blocks: [] }
const adapter = { readContent: async () => ({ pages: [page] }) }

/** Asks every route of a shape, in every installation, by every caller; each column on a service of its own. */
export async function askAll(shape: 'standalone' | 'library'): Promise<readonly Column[]> {
  const plugins = await resolvePlugins({ shape, plugins: [['store', { driver: 'memory' }], ['blobs', { driver: 'memory' }]] })
  const seeds = shape === 'library' ? [give(contentAdapter, adapter)] : []
  const columns: Column[] = []
  for (const [installation, env] of Object.entries(installations)) {
    for (const [credential, headers] of Object.entries(credentials)) {
      await using mounted = mount({ shape, plugins, seeds, env, log: createLogger({ level: 'silent' }), faults: 'throw' })
      const answers: { route: MountedRoute; answer: Injected }[] = []
      for (const route of (await mounted.ready()).toSorted(byPath)) answers.push({ route, answer: await mounted.inject(requestFor(route, headers)) })
      columns.push({ installation, credential, answers })
    }
  }
  return columns
}

const byPath = (a: MountedRoute, b: MountedRoute): number => (keyOf(a) < keyOf(b) ? -1 : 1)
const keyOf = ({ spec }: MountedRoute): string => `${spec.path} ${spec.method}`

/** A request that fits a route; a stream is let go at once. */
function requestFor({ spec: { method, path } }: MountedRoute, headers: Readonly<Record<string, string>>): Injection {
  const json = exampleFor(method, path)
  const isStream = path === '/events'
  return { method, url: `${path}?session=dev&siteId=demo&slug=/&key=none`, headers, ...(json && { json }), ...(isStream && { signal: AbortSignal.abort() }) }
}

/** The status of every answer as a table for every shape: a row for each route, a column for each caller. */
export function matrixText(shape: string, columns: readonly Column[]): string {
  const parts = [...Map.groupBy(columns, ({ installation }) => installation)].map(([installation, group]) => {
    const rows = group[0]?.answers.map(({ route }, at) => [route.spec.method, route.spec.path, gateName(route), ...group.map(({ answers }) => String(answers[at]?.answer.status))]) ?? []
    const head = ['', '', 'gate', ...group.map(({ credential }) => credential)]
    return [`# ${shape}, ${installation}`, ...drawTable([head, ...rows])].join('\n')
  })
  return `${parts.join('\n\n')}\n`
}
