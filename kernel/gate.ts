import { service, type ServiceRef } from './service.ts'
import type { HttpRequest } from './http/message.ts'
import type { GatedRoute, Permission } from './permission.ts'

/** Where the kernel runs: as a standalone server, inside a website, or as the website's own editor routes. */
export type Shape = 'standalone' | 'library' | 'site'

/** The caller that a gate admitted. `id` identifies it if the gate can, and is never a credential. */
export interface Caller {
  readonly via: 'anyone' | 'token' | 'hook' | 'loopback' | 'publish-secret' | 'draft-secret' | 'open-dev'
  readonly id?: string
  /** What people call it, if that is not its id. */
  readonly name?: string
  /** Expiry of the access in milliseconds since 1970; event streams end then. Default: never. */
  readonly until?: number
  /** The limits of this caller; default: none. */
  readonly limits?: CallerLimits
}

/** Restricts a caller to a part of what a gate grants, for one request and for work that outlasts it. */
export interface CallerLimits {
  /** The only site whose content it may read and change; default: every site. */
  readonly site?: string
  /** Aborts when the access ends or is revoked, with the refusal as its reason. */
  readonly signal: AbortSignal
  may(permission: Permission): boolean
  /** Throws a 403 for a permission that the caller lacks. */
  require(permission: Permission): void
  /** Called with the checked input before the handler; refuses with 403 a site that the caller may not use. */
  checkSite(input: { readonly params: unknown; readonly query: unknown; readonly body: unknown }): void
  /** Called once, with the status of the answer, and with its body if the handler returned one. */
  onResponse(status: number, body?: unknown): void
}

/** The parts of a request that a gate may use: never the body, which is not read yet. */
export type GateRequest = Pick<
  HttpRequest,
  'method' | 'path' | 'search' | 'secure' | 'remote' | 'httpVersion' | 'header' | 'headers'
>

export type Verdict =
  | { readonly admit: true; readonly caller: Caller }
  | {
      readonly admit: false
      readonly status: 401 | 403 | 503
      readonly error: string
      readonly reason?: string
      readonly extra?: Readonly<Record<string, unknown>>
      readonly headers?: Readonly<Record<string, string>>
    }

/** Decides at boot whether a route of this gate is mounted; a route that is not answers 404. */
export type Mounting = { readonly mount: true } | { readonly mount: false; readonly because: string }

/** Decides who may use its routes. */
export interface Gate {
  mounting(): Mounting
  /** Called for every request, before its body is read. A gate that asks another one passes the route on. */
  admit(request: GateRequest, route: GatedRoute): Verdict | Promise<Verdict>
}

export type GateRef = ServiceRef<Gate>

/** Names a gate. Like every service, it must be provided by a plugin, or the boot fails. */
export function gate(id: string): GateRef {
  return service<Gate>(`gate.${id}`)
}

/** The built-in gates. */
export const gates = {
  /** The gate of routes that are open to everyone. */
  public: gate('public'),
  /** The gate of routes that read and change drafts. */
  access: gate('access'),
  /** The gate of routes that publish. */
  publish: gate('publish'),
  /** The gate of agents, which run tools. */
  agent: gate('agent'),
} as const

/** Returns the permissions of which a caller needs one. */
export const permissionsOf = (route: Pick<GatedRoute, 'can' | 'gate' | 'method'>): readonly Permission[] =>
  [route.can ?? permissionOf(route)].flat()

/** Returns the required permission: the (first) declared one, else the gate's, else `read` for GET and `edit` otherwise. */
export function permissionOf({ can, gate, method }: Pick<GatedRoute, 'can' | 'gate' | 'method'>): Permission {
  if (can) return typeof can === 'string' ? can : can[0]
  if (gate.id === gates.publish.id) return 'publish'
  if (gate.id === gates.agent.id) return 'agent'
  return method === 'GET' ? 'read' : 'edit'
}

/** Admits everyone; the only gate that the kernel itself provides. */
export const publicGate: Gate = { mounting: () => ({ mount: true }), admit: () => anyone }

const anyone: Verdict = { admit: true, caller: { via: 'anyone' } }

/**
 * Admits callers that every gate admits, asked in order. The last gate names the caller. The access ends with
 * the first to end, and has the limits of the first gate that sets some.
 */
export function allOf(first: Gate, ...rest: readonly Gate[]): Gate {
  return {
    mounting() {
      for (const each of [first, ...rest]) {
        const mounting = each.mounting()
        if (!mounting.mount) return mounting
      }
      return { mount: true }
    },
    async admit(request, route) {
      let verdict = await first.admit(request, route)
      for (const each of rest)
        if (verdict.admit) verdict = limited(verdict.caller, await each.admit(request, route))
      return verdict
    },
  }
}

/** Applies the limits of an earlier gate's caller to a verdict. */
function limited({ id, until = Infinity, limits }: Caller, verdict: Verdict): Verdict {
  if (!verdict.admit) return verdict
  const { caller } = verdict
  const isSooner = until < (caller.until ?? Infinity)
  if (!isSooner && !limits) return verdict
  return {
    admit: true,
    caller: {
      ...caller,
      ...(isSooner && { until }),
      ...(limits && { limits }),
      ...(limits && id !== undefined && { id }),
    },
  }
}
