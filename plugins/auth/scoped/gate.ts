import {
  type CallerLimits,
  defineRefusal,
  type Gate,
  type GatedRoute,
  type GateRequest,
  type Refusal,
  sitesOf,
  type Permission,
  permissionOf,
  permissionsOf,
  type Verdict,
} from '../../../kernel/index.ts'
import { namedSites, type Scope } from '../../scope/port.ts'
import { unauthorized } from '../gates.ts'
import type { ScopedToken, ScopedTokens } from '../port.ts'
import { presented, type Tokens } from '../tokens.ts'
import type { Audit } from './audit.ts'
import { isScoped } from './tokens.ts'

/**
 * Wraps a gate for callers with a scoped token: restricts them to the permissions of the token, even behind
 * an open gate. Refuses an invalid scoped token, so that a mistake never grants more than intended.
 */
export function scopedGate(
  inner: Gate,
  {
    tokens,
    scoped,
    limitsOf,
    opens,
    always = [],
  }: {
    /** Tokens without limits, which take precedence. */
    readonly tokens: Tokens
    readonly scoped: ScopedTokens
    readonly limitsOf: (token: ScopedToken, route: GatedRoute) => CallerLimits
    /** True if a valid scoped token opens the gate; otherwise the gate decides, and the token adds limits. */
    readonly opens: boolean
    /** Permissions that the gate requires besides those of its routes. */
    readonly always?: readonly Permission[]
  },
): Gate {
  async function judge(shown: readonly string[], request: GateRequest, route: GatedRoute): Promise<Verdict> {
    const found = (await Promise.all(shown.map(scoped.find))).filter((token) => token !== undefined)
    const token = found.find(scoped.isLive)
    const verdict = token && opens ? undefined : await inner.admit(request, route)
    if (verdict?.admit === false) return verdict
    if (!token) {
      for (const ended of found) limitsOf(ended, route).onResponse(unauthorized.status)
      return unauthorized
    }
    const limits = limitsOf(token, route)
    const missing = permissionsOf(route).some(limits.may)
      ? always.find((permission) => !limits.may(permission))
      : permissionOf(route)
    if (missing !== undefined) {
      const refusal = permissionMissing(missing, token)
      limits.onResponse(refusal.status)
      return toVerdict(refusal)
    }
    // Not awaited: reads continue while the store cannot write.
    scoped.touch(token).catch(() => undefined)
    const until = token.expires === undefined ? {} : { until: Date.parse(token.expires) }
    return { admit: true, caller: { via: 'token', id: token.id, name: token.name, ...until, limits } }
  }

  return {
    mounting: () => inner.mounting(),
    admit(request, route) {
      const shown = presented(request).filter(isScoped)
      return shown.length === 0 || tokens.holder(request)
        ? inner.admit(request, route)
        : judge(shown, request, route)
    },
  }
}

const toVerdict = ({ error, code, reason }: Refusal): Verdict => ({
  admit: false,
  status: 403,
  error,
  reason,
  extra: { code },
})

/** The command, named in refusals, that creates a token with these permissions. */
const make = (can: readonly Permission[], site?: string): string =>
  `npx content-orchestrator token create --can ${can.join(',')}${site === undefined ? '' : ` --site ${site}`}`

const notAllowed = defineRefusal({ status: 403, code: 'token_not_allowed', reason: (why: string) => why })

const permissionMissing = (permission: Permission, { can, site }: ScopedToken): Refusal =>
  notAllowed(
    `This token lacks the permission '${permission}'. Create one that has it: ${make([...can, permission], site)}`,
  )

const siteNotAllowed = (requested: string, { can, site }: ScopedToken): Refusal =>
  notAllowed(
    `This token is for the site '${site}', and the request is about '${requested}'. ` +
      `Send siteId=${site}, or make a token for the other one: ${make(can, requested)}`,
  )

const allSitesNeeded = ({ can, site }: ScopedToken): Refusal =>
  notAllowed(
    `This token is for the site '${site}', and the request is about all sites. ` +
      `Make one without --site: ${make(can)}`,
  )

const longestSession = 200

/** True if a request for a route may change something, judged by its permission and method. */
function mayChange(route: GatedRoute): boolean {
  const permission = permissionOf(route)
  return permission !== 'read' && !(permission === 'admin' && route.method === 'GET')
}

const fieldOf = (input: unknown, name: string): string | undefined => {
  const value: unknown = Reflect.get(Object(input), name)
  return typeof value === 'string' ? value : undefined
}

/** Restricts a request to the permissions of its token, and records the result. */
export function createLimits(
  token: ScopedToken,
  route: GatedRoute,
  {
    scope,
    audit,
    signalOf,
  }: {
    /** If absent, tokens for one site are refused on all routes about sites. */
    readonly scope: Scope | undefined
    readonly audit: Audit
    readonly signalOf: (tokenId: string) => AbortSignal
  },
): CallerLimits {
  let subject: { readonly siteId?: string; readonly session?: string } = {}
  const may = (permission: Permission): boolean => token.can.includes(permission)

  return {
    ...(token.site !== undefined && { site: token.site }),
    get signal() {
      return signalOf(token.id)
    },
    may,
    require(permission) {
      if (!may(permission)) throw permissionMissing(permission, token)
    },
    checkSite(input) {
      if (sitesOf(route) === 'all' && token.site !== undefined) throw allSitesNeeded(token)
      const session = fieldOf(input.query, 'session') ?? fieldOf(input.body, 'session')
      if (session !== undefined) subject = { session: session.slice(0, longestSession) }
      for (const siteId of namedSites(route, input, scope)) {
        subject = { ...subject, siteId }
        if (token.site !== undefined && siteId !== token.site) throw siteNotAllowed(siteId, token)
      }
    },
    onResponse(status, body) {
      if (!mayChange(route)) return
      const { id, name } = token
      const previewVersion: unknown = Reflect.get(Object(body), 'previewVersion')
      audit.write({
        token: id,
        name,
        method: route.method,
        route: route.path,
        ...subject,
        status,
        ...(typeof previewVersion === 'number' && { previewVersion }),
      })
    },
  }
}
