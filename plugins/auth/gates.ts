import {
  allOf,
  type Caller,
  type Gate,
  type GatedRoute,
  type GateRequest,
  type Logger,
  notFound,
  type Policy,
  publicGate,
  safeEqual,
  type Verdict,
  withTimeout,
} from '../../kernel/index.ts'
import { isLocalCaller } from './loopback.ts'
import { type AuthHook, type DraftWatcher, signerHeader } from './port.ts'
import type { Tokens } from './tokens.ts'

/** The mode of the access gate, in a mount and in a server that requires a credential on every route. */
export type GateMode = 'hook' | 'token' | 'open-dev' | 'closed'

/** Chooses the mode. A hook takes precedence: the decision of a host is final. */
export function gateMode({
  hook,
  hash,
  token,
  production,
}: {
  readonly hook: boolean
  /** True if `ACCESS_PASSWORD_HASH` is set. */
  readonly hash: boolean
  /** True if `ORCHESTRATOR_ACCESS_TOKEN` is set. */
  readonly token: boolean
  readonly production: boolean
}): GateMode {
  if (hook) return 'hook'
  if (hash || token) return 'token'
  return production ? 'closed' : 'open-dev'
}

/** The reason of a closed mount, in its status and in every refusal. */
export const closedReason =
  'This orchestrator is closed: it runs in production without a credential. ' +
  'Set ACCESS_PASSWORD_HASH or ORCHESTRATOR_ACCESS_TOKEN, or pass an auth hook, and start it again.'

const mounted = { mount: true } as const
/** Clients compare `error` with this word and ask for the password again: no other refusal may use it. */
export const unauthorized = { admit: false, status: 401, error: 'unauthorized' } as const satisfies Verdict
const closed: Verdict = { ...unauthorized, reason: closedReason }
const openDev: Verdict = { admit: true, caller: { via: 'open-dev' } }
const byHook: Verdict = { admit: true, caller: { via: 'hook' } }
const byPublishToken: Verdict = { admit: true, caller: { via: 'publish-secret' } }
const byLoopback: Verdict = { admit: true, caller: { via: 'loopback' } }

export type LimitsOfSigner = (name: string, route: GatedRoute) => Promise<Pick<Caller, 'limits'> | undefined>

/** Creates the gate of almost every route. */
export function accessGate(context: {
  /** `undefined` if the gate is open. */
  readonly mode: GateMode | undefined
  readonly hook: AuthHook | undefined
  /** Recognises requests that only watch a draft, which need no token. */
  readonly watcherOf: DraftWatcher | undefined
  /** Returns the limits of the token with this name, and `undefined` if it has ended. */
  readonly limitsOfSigner: LimitsOfSigner
  readonly tokens: Tokens
  readonly log: Logger
}): Gate {
  const { mode, hook, watcherOf, limitsOfSigner, tokens, log } = context
  if (mode === undefined) return publicGate
  if (hook) return hookGate(hook, log)
  if (mode === 'token') {
    const admitWatcher = async (by: string, caller: Caller, route: GatedRoute): Promise<Verdict> => {
      const limits = await limitsOfSigner(by, route)
      return limits ? { admit: true, caller: { ...caller, ...limits } } : unauthorized
    }
    return {
      mounting: () => mounted,
      admit(request, route) {
        const verdict = admitToken(tokens, request)
        const watcher = verdict.admit ? undefined : watcherOf?.(request)
        if (!watcher) return verdict
        const { by, ...caller } = watcher
        return by === undefined ? { admit: true, caller } : admitWatcher(by, caller, route)
      },
    }
  }
  return { mounting: () => mounted, admit: () => (mode === 'open-dev' ? openDev : closed) }
}

function admitToken(tokens: Tokens, request: GateRequest): Verdict {
  const caller = tokens.holder(request)
  return caller ? { admit: true, caller } : unauthorized
}

const signerEnded =
  'The token that made this entry to the draft has ended. Open the draft from the editor again.'
const entryEnded: Verdict = {
  admit: false,
  status: 401,
  error: signerEnded,
  reason: signerEnded,
  extra: { code: 'entry_ended' },
}

