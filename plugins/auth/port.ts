import { service, type Caller, type GateRequest, type Permission } from '../../kernel/index.ts'

export { accessSignal, refuseAddress } from './caller-limits.ts'
export { clientAddress, networkOf, ProxyVariables, shareHolder, TrustedProxies } from './client-address.ts'
export { cliDisabled } from './refusals.ts'
export { createSealer, type Sealer } from './sealed.ts'
export { keptSecret } from './stored-secret.ts'
export { isLocalCaller, isLoopback, isLoopbackHost } from './loopback.ts'
export { createSharedWindows } from './shared-window.ts'
export { createWindows } from './window.ts'

/** Recognises valid access tokens, for gates of other plugins. */
export interface AccessTokens {
  /** True if a password or a fixed token is configured, so that valid tokens can exist. */
  readonly configured: boolean
  /** Returns the holder of the first valid token of a request; `undefined` without one. */
  holder(request: Pick<GateRequest, 'header' | 'search'>): Caller | undefined
}

/** The access tokens of this installation, even if the access gate requires none. */
export const accessTokens = service<AccessTokens>('auth.tokens')

/** A token with limited permissions, without its secret. Times are ISO 8601. */
export interface ScopedToken {
  readonly id: string
  readonly name: string
  /** The only site for which the token is valid; default: every site. */
  readonly site?: string
  readonly can: readonly Permission[]
  readonly created: string
  readonly expires?: string
  /** The time of the last use, to the minute. */
  readonly used?: string
  readonly revoked?: string
}

export type NewToken = Pick<ScopedToken, 'name' | 'site' | 'can' | 'expires'>

/** Scoped tokens. Any process with the store can create, list and revoke them; each request looks them up. */
export interface ScopedTokens {
  /** Creates a token and returns its text, which is not stored. Refuses with 409 if there are too many. */
  create(token: NewToken): Promise<{ readonly token: ScopedToken; readonly text: string }>
  /** Returns all tokens, newest first. */
  list(): Promise<readonly ScopedToken[]>
  /** Revokes a token; returns `undefined` for an unknown id. Idempotent. */
  revoke(id: string): Promise<ScopedToken | undefined>
  /** Revokes the token of a program at once, and removes it from the list and the count. */
  remove(id: string): Promise<void>
  /** Returns the token with this text, even an ended one; `undefined` if unknown. */
  find(text: string): Promise<ScopedToken | undefined>
  /** True until the token is revoked or expires. */
  isLive(token: ScopedToken): boolean
  isLiveId(id: string): Promise<boolean>
  /** Returns the token with this id until it is revoked or expires. */
  liveOf(id: string): Promise<ScopedToken | undefined>
  /** Records the use of a token, at most once a minute. */
  touch(token: ScopedToken): Promise<void>
}

type ProgramTokens = Pick<ScopedTokens, 'create' | 'remove' | 'isLiveId'>
/** Tokens for programs that a plugin starts, which it removes when they end. */
export const scopedTokens = service<ProgramTokens>('auth.scoped-tokens')

/** The tokens that have asked for a signature, such as a link to a draft, which ends with them. */
export interface Signers {
  /** Names the token of a caller, for the signature; `undefined` without one. */
  nameOf(caller: Caller): string | undefined
  /** False once the token was revoked, has expired, or was replaced by another one. */
  isLive(name: string): Promise<boolean>
}

/** The tokens that have asked for a signature, such as a link to a draft, which ends with them. */
export const signers = service<Signers>('auth.signers')

/** The header in which a site names the token that signed the entry of the browser for which it reads a draft. */
export const signerHeader = 'x-draft-signer'

/** The request that an auth hook decides on. Only the path and query of `url` come from the caller. */
export interface HostRequest {
  readonly headers: Headers
  readonly url: URL
  readonly method: string
}

/** The decision of the host. Only `true` admits; a hook that throws or rejects refuses the request. */
export type AuthHook = (request: HostRequest) => boolean | Promise<boolean>

/** Decides instead of all credentials who may use a mount; provided by the host. */
export const authHook = service<AuthHook>('host.auth')

/**
 * The caller of a request that watches a draft in a browser, with the name of the token that signed its access;
 * `undefined` for other requests, and without access.
 */
export type DraftWatcher = (request: GateRequest) => (Caller & { readonly by?: string }) | undefined

/** Recognises visitors who watch a draft; provided by the host. */
export const draftWatcher = service<DraftWatcher>('host.draft-watcher')

/**
 * True if `AGENT_CLI` is 1: agents may start a command-line program, which has all rights of this process.
 * Otherwise refuse with `cliDisabled` before creating anything.
 */
export const commandLinePermit = service<boolean>('auth.command-line')

/** True while a framework builds the host; provided by the host. */
export const frameworkBuild = service<boolean>('host.build')

/** Origins whose pages may call; provided by the host. */
export const allowedOrigins = service<readonly string[]>('host.origins')
