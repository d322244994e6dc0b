import { verbOf, type CallerLimits, type Gate, type GateRequest, type Refusal, type GatedRoute, type Verb, type Verdict } from '../../../kernel/index.ts'
import { unauthorized } from '../gates.ts'
import { presented, type Tokens } from '../tokens.ts'
import { verbNotAllowed } from './limits.ts'
import { isScoped } from './tokens.ts'
import type { ScopedToken, ScopedTokens } from '../port.ts'

export interface ScopedGateParts {
  /** A credential for everything comes first. */
  readonly tokens: Tokens
  readonly scoped: ScopedTokens
  readonly limitsOf: (token: ScopedToken, route: GatedRoute) => CallerLimits
  /** Whether a valid scoped token opens the gate; else the gate decides, and the token limits the callers that it admits. */
  readonly opens: boolean
  /** Verbs that the gate asks for whatever its routes declare. */
  readonly always?: readonly Verb[]
}

/**
 * The same gate for callers that may show a scoped token: it holds them to what the token may do, where the gate is open as
 * well. What looks like a scoped token and is not valid is refused, so that a mistake never opens more than was meant.
 */
export function scopedGate(inner: Gate, { tokens, scoped, limitsOf, opens, always = [] }: ScopedGateParts): Gate {
  async function judge(shown: readonly string[], request: GateRequest, route: GatedRoute): Promise<Verdict> {
    const found = (await Promise.all(shown.map(scoped.find))).filter((token) => token !== undefined)
    const token = found.find(scoped.isLive)
    const verdict = token && opens ? undefined : await inner.admit(request, route)
    if (verdict?.admit === false) return verdict
    if (!token) {
      for (const ended of found) limitsOf(ended, route).ended(unauthorized.status)
      return unauthorized
    }
    const limits = limitsOf(token, route)
    const lacks = [verbOf(route), ...always].find((verb) => !limits.may(verb))
    if (lacks !== undefined) {
      const refusal = verbNotAllowed(lacks, token)
      limits.ended(refusal.status)
      return toVerdict(refusal)
    }
    // Not waited for: while the store cannot write, requests that read go on.
    scoped.touch(token).catch(() => undefined)
    const until = token.expires === undefined ? {} : { until: Date.parse(token.expires) }
    return { admit: true, caller: { via: 'token', id: token.id, ...until, limits } }
  }

  return {
    mounting: () => inner.mounting(),
    admit(request, route) {
      const shown = presented(request).filter(isScoped)
      return shown.length === 0 || tokens.holder(request) ? inner.admit(request, route) : judge(shown, request, route)
    },
  }
}

const toVerdict = ({ error, code, reason }: Refusal): Verdict => ({ admit: false, status: 403, error, reason, extra: { code } })
