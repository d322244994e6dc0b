import { hash } from 'node:crypto'
import type { Clock, GateRequest, Policy, Refusal, RoutePolicy, RouteSpec } from '../../kernel/index.ts'
import { clientAddress, createWindows, networkOf, type TrustedProxies } from '../auth/port.ts'
import type { Effect } from './port.ts'
import { demoDisabled, demoLimitReached } from './refusals.ts'

const hour = 60 * 60 * 1000

/** A disabled lock, which applies to no route. */
export const unlocked: Policy = { on: () => undefined }

/**
 * Creates the lock for a public demo.
 *
 * Visitors can read, and use chat and operations up to an hourly limit. Their changes go to their own draft
 * on the default site, whatever site they request.
 */
export function createLock({
  clock,
  siteId,
  requestsPerHour,
  trusted,
}: {
  readonly clock: Clock
  /** The site that all visitors edit. */
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

  const policies: Readonly<Record<DemoRule, RoutePolicy | undefined>> = {
    free: undefined,
    refused: { refuse: () => demoDisabled() },
    limited: { refuse: spend, rewrite },
  }

  return {
    on: ({ spec }) => policies[ruleOf(spec)],
    unknown: (request) => policies[ruleOfUnknown(request.path)]?.refuse?.(request),
  }
}

/** The effect of the lock on a request: admit it, refuse it, or count it against the hourly limit. */
type DemoRule = 'free' | 'refused' | 'limited'

const refused: ReadonlySet<string> = new Set(['agent', 'sites-agent', 'jira', 'whoami', 'sessions'])
const limited: ReadonlySet<string> = new Set(['chat', 'ops'])

/** Returns the rule of a first path segment; `undefined` if it does not determine the rule. */
function ruleOfSegment(segment: string): DemoRule | undefined {
  if (refused.has(segment)) return 'refused'
  if (limited.has(segment)) return 'limited'
  return segment === 'auth' ? 'free' : undefined
}

/** Returns the rule of a route. Refuses changes, except for chat, operations and logins. */
function ruleOf({ method, path, traits }: Pick<RouteSpec, 'method' | 'path' | 'traits'>): DemoRule {
  const stated: Effect | undefined = isEffect(traits?.['effect']) ? traits['effect'] : undefined
  const effect = stated ?? (method === 'GET' ? 'read' : 'change')
  return ruleOfSegment(path.split('/')[1] ?? '') ?? (effect === 'read' ? 'free' : 'refused')
}

const isEffect = (trait: unknown): trait is Effect => trait === 'read' || trait === 'change'

/** Returns the rule of a path without a route. */
function ruleOfUnknown(path: string): DemoRule {
  return ruleOfSegment(path.split('/')[1] ?? '') ?? 'free'
}
