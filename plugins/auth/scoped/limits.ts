import { defineRefusal, sitePlaces, sitesOf, verbOf, type CallerLimits, type GatedRoute, type Verb } from '../../../kernel/index.ts'
import type { Scope } from '../../scope/port.ts'
import type { Audit } from './audit.ts'
import type { ScopedToken } from '../port.ts'

export interface LimitsParts {
  /** Where there is none, no site is known, and tokens of one site open nothing that is about sites. */
  readonly scope: Scope | undefined
  readonly audit: Audit
  readonly signalOf: (tokenId: string) => AbortSignal
}

/** The command that makes a token with these verbs, for a refusal. */
const make = (can: readonly Verb[], site?: string): string =>
  `npx content-orchestrator token create --can ${can.join(',')}${site === undefined ? '' : ` --site ${site}`}`

export const verbNotAllowed = defineRefusal({
  status: 403,
  code: 'token_not_allowed',
  reason: (verb: Verb, { can, site }: ScopedToken) => `This token may not do that: it lacks the verb '${verb}'. Make one that has it: ${make([...can, verb], site)}`,
})

const siteNotAllowed = defineRefusal({
  status: 403,
  code: 'token_not_allowed',
  reason: (asked: string, { can, site }: ScopedToken) =>
    `This token is for the site '${site}', and the request is about '${asked}'. Send siteId=${site}, or make a token for the other one: ${make(can, asked)}`,
})

const allSitesNeeded = defineRefusal({
  status: 403,
  code: 'token_not_allowed',
  reason: ({ can, site }: ScopedToken) => `This token is for the site '${site}', and the request is about all sites. Make one without --site: ${make(can)}`,
})

const longestSession = 200

/** True when a request for a route may change something, as far as its verb and method tell. */
function mayChange(route: GatedRoute): boolean {
  const verb = verbOf(route)
  return verb !== 'read' && !(verb === 'admin' && route.method === 'GET')
}

const fieldOf = (input: unknown, name: string): string | undefined => {
  const value: unknown = Reflect.get(Object(input), name)
  return typeof value === 'string' ? value : undefined
}

/** Holds one request to what its token may do, and writes down what it did. */
export function createLimits(token: ScopedToken, route: GatedRoute, { scope, audit, signalOf }: LimitsParts): CallerLimits {
  let about: { readonly siteId?: string; readonly session?: string } = {}
  const may = (verb: Verb): boolean => token.can.includes(verb)

  return {
    ...(token.site !== undefined && { site: token.site }),
    get signal() {
      return signalOf(token.id)
    },
    may,
    ask(verb) {
      if (!may(verb)) throw verbNotAllowed(verb, token)
    },
    judge(input) {
      const kind = sitesOf(route)
      if (kind === 'all' && token.site !== undefined) throw allSitesNeeded(token)
      const places = sitePlaces(route)
      const session = fieldOf(input.query, 'session') ?? fieldOf(input.body, 'session')
      if (session !== undefined) about = { session: session.slice(0, longestSession) }
      if (kind === 'none' || kind === 'all') return
      for (const place of places) {
        const raw = fieldOf(input[place], 'siteId')
        if (raw === undefined && kind === 'own') continue
        const siteId = scope?.siteId(raw) ?? ''
        about = { ...about, siteId }
        if (token.site !== undefined && siteId !== token.site) throw siteNotAllowed(siteId, token)
      }
    },
    ended(status, body) {
      if (!mayChange(route)) return
      const { id, name } = token
      const previewVersion: unknown = Reflect.get(Object(body), 'previewVersion')
      audit.write({ token: id, name, method: route.method, route: route.path, ...about, status, ...(typeof previewVersion === 'number' && { previewVersion }) })
    },
  }
}
