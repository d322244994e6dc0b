import { parse } from 'node:querystring'
import { check } from './check.ts'
import { BootError } from './errors.ts'
import type { Gate, Mounting, Shape } from './gate.ts'
import type { HttpRequest } from './http/message.ts'
import type { Booted, Plugin } from './plugin.ts'
import { policies, rewritten, type RoutePolicy } from './policy.ts'
import { refusals } from './refusals.ts'
import type { MountedRoute } from './route-list.ts'
import type { Answer, Call, RouteSpec } from './route.ts'
import { createRouter, isRoutePath } from './router.ts'
import type { Registry } from './service.ts'

/** A route with its gate, policies and handler. */
export interface RouteEntry {
  readonly plugin: string
  readonly key: string
  readonly spec: RouteSpec
  readonly gate: Gate
  readonly policies: readonly RoutePolicy[]
  /** True if the gate does not mount the route, which then answers 404 in every shape. */
  readonly isUnmounted: boolean
  readonly query: (request: HttpRequest) => Call['query']
  readonly handler: (call: Call) => Answer | Promise<Answer>
}

const another = 'give one of them another path'

/** Adds every route to the router. A route that its gate leaves out stays as a tombstone that answers 404. */
export function mountRoutes(booted: ReadonlyMap<Plugin, Booted>, registry: Registry, shape: Shape) {
  // Frameworks with trailing slashes redirect to the path with one before the routes of a website see it.
  const router = createRouter<RouteEntry>({ optionalSlash: shape === 'site' })
  const routes: MountedRoute[] = []
  const problems: string[] = []
  const rules = registry.all(policies)
  const mountings = new Map<Gate, Mounting>()
  const firsts = new Map<string, string>()
  for (const [plugin, product] of booted) {
    for (const key of Object.keys(product.handlers)) {
      if (Object.hasOwn(plugin.routes, key)) continue
      problems.push(`plugin '${plugin.name}' has the handler '${key}', but no route of that name`)
    }
    for (const [key, spec] of Object.entries(plugin.routes)) {
      const name = `route '${plugin.name}.${key}'`
      const gate = registry.get(spec.gate)
      const mounting = mountings.get(gate) ?? gate.mounting()
      mountings.set(gate, mounting)
      const handler = product.handlers[key]
      if (typeof handler !== 'function') {
        problems.push(`${name} has no handler`)
        continue
      }
      const rulesHere = rules
        .map((rule) => rule.on({ plugin: plugin.name, spec }))
        .filter((rule) => rule !== undefined)
      const query = createQueryReader(spec, rulesHere)
      const entry: RouteEntry = {
        plugin: plugin.name,
        key,
        spec,
        gate,
        policies: rulesHere,
        isUnmounted: !mounting.mount,
        query,
        handler,
      }
      if (!isRoutePath(spec.path))
        problems.push(`${name} has the path '${spec.path}'; a segment is plain text or one ':name'`)
      else {
        // A parameter is the same path under any name.
        const place = `${spec.method} ${spec.path.replaceAll(/:\w+/g, ':')}`
        const first = firsts.get(place) ?? name
        firsts.set(place, first)
        if (!router.add(spec.method, spec.path, entry))
          problems.push(`${name} is a second ${spec.method} ${spec.path} after ${first}; ${another}`)
      }
      routes.push({
        plugin: plugin.name,
        tag: spec.tag ?? plugin.tag,
        key,
        spec,
        ...(!mounting.mount && { leftOut: mounting.because }),
      })
    }
  }
  if (problems.length > 0) throw new BootError(problems)
  return { router, routes }
}

/** The limits of a route's cached queries. Queries that may contain a secret are not cached. */
const remembered = { queries: 500, characters: 300 }
const secretNames = /token|secret/i

/**
 * Creates the parser of a route's query, which refuses an invalid query with `invalid_request`.
 *
 * Polling clients send the same query each time, so the parsed query is cached, and frozen, unless a policy
 * decides on each request.
 */
function createQueryReader(
  { query: schema }: RouteSpec,
  policies: readonly RoutePolicy[],
): (request: HttpRequest) => Call['query'] {
  const none: Call['query'] = Object.freeze({})
  if (!schema) return () => none
  const read = (request: HttpRequest) => {
    const query = rewritten(policies, parseQuery(request.search), request)
    return Object.freeze(check(schema, query, 'query')) as Call['query']
  }
  if (policies.some(({ rewrite }) => rewrite)) return read

  const cached = new Map<string, Call['query']>()
  return (request) => {
    const { search } = request
    const before = cached.get(search)
    if (before) return before
    const query = read(request)
    if (search.length > remembered.characters || secretNames.test(search)) return query
    if (cached.size >= remembered.queries) cached.clear()
    cached.set(search, query)
    return query
  }
}

/** Parses the query into an object; refuses a repeated parameter, which is ambiguous. */
function parseQuery(search: string): unknown {
  const query = parse(search, '&', '=', { maxKeys: 0 })
  for (const name in query) {
    if (Array.isArray(query[name]))
      throw refusals.badRequest(`The query parameter '${name}' is given more than once. Give it once.`)
  }
  return query
}
