import { gateName } from '../../kernel/draw.ts'
import {
  createLogger, give, mount, use, type Gate, type GateRef, type GateRequest, type MountedRoute, type Shape,
} from '../../kernel/index.ts'
import site from '../../plugins/site/index.ts'
import { siteOptions } from '../../plugins/site/port.ts'
import { toMarkdown } from './markdown.ts'
import { lookAt, routesOf, shapes } from './shapes.ts'

const token = 'an-access-token-of-32-characters'
const publish = 'a-publish-secret-of-32-characters'
const draft = 'a-draft-secret-of-32-characters.'
const secrets = { ORCHESTRATOR_ACCESS_TOKEN: token, PUBLISH_TOKEN: publish, DRAFT_MODE_SECRET: draft, AGENT_SURFACE: 'on' }

/** Installations that differ in who gets in. */
const settings = {
  'Developing, nothing set': {},
  'Production, secrets set': { NODE_ENV: 'production', ...secrets },
  'Production, nothing set': { NODE_ENV: 'production' },
} as const

const request = (headers: Readonly<Record<string, string>>, { remote = '192.0.2.1', search = '' } = {}): GateRequest => ({
  method: 'GET', path: '/', search, secure: true, remote, header: (name) => headers[name], headers: new Headers(headers),
})

/** Callers, the least entitled first. */
const callers: readonly (readonly [name: string, request: GateRequest])[] = [
  ['everybody', request({})],
  ['this machine', request({ host: 'localhost' }, { remote: '127.0.0.1' })],
  ['access token', request({ 'x-access-token': token })],
  ['publish secret', request({ 'x-publish-token': publish })],
  ['both', request({ 'x-access-token': token, 'x-publish-token': publish })],
  ['draft secret', request({}, { search: `secret=${draft}` })],
]

/** Who has to come so that a gate opens, found by trying. */
async function openedBy(gate: Gate): Promise<string> {
  const mounting = gate.mounting()
  if (!mounting.mount) return 'nobody: the routes are not there'
  for (const [name, asking] of callers) if ((await gate.admit(asking)).admit) return name
  return 'nobody'
}

/** The gates of a shape with these variables set. */
async function gatesOf(shape: Shape, env: Readonly<Record<string, string>>, refs: readonly GateRef[]): Promise<readonly string[]> {
  if (shape !== 'site') return Promise.all(await lookAt(shape, env, (kernel) => refs.map((ref) => openedBy(kernel.get(ref)))))
  const adapter = { readContent: async () => ({ pages: [] }) }
  const seeds = [give(siteOptions, { adapter, publishSecret: env['PUBLISH_TOKEN'], draftSecret: env['DRAFT_MODE_SECRET'] })]
  await using mounted = mount({ shape, plugins: [use(site)], seeds, env, log: createLogger({ level: 'silent' }) })
  const gates: string[] = []
  for (const ref of refs) gates.push(await openedBy(await mounted.get(ref)))
  return gates
}

const few = 5

/** The routes behind a gate, by their number where they are many. */
function behind(routes: readonly MountedRoute[], ref: GateRef): string {
  const named = routes.filter(({ spec }) => spec.gate.id === ref.id).map(({ spec }) => `\`${spec.method} ${spec.path}\``)
  return named.length > few ? `${named.length} routes` : named.join(', ')
}

/** Who gets in where, as the gates themselves decide: a table with a row for every gate of every shape. */
export async function gatesTable(): Promise<string> {
  const rows: (readonly string[])[] = []
  for (const shape of shapes) {
    const routes = await routesOf(shape)
    const outside = routes.filter(({ spec }) => !spec.internal)
    const refs = [...new Map(outside.map(({ spec }) => [spec.gate.id, spec.gate])).values()]
    const columns = await Promise.all(Object.values(settings).map((env) => gatesOf(shape, env, refs)))
    for (const [at, ref] of refs.entries()) {
      const name = gateName(outside.find(({ spec }) => spec.gate === ref) ?? fail(ref))
      rows.push([shape, `\`${name}\``, ...columns.map((column) => column[at] ?? ''), behind(outside, ref)])
    }
  }
  return toMarkdown(['Shape', 'Gate', ...Object.keys(settings), 'Routes'], rows)
}

function fail({ id }: GateRef): never {
  throw new Error(`no route names ${id}`)
}
