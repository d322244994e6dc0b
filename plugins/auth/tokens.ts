import { createHmac, createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto'
import { queryValue, safeEqual, type Caller, type Clock, type GateRequest } from '../../kernel/index.ts'
import type { AccessTokens } from './port.ts'

/** Access tokens: those issued for the password, and the fixed one. */
export interface Tokens extends AccessTokens {
  /** Issues a token for the right password. Without a configured password the token is invalid. */
  issue(): string
  /** Names a token of these for a signature: the name is another one once the token or the password is. */
  nameOf(caller: Caller): string | undefined
  /** Whether a token with this name may be valid. */
  isNamed(name: string): boolean
}

const lifetimeSeconds = 30 * 24 * 60 * 60
const fixedHolder: Caller = { via: 'token', id: 'fixed' }

/**
 * Creates the service of access tokens.
 *
 * An issued token is `<end>.<name>.<signature>`: its expiry in seconds since 1970, 16 random bytes, and an
 * HMAC over both. The key is derived from the secret and the password hash: a change of either invalidates
 * all tokens. Nothing is stored per token: it survives restarts, and is valid on replicas with the same two.
 */
export function createTokens({
  secret,
  password,
  fixed,
  clock,
}: {
  readonly secret: string
  /** The fingerprint of the password. */
  readonly password: string | undefined
  /** `ORCHESTRATOR_ACCESS_TOKEN`. */
  readonly fixed: string | undefined
  readonly clock: Clock
}): Tokens {
  const key = password === undefined ? undefined : toKey(secret, password)
  const seconds = (): number => Math.floor(clock.now().getTime() / 1000)

  const fixedName =
    fixed === undefined ? undefined : `fixed.${sign(fixed, createSecretKey(Buffer.from(secret)))}`
  const issuedName = key && `issued.${sign('signer', key)}`

  const holderOf = (token: string): Caller | undefined => {
    if (fixed !== undefined && safeEqual(token, fixed)) return fixedHolder
    const [end = '', name = '', signature = '', ...rest] = token.split('.')
    if (key === undefined || rest.length > 0) return undefined
    const genuine = safeEqual(signature, sign(`${end}.${name}`, key))
    return genuine && Number(end) > seconds()
      ? { via: 'token', id: name, until: Number(end) * 1000 }
      : undefined
  }

  return {
    configured: key !== undefined || fixed !== undefined,
    nameOf: ({ via, id }) => (via !== 'token' ? undefined : id === fixedHolder.id ? fixedName : issuedName),
    isNamed: (name) => name === fixedName || name === issuedName,
    issue() {
      const content = `${seconds() + lifetimeSeconds}.${randomBytes(16).toString('base64url')}`
      return `${content}.${sign(content, key ?? createSecretKey(randomBytes(32)))}`
    },
    holder(request) {
      for (const token of presented(request)) {
        const holder = holderOf(token)
        if (holder) return holder
      }
      return undefined
    },
  }
}

/** A key object, because HMAC would import plain bytes on every call, at several times the cost. */
const toKey = (secret: string, password: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', secret, password, 'access token', 32)))

const sign = (content: string, key: KeyObject): string =>
  createHmac('sha256', key).update(content).digest('base64url')

/** Returns the tokens of a request from all places. The query is for EventSource, which sends no headers. */
export function presented({ header, search }: Pick<GateRequest, 'header' | 'search'>): readonly string[] {
  const [, bearer = ''] = header('authorization')?.match(/^Bearer (.*)/i) ?? []
  const tokens = [header('x-access-token') ?? '', bearer.trim(), queryValue(search, 'accessToken') ?? '']
  return tokens.filter((token) => token !== '')
}
