import { createHmac } from 'node:crypto'
import {
  allOf,
  gate,
  type Gate,
  type GateRequest,
  queryValue,
  type Refusal,
  safeEqual,
  type Verdict,
} from '../../../kernel/index.ts'
import { isLocalCaller } from '../../auth/port.ts'
import { refusals } from './refusals.ts'

/** The gate of the Jira routes, which checks the secret shared with Jira. */
export const jiraGate = gate('jira')

interface JiraGateParts {
  /** The access gate of the mount. */
  readonly access: Gate
  /** The agent gate, which checks access tokens. */
  readonly agent: Gate
  readonly isConfigured: boolean
  readonly secret: string | undefined
  readonly production: boolean
  /** Origins whose pages may call. */
  readonly origins: readonly string[]
}

export const signatureHeader = 'x-hub-signature'

/**
 * Admits callers with the secret, and signed webhooks, whose signature the handler verifies because it covers
 * the body. Without a configured secret, admits local callers and token holders, but no one in production.
 */
export function createJiraGate({
  access,
  agent,
  isConfigured,
  secret,
  production,
  origins,
}: JiraGateParts): Gate {
  const own: Gate = {
    mounting: () => ({ mount: true }),
    admit(request, route) {
      if (!isConfigured) return refused(503, refusals.notConfigured())
      if (secret !== undefined) return admitSecret(request, secret)
      if (production) return refused(503, refusals.secretMissing())
      return isLocalCaller(request, origins)
        ? { admit: true, caller: { via: 'loopback' } }
        : agent.admit(request, route)
    },
  }
  return allOf(access, own)
}

function admitSecret(request: GateRequest, secret: string): Verdict {
  const given = request.header('x-jira-webhook-secret') ?? queryValue(request.search, 'secret')
  if (given !== undefined && safeEqual(given, secret))
    return { admit: true, caller: { via: 'hook', id: 'jira' } }
  const isSigned =
    given === undefined &&
    request.path.endsWith('/jira/webhook') &&
    request.header(signatureHeader) !== undefined
  if (!isSigned) return refused(401, refusals.secretInvalid())
  // The signature has not been verified yet.
  return { admit: true, caller: { via: 'anyone' } }
}

const refused = (status: 401 | 503, { error, reason, code }: Refusal): Verdict => {
  return { admit: false, status, error, reason, extra: { code } }
}

/** True if a webhook is signed with the secret: an HMAC-SHA256 of its bytes, as in Jira Cloud. */
export function isSignedWith(secret: string, header: string | undefined, body: Uint8Array): boolean {
  return safeEqual(header ?? '', `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
}
