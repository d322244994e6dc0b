import { hash } from 'node:crypto'
import type { Clock, GateRequest, Policy, Refusal, RoutePolicy, RouteSpec } from '../../kernel/index.ts'
import { clientAddress, createWindows, networkOf, type TrustedProxies } from '../auth/port.ts'
import type { Effect } from './port.ts'
import { demoDisabled, demoLimitReached } from './refusals.ts'

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

/** What the lock does with a request: nothing, a refusal, or a share of the visitor's hour. */
export type Rule = 'free' | 'refused' | 'limited'

const refused: ReadonlySet<string> = new Set(['agent', 'sites-agent', 'jira', 'whoami', 'sessions'])
const limited: ReadonlySet<string> = new Set(['chat', 'ops'])

/** The rule for everything whose path begins with this segment; `undefined` where more has to be known. */
function ruleOfSegment(segment: string): Rule | undefined {
  if (refused.has(segment)) return 'refused'
  if (limited.has(segment)) return 'limited'
  return segment === 'auth' ? 'free' : undefined
}

/** The rule for a route. What changes something is refused, unless it is chat, an operation or a login. */
export function ruleOf({ method, path, traits }: Pick<RouteSpec, 'method' | 'path' | 'traits'>): Rule {
  const stated: Effect | undefined = isEffect(traits?.['effect']) ? traits['effect'] : undefined
  const effect = stated ?? (method === 'GET' ? 'read' : 'change')
  return ruleOfSegment(path.split('/')[1] ?? '') ?? (effect === 'read' ? 'free' : 'refused')
}

const isEffect = (trait: unknown): trait is Effect => trait === 'read' || trait === 'change'

/** The rule for a path that leads nowhere. */
export function ruleOfUnknown(path: string): Rule {
  return ruleOfSegment(path.split('/')[1] ?? '') ?? 'free'
}
