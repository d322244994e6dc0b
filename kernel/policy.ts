import type { Refusal } from './errors.ts'
import type { HttpRequest } from './http/message.ts'
import type { RouteSpec } from './route.ts'
import { slot } from './service.ts'

/** A rule for many routes and all callers, such as a lock for a public demo or a maintenance mode. */
export interface Policy {
  /** Called once per route at boot; `undefined` if the rule does not apply. */
  on(route: { readonly plugin: string; readonly spec: RouteSpec }): RoutePolicy | undefined
  /** Called for paths without a route. */
  unknown?(request: HttpRequest): Refusal | undefined
}

export interface RoutePolicy {
  /** Refuses a request before its gate decides. */
  refuse?(request: HttpRequest): Refusal | undefined
  /** Changes the parsed query or body before it is checked. */
  rewrite?(input: unknown, request: HttpRequest): unknown
}

/** Applies the policies of a route to its parsed query or body. */
export function rewritten(policies: readonly RoutePolicy[], input: unknown, request: HttpRequest): unknown {
  return policies.reduce((value, policy) => (policy.rewrite ? policy.rewrite(value, request) : value), input)
}

export const policies = slot<Policy>('kernel.policies')
