import { gateName } from '../../kernel/draw.ts'
import type { Shape } from '../../kernel/index.ts'
import { installationsOf, shapes, type Installation } from '../security/installations.ts'
import { ask, byGate, type GateVerdict } from '../security/matrix.ts'
import { toMarkdown } from './markdown.ts'
import { routesOf } from './shapes.ts'

const nothing = {
  ORCHESTRATOR_GATE: 'unset',
  hook: 'none',
  credential: 'none',
  PUBLISH_TOKEN: 'unset',
  DRAFT_MODE_SECRET: 'unset',
  AGENT_SURFACE: 'unset',
}
const everything = {
  ORCHESTRATOR_GATE: 'unset',
  hook: 'none',
  credential: 'both',
  PUBLISH_TOKEN: 'set',
  DRAFT_MODE_SECRET: 'set',
  AGENT_SURFACE: 'on',
}

/** Representative installations. */
const settings: Readonly<Record<string, Installation['labels']>> = {
  'Developing, nothing set': { ...nothing, NODE_ENV: 'development' },
  'In production, nothing set': { ...nothing, NODE_ENV: 'production' },
  'In production, all set': { ...everything, NODE_ENV: 'production' },
}

/** Callers by their names in the matrix, the least privileged first. */
const entitled: Readonly<Record<string, string>> = {
  none: 'everyone',
  here: 'this machine',
  issued: 'access token',
  publish: 'publish token',
  'issued+publish': 'access token and publish token',
  draft: 'draft secret',
}

const places: Readonly<Record<Shape, string>> = {
  standalone: 'server of its own',
  library: 'inside a website',
  site: 'of the website itself',
}

/** The least privileged caller that a gate admits. */
function openedBy(asked: readonly GateVerdict[]): string {
  const isIn = (name: string) => asked.some(({ caller, verdict }) => caller.name === name && verdict === 'in')
  const [, least] = Object.entries(entitled).find(([name]) => isIn(name)) ?? []
  return least ?? (asked.every(({ verdict }) => verdict === '404') ? 'not mounted' : 'no one')
}

function installationOf(shape: Shape, wanted: Installation['labels']): Installation {
  const found = installationsOf(shape).find(({ labels }) =>
    Object.entries(labels).every(([axis, label]) => wanted[axis] === label),
  )
  if (!found) throw new Error(`no installation of the shape ${shape} is ${JSON.stringify(wanted)}`)
  return found
}

/** The prefixes of the agent routes, which the matrix asks by a probe below each. */
const agents = { agent: ['`/agent/*`, `/sites-agent/*`'] } as const
const few = 5

/** The routes behind each gate, as a count where there are many. */
async function routesBehind(shape: Shape): Promise<ReadonlyMap<string, string>> {
  const named = [...Map.groupBy(await routesOf(shape), gateName)].map(
    ([gate, routes]) => [gate, routes.map(({ spec }) => `\`${spec.method} ${spec.path}\``)] as const,
  )
  const all = shape === 'site' ? named : [...named, ...Object.entries(agents)]
  return new Map(
    all.map(([gate, routes]) => [
      gate,
      routes.length > few ? `the ${routes.length} others` : routes.join(', '),
    ]),
  )
}

/** The callers that each gate of each shape admits, from the access matrix, as a table. */
export async function gatesTable(): Promise<string> {
  const rows: (readonly string[])[] = []
  for (const shape of shapes) {
    const columns: ReadonlyMap<string, readonly GateVerdict[]>[] = []
    for (const wanted of Object.values(settings))
      columns.push(byGate((await ask(installationOf(shape, wanted))).asked))
    for (const [gate, routes] of await routesBehind(shape)) {
      rows.push([
        `\`${gate}\`, ${places[shape]}`,
        ...columns.map((column) => openedBy(column.get(gate) ?? [])),
        routes,
      ])
    }
  }
  return toMarkdown(['Gate', ...Object.keys(settings), 'Routes'], rows)
}
