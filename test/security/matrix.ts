import * as v from 'valibot'
import { gateName } from '../../kernel/draw.ts'
import {
  createLogger,
  defineRefusal,
  defineRoutes,
  definePlugin,
  empty,
  gates,
  give,
  mount,
  randomIds,
  systemClock,
  use,
  permissions,
  type Mount,
  type Plugin,
  type Seed,
  type Shape,
  type Used,
} from '../../kernel/index.ts'
import auth from '../../plugins/auth/index.ts'
import { allowedOrigins, authHook } from '../../plugins/auth/port.ts'
import { createScopedTokens } from '../../plugins/auth/testing.ts'
import { createMemoryBlobs } from '../helpers/memory-blobs.ts'
import { blobs } from '../../plugins/blobs/port.ts'
import { contentAdapter } from '../../plugins/content/adapter.ts'
import { draftAccess } from '../../plugins/site/testing.ts'
import site from '../../plugins/site/index.ts'
import { siteOptions } from '../../plugins/site/port.ts'
import { createMemoryStore } from '../../plugins/store/testing.ts'
import { store } from '../../plugins/store/port.ts'
import { resolvePlugins } from '../helpers/resolve-plugins.ts'
import {
  callers,
  listedOrigin,
  passwordHash,
  placedCallers,
  secrets,
  toInjection,
  type Caller,
} from './callers.ts'
import { installationsOf, shapes, type Installation } from './installations.ts'

/** The verdict of the gate of one route on one caller, with one way to present its credentials. */
export interface GateVerdict {
  readonly gate: string
  /** Method and path. */
  readonly route: string
  readonly caller: Caller
  readonly way: string
  /** `in`, or the status and the kind of the refusal. */
  readonly verdict: string
  /** The complete answer. */
  readonly text: string
}

/** Every route of an installation, called by every caller. */
export interface MatrixResult {
  readonly installation: Installation
  readonly asked: readonly GateVerdict[]
}

const probe = {
  method: 'POST',
  gate: gates.agent,
  summary: 'Stands for a route of the agents.',
  replies: { 204: empty('Nothing.') },
} as const
/** Routes of in-house plugins behind the agent gate, below both of its prefixes. */
const probes = definePlugin({
  name: 'agent-probes',
  tag: 'Agent',
  routes: defineRoutes({
    agent: { ...probe, path: '/agent/probe' },
    sitesAgent: { ...probe, path: '/sites-agent/probe' },
  }),
}).setup(() => {
  const nothing = () => ({ status: 204, body: null }) as const
  return { handlers: { agent: nothing, sitesAgent: nothing } }
})

const admitted = defineRefusal({
  status: 418,
  code: 'admitted',
  reason: () => 'The gate let this caller in.',
})

/** The same plugin behind the same gates, whose routes accept anything and only report the admission. */
function hollow({ plugin, options }: Used): Used {
  const routes = Object.entries(plugin.routes).map(
    ([key, { body: _body, upload: _upload, query: _query, params: _params, ...route }]) =>
      [key, route] as const,
  )
  const hollowed: Plugin = {
    ...plugin,
    routes: Object.fromEntries(routes),
    async boot(context) {
      const booted = await plugin.boot(context)
      const report = () => {
        throw admitted()
      }
      return { ...booted, handlers: Object.fromEntries(routes.map(([key]) => [key, report])) }
    },
  }
  return { plugin: hollowed, options }
}

const builtins = async (shape: 'standalone' | 'library'): Promise<readonly Used[]> =>
  [...(await resolvePlugins({ shape, without: ['blobs', 'store'] })), use(probes)].map(hollow)

const pluginsOf: Readonly<Record<Shape, readonly Used[]>> = {
  standalone: await builtins('standalone'),
  library: await builtins('library'),
  site: [hollow(use(site))],
}

/** One store for all installations, so that scoped tokens count in each. */
const shared = createMemoryStore()
export const scopedTokens = createScopedTokens({ store: shared, clock: systemClock })

const adapter = { readContent: async () => ({ pages: [] }) }

