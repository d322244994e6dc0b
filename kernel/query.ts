import { parse } from 'node:querystring'
import { check } from './check.ts'
import type { Inbound } from './http/message.ts'
import { rewritten, type RoutePolicy } from './policy.ts'
import { refusals } from './refusals.ts'
import type { Call, RouteSpec } from './route.ts'

/** So many queries are remembered for a route; none that is longer than this, and none that may hold a secret. */
const remembered = { queries: 500, characters: 300 }
const secretNames = /token|secret/i

/**
 * Makes the reader of a route's query, which refuses with `invalid_request` what its schema does not take.
 *
 * Whoever polls asks the same thing each time. What was made of a query is therefore remembered, and frozen, unless a
 * policy has a say in it for each request.
 */
export function createQueryReader({ query: schema }: RouteSpec, policies: readonly RoutePolicy[]): (request: Inbound) => Call['query'] {
  const none: Call['query'] = Object.freeze({})
  if (!schema) return () => none
  const read = (request: Inbound) => Object.freeze(check(schema, rewritten(policies, parseQuery(request.search), request), 'query')) as Call['query']
  if (policies.some(({ rewrite }) => rewrite)) return read

  const known = new Map<string, Call['query']>()
  return (request) => {
    const { search } = request
    const before = known.get(search)
    if (before) return before
    const query = read(request)
    if (search.length > remembered.characters || secretNames.test(search)) return query
    if (known.size >= remembered.queries) known.clear()
    known.set(search, query)
    return query
  }
}

/** The query as an object; a parameter given twice is refused, because no reader could say which one counts. */
function parseQuery(search: string): unknown {
  const query = parse(search, '&', '=', { maxKeys: 0 })
  for (const name in query) {
    if (Array.isArray(query[name])) throw refusals.badRequest(`The query parameter '${name}' is given more than once. Give it once.`)
  }
  return query
}