/** Wraps a gate: refuses what a site reads for a browser whose entry was signed by a token that has ended. */
export const entryGate = (inner: Gate, isLive: (name: string) => Promise<boolean>): Gate => ({
  mounting: () => inner.mounting(),
  admit(request, route) {
    const verdict = inner.admit(request, route)
    const name = request.header(signerHeader)
    const check = async (name: string): Promise<Verdict> =>
      (await verdict).admit && !(await isLive(name)) ? entryEnded : verdict
    return name ? check(name) : verdict
  },
})

const longestDecisionMs = 10_000
const undecided: Verdict = {
  admit: false,
  status: 503,
  error: 'unavailable',
  reason:
    'The auth hook of this website did not decide within 10 seconds. Try again later; if that does not help, the log of the website may name the cause.',
  extra: { code: 'auth_hook_timeout' },
}

/** Lets the host decide. A failing hook refuses, and one that does not settle is given up. */
function hookGate(hook: AuthHook, log: Logger): Gate {
  return {
    mounting: () => mounted,
    async admit(request) {
      // Built from a fixed address, because Host, or a path with two leading slashes, could change the host.
      const url = new URL('http://localhost')
      url.pathname = request.path
      url.search = request.search
      try {
        const decision = (async () => hook({ headers: request.headers, url, method: request.method }))()
        const admits = await withTimeout(longestDecisionMs, decision, () => undecided)
        return admits === true ? byHook : unauthorized
      } catch (err) {
        if (err === undecided) {
          log.error({ milliseconds: longestDecisionMs }, 'auth hook did not settle, request refused')
          return undecided
        }
        log.error({ err }, 'auth hook failed, request refused')
        return unauthorized
      }
    },
  }
}

/** Creates the gate for publishing: the access gate, and the publish token if one is configured. */
export function publishGate(access: Gate, publishToken: string | undefined): Gate {
  if (publishToken === undefined) return access
  const byToken: Gate = {
    mounting: () => mounted,
    admit(request) {
      const given = request.header('x-publish-token')
      return given !== undefined && safeEqual(given, publishToken)
        ? byPublishToken
        : publishTokenInvalid(given !== undefined)
    },
  }
  return allOf(access, byToken)
}

/** Existing editors print `error`, so it is a sentence; `code` is for programs. */
function publishTokenInvalid(given: boolean): Verdict {
  const problem = given ? 'The publish token is not the right one' : 'Publishing needs a publish token'
  const reason = `${problem}. Send the value of PUBLISH_TOKEN in the header x-publish-token.`
  return { admit: false, status: 401, error: reason, reason, extra: { code: 'publish_token_invalid' } }
}

/** The message for an operator who enabled the agent surface in production without a credential. */
export const agentNeedsCredential =
  'AGENT_SURFACE=on needs ACCESS_PASSWORD_HASH or ORCHESTRATOR_ACCESS_TOKEN in production'

/**
 * Creates the gate of the agent surface, which runs shell tools.
 *
 * Decides at boot whether the surface is mounted, and then on every request. In development without a
 * password it admits callers on this machine; all others need a valid token.
 */
export function agentGate(context: {
  readonly production: boolean
  /** `AGENT_SURFACE`. */
  readonly surface: 'on' | 'off' | undefined
  readonly passwordSet: boolean
  readonly tokens: Tokens
  /** Origins whose pages may call. */
  readonly origins: readonly string[]
}): Gate {
  const { production, surface, passwordSet, tokens, origins } = context
  return {
    mounting() {
      if (surface === 'off') return { mount: false, because: 'AGENT_SURFACE is off' }
      if (!production) return mounted
      if (surface !== 'on') return { mount: false, because: 'AGENT_SURFACE is not on' }
      return tokens.configured ? mounted : { mount: false, because: agentNeedsCredential }
    },
    admit(request) {
      const local = !production && !passwordSet && isLocalCaller(request, origins)
      return local ? byLoopback : admitToken(tokens, request)
    },
  }
}

/** True for every path of the agent surface, with or without a route. */
export const isAgentPath = (path: string): boolean => /^\/(?:sites-)?agent(?:\/|$)/.test(path)

/**
 * Answers 404 to every path of the agent surface while it is not mounted.
 *
 * A mount answers 405 to other unknown paths, which would reveal that these are not its own.
 */
export function hideAgentPaths(gate: Gate): Policy {
  const isHidden = !gate.mounting().mount
  return {
    on: () => undefined,
    unknown: ({ path }) => (isHidden && isAgentPath(path) ? notFound() : undefined),
  }
}
