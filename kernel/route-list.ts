import type { Injected, Injection } from './http/inject.ts'
import type { RouteSpec } from './route.ts'
import { service } from './service.ts'

/** A route of the running service; `leftOut` is the reason why it is not mounted and answers 404. */
export interface MountedRoute {
  readonly plugin: string
  readonly tag: string
  readonly key: string
  readonly spec: RouteSpec
  readonly leftOut?: string
}

/** All routes of the running service, for plugins that describe them. Empty until the plugins are set up. */
export interface RouteList {
  all(): readonly MountedRoute[]
}

export const routeList = service<RouteList>('kernel.routes')

/** A request of a plugin to its own service, on behalf of a caller. */
export interface InnerRequest extends Omit<Injection, 'json' | 'remote'> {
  /** The relevant headers of the caller: its credentials, its Host, and those set by its proxies. */
  readonly headers: Readonly<Record<string, string>>
  /** The address of the caller; `undefined` if unknown. */
  readonly remote: string | undefined
}

/**
 * Answers requests inside the process like external ones, including policies, gates, limits, schemas and the
 * access log. A request is admitted by its credentials, never because a plugin sent it. Refuses with 503
 * `closing` until the boot is over, and once the kernel closes.
 */
export interface InnerRequests {
  send(request: InnerRequest): Promise<Injected>
}

export const innerRequests = service<InnerRequests>('kernel.inner-requests')
