import { hash } from 'node:crypto'
import type { Clock, GateRequest, Policy, Refusal, RoutePolicy } from '../../kernel/index.ts'
import { clientAddress, createWindows, networkOf, type TrustedProxies } from '../auth/port.ts'
import { demoDisabled, demoLimitReached } from './refusals.ts'
import { ruleOf, ruleOfUnknown, type Rule } from './rules.ts'

const hour = 60 * 60 * 1000

/** A lock that is off: it says nothing to any route, so no request ever meets it. */
export const unlocked: Policy = { on: () => undefined }

/**
 * Makes the lock for a public demonstration.
 *
 * Visitors may read, and try chat and operations so many times an hour; whatever they change there lands in a
 * draft of the default site that is their own, whichever one they asked for.
 */
export function createLock({ clock, siteId, requestsPerHour, trusted }: {
  readonly clock: Clock
  /** The site that every visitor works on. */
  readonly siteId: string
  readonly requestsPerHour: number
  readonly trusted: TrustedProxies | undefined
}): Policy {
  const windows = createWindows({ limit: requestsPerHour, length: hour })
  const visitorOf = (request: Pick<GateRequest, 'remote' | 'header'>): string =>
    clientAddress(request, trusted) ?? 'anon'

  const spend = (request: GateRequest): Refusal | undefined => {
    const wait = windows.count(networkOf(visitorOf(request)), clock.now().getTime())
    return wait > 0 ? demoLimitReached(Math.max(1, Math.ceil(wait / 1000))) : undefined
  }

  const rewrite = (input: unknown, request: GateRequest): unknown => {
    if (typeof input !== 'object' || input === null) return input
    return { ...input, session: `demo-${hash('sha1', visitorOf(request)).slice(0, 10)}`, siteId }
  }

  const policies: Readonly<Record<Rule, RoutePolicy | undefined>> = {
    free: undefined,
    refused: { refuse: () => demoDisabled() },
    limited: { refuse: spend, rewrite },
  }

  return {
    on: ({ spec }) => policies[ruleOf(spec)],
    unknown: (request) => policies[ruleOfUnknown(request.path)]?.refuse?.(request),
  }
}
