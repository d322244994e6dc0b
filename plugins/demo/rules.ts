import type { RouteSpec } from '../../kernel/index.ts'
import type { Effect } from './port.ts'

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
