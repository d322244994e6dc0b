import { defineRefusal, service, type Caller, type GateRequest, type Verb } from '../../kernel/index.ts'

export { clientAddress, networkOf, ProxyVariables, shareHolder, TrustedProxies } from './client-address.ts'
export { keptSecret } from './kept-secret.ts'
export { createLimiter } from './window.ts'
export { isLocalCaller, isLoopback, isLoopbackHost } from './loopback.ts'
export { createWindows } from './window.ts'

/** Recognises valid access tokens, for gates of other plugins. */
export interface AccessTokens {
  /** A password or a fixed token is configured, so that some token is valid. */
  readonly configured: boolean
  /** The holder of the first valid token that a request presents; `undefined` when none is. */
  holder(request: Pick<GateRequest, 'header' | 'search'>): Caller | undefined
}

/** The access tokens of this installation, also where the access gate asks for none. */
export const accessTokens = service<AccessTokens>('auth.tokens')

/** A token with limited permissions, without its secret. Times are ISO 8601. */
export interface ScopedToken {
  readonly id: string
  readonly name: string
  /** The one site that it is valid for; every site without it. */
  readonly site?: string
  readonly can: readonly Verb[]
  readonly created: string
  readonly expires?: string
  /** When it was used last, to the minute. */
  readonly used?: string
  readonly revoked?: string
}

/** The properties of a new token. */
export type NewToken = Pick<ScopedToken, 'name' | 'site' | 'can' | 'expires'>

/** Scoped tokens: created, listed and revoked by any process that opens the store, and looked up on each request. */
export interface ScopedTokens {
  /** Creates a token and returns its text, which is not stored. Refuses with 409 when there are too many. */
  create(token: NewToken): Promise<{ readonly token: ScopedToken; readonly text: string }>
  /** All tokens, newest first. */
  list(): Promise<readonly ScopedToken[]>
  /** Revokes a token; `undefined` for an unknown id. Revoking again changes nothing. */
  revoke(id: string): Promise<ScopedToken | undefined>
  /** Removes the token of a program: it ends at once, is not listed, and does not count any more. */
  remove(id: string): Promise<void>
  /** The token with this text, also an ended one; `undefined` if unknown. */
  find(text: string): Promise<ScopedToken | undefined>
  /** True until it is revoked or expires. */
  isLive(token: ScopedToken): boolean
  isLiveId(id: string): Promise<boolean>
  /** Records the use of a token, at most once a minute. */
  touch(token: ScopedToken): Promise<void>
}

/** Tokens for programs that a plugin starts, which it removes when they end. */
export const scopedTokens = service<Pick<ScopedTokens, 'create' | 'remove'>>('auth.scoped-tokens')

/** The request that an auth hook decides about. Only path and query of `url` come from the caller. */
export interface HostRequest {
  readonly headers: Headers
  readonly url: URL
  readonly method: string
}

/** The host's own decision. Only `true` admits; a hook that throws or rejects refuses the request. */
export type AuthHook = (request: HostRequest) => boolean | Promise<boolean>

/** Decides in place of every credential who may use a mount; provided by the host. */
export const authHook = service<AuthHook>('host.auth')

/** The caller of a request that watches a draft in a browser; `undefined` for other requests, and without access. */
export type DraftWatcher = (request: GateRequest) => Caller | undefined

/** Recognises visitors who watch a draft; provided by the host. */
export const draftWatcher = service<DraftWatcher>('host.draft-watcher')

/** Whether agents may start a command-line program, which has all rights of this process. */
export interface CommandLinePermit {
  /** Refuses with 403 `cli_disabled` unless `AGENT_CLI` is 1; call it before anything is created. */
  check(): void
}

export const commandLinePermit = service<CommandLinePermit>('auth.command-line')

/** True while a framework is building the host; provided by the host. */
export const frameworkBuild = service<boolean>('host.build')

/** Origins whose pages may call, on which the origin rules are based; provided by the host. */
export const allowedOrigins = service<readonly string[]>('host.origins')

/**
 * Aborts soon after the token of a caller is revoked or expires, for work that continues after its answer; never for callers
 * without a scoped token. The signal of a call aborts as well.
 */
export const accessSignal = ({ limits }: Caller): AbortSignal => AbortSignal.any(limits ? [limits.signal] : [])

const addressNotAllowed = defineRefusal({
  status: 403,
  code: 'token_not_allowed',
  reason: (site: string) => `This token is for the site '${site}' at its registered address. Leave the address out, or use a token that was made without --site.`,
})

/** Refuses with 403 an address from a caller with a token for one site: it may belong to another site. */
export function refuseAddress({ limits }: Caller, address: string | undefined): void {
  if (limits?.site !== undefined && address !== undefined && address.trim() !== '') throw addressNotAllowed(limits.site)
}
