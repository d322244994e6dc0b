import { resolvePlugins } from '../helpers/resolve-plugins.ts'
import { drawTable, gateName } from '../../kernel/draw.ts'
import { createLogger, give, mount, randomIds, systemClock } from '../../kernel/index.ts'
import type { Injected, Injection, MountedRoute } from '../../kernel/index.ts'
import { createMemoryBlobs } from '../../plugins/blobs/memory.ts'
import { blobs } from '../../plugins/blobs/port.ts'
import { contentAdapter } from '../../plugins/content/adapter.ts'
import { exampleFor, isStream } from './bodies.ts'

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

/** Every route of one installation, asked once by one caller. */
export interface Column {
  readonly installation: string
  readonly credential: string
  readonly cells: readonly Cell[]
}

export interface Cell {
  readonly route: MountedRoute
  readonly answer: Injected
}

const page = { id: 'p_home', slug: '/', title: 'Home', updatedAt: '2026-01-01T00:00:00.000Z', blocks: [] }

/** Asks every route of a shape, in every installation, by every caller; each column on a service of its own. */
export async function askAll(shape: 'standalone' | 'library'): Promise<readonly Column[]> {
  const plugins = await resolvePlugins({ shape, without: ['blobs'], plugins: [['store', { driver: 'memory' }]] })
  const adapter = give(contentAdapter, { readContent: async () => ({ pages: [page] }) })
  const kept = give(blobs, createMemoryBlobs({ clock: systemClock, ids: randomIds }))
  const seeds = shape === 'library' ? [kept, adapter] : [kept]
  const log = createLogger({ level: 'silent' })
  const columns: Column[] = []
  for (const [installation, env] of Object.entries(installations)) {
    for (const [credential, headers] of Object.entries(credentials)) {
      const mounted = mount({ shape, plugins, seeds, env, log, faults: 'throw' })
      const cells: Cell[] = []
      for (const route of (await mounted.ready()).toSorted(byPath)) {
        cells.push({ route, answer: await mounted.inject(requestFor(route, headers)) })
      }
      await mounted.close()
      columns.push({ installation, credential, cells })
    }
  }
  return columns
}

const keyOf = ({ spec }: MountedRoute): string => `${spec.path} ${spec.method}`
const byPath = (a: MountedRoute, b: MountedRoute): number => (keyOf(a) < keyOf(b) ? -1 : 1)

/** A request that fits a route; a stream is let go at once. */
function requestFor(route: MountedRoute, headers: Readonly<Record<string, string>>): Injection {
  const { method, path } = route.spec
  const json = exampleFor(method, path)
  const gone = isStream(route) ? { signal: AbortSignal.abort() } : {}
  return { method, url: `${path}?session=dev&siteId=demo&slug=/&key=none`, headers, ...gone, ...(json && { json }) }
}

/** The statuses of a shape: a table for each installation, with a row for each route and a column for each caller. */
export function matrixText(shape: string, columns: readonly Column[]): string {
  const parts = [...Map.groupBy(columns, ({ installation }) => installation)].map(([installation, group]) => {
    const head = ['', '', 'gate', ...group.map(({ credential }) => credential)]
    const rows = group[0]?.cells.map(({ route }, at) => {
      const statuses = group.map(({ cells }) => String(cells[at]?.answer.status))
      return [route.spec.method, route.spec.path, gateName(route), ...statuses]
    })
    return [`# ${shape}, ${installation}`, ...drawTable([head, ...(rows ?? [])])].join('\n')
  })
  return `${parts.join('\n\n')}\n`
}
