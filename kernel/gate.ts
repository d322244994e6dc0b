import { service, type ServiceRef } from './service.ts'
import type { Inbound } from './http/message.ts'

/** Where the kernel runs: a server of its own, inside a website, or as the website's own editor routes. */
export type Shape = 'standalone' | 'library' | 'site'

/** Who the gate let in. `id` tells callers apart where the gate can, and is never a credential. */
export interface Caller {
  readonly via: 'anyone' | 'token' | 'hook' | 'loopback' | 'publish-secret' | 'draft-secret' | 'open-dev'
  readonly id?: string
  /** When the access ends, in milliseconds since 1970: an event stream ends with it. Left out, it does not end. */
  readonly until?: number
}

/** What a gate may look at: never the body, which is not read yet. */
export type GateRequest = Pick<Inbound, 'method' | 'path' | 'search' | 'secure' | 'remote' | 'header' | 'headers'>

export type Verdict =
  | { readonly admit: true; readonly caller: Caller }
  | { readonly admit: false; readonly status: 401 | 403 | 503; readonly error: string; readonly reason?: string; readonly extra?: Readonly<Record<string, unknown>> }

/** Asked once at boot for every route that names this gate: a route that is left out answers 404. */
export type Mounting = { readonly mount: true } | { readonly mount: false; readonly because: string }

/** Decides who may use the routes that name it. */
export interface Gate {
  mounting(): Mounting
  /** Asked for every request, before its body is read. */
  admit(request: GateRequest): Verdict | Promise<Verdict>
}

export type GateRef = ServiceRef<Gate>

/** Names a gate. Like every service it must be given by a plugin, or the boot fails: no keeper, no entry. */
export function gate(id: string): GateRef {
  return service<Gate>(`gate.${id}`)
}

/** The policies that the routes of the interface choose from. */
export const gates = {
  /** The gate of routes that everybody may use. */
  public: gate('public'),
  /** The gate of routes that read and change drafts. */
  access: gate('access'),
  /** The gate of routes that publish. */
  publish: gate('publish'),
  /** The gate of agents, which run tools. */
  agent: gate('agent'),
} as const

/** Lets everyone in; the only gate that the kernel gives by itself. */
export const publicGate: Gate = {
  mounting: () => ({ mount: true }),
  admit: () => anyone,
}

const anyone: Verdict = { admit: true, caller: { via: 'anyone' } }

/** Admits only what every gate admits, asked in order; the last one names the caller, whose access ends with the first that does. */
export function allOf(first: Gate, ...rest: readonly Gate[]): Gate {
  return {
    mounting() {
      for (const each of [first, ...rest]) {
        const mounting = each.mounting()
        if (!mounting.mount) return mounting
      }
      return { mount: true }
    },
    async admit(request) {
      let verdict = await first.admit(request)
      for (const each of rest) if (verdict.admit) verdict = atMostUntil(await each.admit(request), verdict.caller.until)
      return verdict
    },
  }
}

function atMostUntil(verdict: Verdict, until: number | undefined): Verdict {
  if (!verdict.admit || until === undefined || until >= (verdict.caller.until ?? Infinity)) return verdict
  return { admit: true, caller: { ...verdict.caller, until } }
}
