import {
  gate,
  safeEqual,
  withLoopbackTwin,
  type Gate,
  type GateRequest,
  type Verdict,
} from '../../kernel/index.ts'
import { isLoopbackHost, type AccessTokens } from '../auth/port.ts'

/** The gate of the MCP server: the access gate, and a bearer token. */
export const mcpGate = gate('mcp')

const headers = { 'www-authenticate': 'Bearer' }
const refused: Verdict = { admit: false, status: 401, error: 'unauthorized', headers }

/** True if a request carries the bearer token of this server. */
const carries = (bearer: string, request: Pick<GateRequest, 'header'>): boolean => {
  const [, given] = /^Bearer +(\S+)$/i.exec(request.header('authorization') ?? '') ?? []
  return given !== undefined && safeEqual(given, bearer)
}

/** Creates the gate of `/mcp`: the access gate, and an access or bearer token even if that gate is open. */
export function createMcpGate({
  access,
  tokens,
  bearer,
}: {
  readonly access: Gate
  readonly tokens: AccessTokens
  readonly bearer: string | undefined
}): Gate {
  const admit = (request: GateRequest, verdict: Verdict): Verdict => {
    if (!verdict.admit) return { ...verdict, headers }
    // The access gate has already checked a scoped token.
    if (verdict.caller.limits) return verdict
    const holder = tokens.holder(request)
    if (holder) return { admit: true, caller: verdict.caller.via === 'anyone' ? holder : verdict.caller }
    return bearer !== undefined && carries(bearer, request) ? verdict : refused
  }
  return {
    mounting: () =>
      bearer === undefined && !tokens.configured
        ? { mount: false, because: 'neither MCP_BEARER_TOKEN nor an access token is set' }
        : access.mounting(),
    admit(request, route) {
      const verdict = access.admit(request, route)
      return verdict instanceof Promise
        ? verdict.then((settled) => admit(request, settled))
        : admit(request, verdict)
    },
  }
}

/** Creates the gate of a separate MCP server: a known Host, a known Origin, and the bearer token. */
export function createOwnGate({
  bearer,
  hosts,
  origins,
}: {
  readonly bearer: string
  readonly hosts: readonly string[]
  readonly origins: readonly string[]
}): Gate {
  const allowed = new Set(origins.flatMap(withLoopbackTwin))
  const foreign = (what: 'host' | 'origin'): Verdict => ({
    admit: false,
    status: 403,
    error: `${what}_not_allowed`,
    reason: `This ${what} is not allowed. List it in MCP_ALLOWED_${what.toUpperCase()}S.`,
  })
  return {
    mounting: () => ({ mount: true }),
    admit(request) {
      const [host, origin] = [request.header('host'), request.header('origin')]
      const name = host?.replace(/:\d+$/, '').toLowerCase()
      if (name === undefined || !(isLoopbackHost(host) || hosts.includes(name))) return foreign('host')
      if (origin !== undefined && !allowed.has(origin)) return foreign('origin')
      return carries(bearer, request) ? { admit: true, caller: { via: 'token', id: 'mcp' } } : refused
    },
  }
}
