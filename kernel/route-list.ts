import type { Injected, Injection } from './http/inject.ts'
import type { RouteSpec } from './route.ts'
import { service } from './service.ts'

/** A route as the running service has it; `leftOut` says why it answers 404. */
export interface MountedRoute {
  readonly plugin: string
  readonly tag: string
  readonly key: string
  readonly spec: RouteSpec
  readonly leftOut?: string
}

/** Every route of the running service, for plugins that describe it. Empty until the plugins are set up. */
export interface RouteList {
  all(): readonly MountedRoute[]
}

export const routeList = service<RouteList>('kernel.routes')

/** A request of a plugin to the service that it is part of, on behalf of a caller. */
export interface InnerRequest extends Omit<Injection, 'json' | 'remote'> {
  /** The headers of the caller, as far as they count here: its credentials, its Host, what its proxies added. */
  readonly headers: Readonly<Record<string, string>>
  /** Where the caller is; `undefined` where that is not known. */
  readonly remote: string | undefined
}

/**
 * Answers requests inside the process as if they came from outside: policies, gates, limits, schemas and the access log
 * included. A request is admitted for what it carries, never because a plugin sent it. Refuses with 503 `closing` until
 * the boot is over, and once the kernel closes.
 */
export interface InnerRequests {
  send(request: InnerRequest): Promise<Injected>
}

export const innerRequests = service<InnerRequests>('kernel.inner-requests')
