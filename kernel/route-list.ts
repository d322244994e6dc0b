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
