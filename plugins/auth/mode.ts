/** How the access gate decides about a request, in a mount and in a server that requires a credential on every route. */
export type GateMode = 'hook' | 'token' | 'open-dev' | 'closed'

/** Chooses the mode. A hook comes first: the decision of a host is final. */
export function gateMode({ hook, hash, token, production }: {
  readonly hook: boolean
  /** `ACCESS_PASSWORD_HASH` is set. */
  readonly hash: boolean
  /** `ORCHESTRATOR_ACCESS_TOKEN` is set. */
  readonly token: boolean
  readonly production: boolean
}): GateMode {
  if (hook) return 'hook'
  if (hash || token) return 'token'
  return production ? 'closed' : 'open-dev'
}

/** What a closed mount says, in its status, to a password, and in every refusal. */
export const closedReason =
  'This orchestrator is closed: it runs in production without a credential. ' +
  'Set ACCESS_PASSWORD_HASH or ORCHESTRATOR_ACCESS_TOKEN, or pass an auth hook, and start it again.'