function seedsOf({ shape, env, hook }: Installation): readonly Seed[] {
  const { PUBLISH_TOKEN: publishSecret, DRAFT_MODE_SECRET: draftSecret } = env
  if (shape === 'site') return [give(siteOptions, { adapter, publishSecret, draftSecret })]
  return [
    give(store, shared),
    give(blobs, createMemoryBlobs({ clock: systemClock, ids: randomIds })),
    give(allowedOrigins, [listedOrigin]),
    ...(shape === 'library' ? [give(contentAdapter, adapter)] : []),
    ...(hook ? [give(authHook, hook)] : []),
  ]
}

const log = createLogger({ level: 'silent' })

/** Mounts an installation with the hollow plugins of its shape. */
export function mountHollow(installation: Installation): Mount {
  const { shape, env } = installation
  // A website answers to any host name.
  const origins = { origins: [listedOrigin], ...(shape === 'standalone' && { hosts: [] }) }
  return mount({ shape, plugins: pluginsOf[shape], seeds: seedsOf(installation), env, log, origins })
}

const Token = v.object({ accessToken: v.string() })

/** A token of `POST /auth/verify`; it is valid in every installation with the same hash and signing secret. */
async function issueToken(): Promise<string> {
  const env = { ACCESS_PASSWORD_HASH: passwordHash, ACCESS_TOKEN_SECRET: secrets.signing }
  const seeds = [give(store, createMemoryStore())]
  await using real = mount({ shape: 'library', plugins: [use(auth)], seeds, env, log })
  const json = { password: secrets.password }
  const answer = await real.inject({ method: 'POST', url: '/auth/verify', json })
  return v.parse(Token, answer.json()).accessToken
}

const scoped = await scopedTokens.create({ name: 'scoped', can: permissions })
const revoked = await scopedTokens.create({ name: 'revoked', can: permissions })
await scopedTokens.revoke(revoked.token.id)

/** All callers from elsewhere. */
export const everybody = callers({ issued: await issueToken(), scoped: scoped.text, revoked: revoked.text })

/** Calls every route of an installation as every caller in each way; those behind the agent gate also from every place. */
export async function ask(installation: Installation): Promise<MatrixResult> {
  await using mounted = mountHollow(installation)
  const asked: GateVerdict[] = installation.shape === 'site' ? [...askPage(installation)] : []
  for (const route of await mounted.ready()) {
    const { method, path, gate } = route.spec
    for (const caller of gate.id === gates.agent.id ? [...everybody, ...placedCallers] : everybody) {
      for (const way of caller.ways) {
        const { status, text } = await mounted.inject(toInjection(method, path, way))
        const of = { gate: gateName(route), route: `${method} ${path}`, caller, way: way.name }
        asked.push({ ...of, verdict: verdictOf(status, text), text })
      }
    }
  }
  return { installation, asked }
}

/** What a page of a website shows to each caller: not a route of this service, but the same question. */
function askPage({ env }: Installation): readonly GateVerdict[] {
  return everybody.flatMap((caller) =>
    caller.ways.map(({ name, headers, search = '' }) => {
      const access = draftAccess(
        { cookie: headers?.['cookie'], search },
        { secret: env['DRAFT_MODE_SECRET'] },
      )
      const verdict = access ? 'draft' : 'published'
      const of = { gate: 'draft of a page', route: 'any page of the website', caller, way: name }
      return { ...of, verdict, text: verdict }
    }),
  )
}

/** The results of every installation of every shape. */
export async function askAll(): Promise<readonly MatrixResult[]> {
  const results: MatrixResult[] = []
  for (const shape of shapes)
    for (const installation of installationsOf(shape)) results.push(await ask(installation))
  return results
}

const Refused = v.object({ error: v.string(), code: v.optional(v.string()), reason: v.optional(v.string()) })

/** The refusals that are identified by their code. */
const known: Readonly<Record<string, string>> = {
  admitted: 'in',
  not_found: '404',
  publish_token_invalid: '401 token',
  token_not_allowed: '403 permission',
  origin_not_allowed: '403 origin',
  host_not_allowed: '403 host',
}

function verdictOf(status: number, text: string): string {
  const { code, reason } = v.parse(Refused, JSON.parse(text))
  if (code !== undefined) return known[code] ?? `${status} ${code}`
  return reason === undefined ? String(status) : `${status} reason`
}

/** The verdicts by gate. */
export const byGate = (asked: readonly GateVerdict[]): ReadonlyMap<string, readonly GateVerdict[]> =>
  Map.groupBy(asked, ({ gate }) => gate)
