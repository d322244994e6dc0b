import * as v from 'valibot'
import { permissions } from '../../kernel/index.ts'
import { PasswordHash } from './password.ts'
import { TrustedProxies } from './client-address.ts'

const secret = v.pipe(v.string(), v.trim())

export const AuthVariables = v.object({
  ACCESS_PASSWORD_HASH: v.pipe(
    v.optional(PasswordHash),
    v.description('The hash of the password that people exchange for a token; `hash-password` makes one.'),
  ),
  ORCHESTRATOR_ACCESS_TOKEN: v.pipe(v.optional(secret), v.description('A fixed access token, for programs.')),
  ACCESS_TOKEN_SECRET: v.pipe(
    v.optional(secret),
    v.description('Signs the tokens that people get for their password.'),
    v.metadata({ otherwise: 'made once and kept in the store' }),
  ),
  ORCHESTRATOR_GATE: v.pipe(
    v.optional(v.picklist(['all', 'agent'], 'must be all or agent')),
    v.description(
      '`all` makes a server of its own ask for an access token on every route but the public ones, as a mount does.',
    ),
    v.metadata({ otherwise: '`agent`: only the agent surface asks' }),
  ),
  PUBLISH_TOKEN: v.pipe(
    v.optional(secret),
    v.description('The secret that `POST /publish` asks for in the header `x-publish-token`.'),
  ),
  AGENT_SURFACE: v.pipe(
    v.optional(v.picklist(['on', 'off'], 'must be on or off')),
    v.description('Whether agents, which run tools, may be used at all: `on` or `off`.'),
    v.metadata({ otherwise: 'on, in production off' }),
  ),
  AGENT_CLI: v.pipe(
    v.optional(v.picklist(['1', '0'], 'must be 1 or 0')),
    v.description('`1` lets agents start a command-line program, which may do whatever this process may.'),
    v.metadata({ otherwise: '0' }),
  ),
  TRUST_PROXY: v.optional(TrustedProxies),
})
export type AuthVariables = v.InferOutput<typeof AuthVariables>

export const AuthStatus = v.object({
  /** True if clients should ask for a password. */
  gateEnabled: v.boolean(),
  /** How the access gate decides; absent if only the agent surface requires a token. */
  mode: v.optional(v.picklist(['hook', 'token', 'open-dev', 'closed'])),
  /** The reason why a mount is closed. */
  reason: v.optional(v.string()),
})

const can = v.array(v.picklist(permissions))

export const Access = v.object({
  can: v.pipe(can, v.description('The permissions of this caller: all without a scoped token.')),
  site: v.optional(v.pipe(v.string(), v.description('The only site that the token is for.'))),
  expires: v.optional(v.string()),
  publishToken: v.pipe(v.boolean(), v.description('Whether `POST /publish` also asks for PUBLISH_TOKEN.')),
})

export const TokenList = v.object({
  tokens: v.array(
    v.object({
      id: v.string(),
      name: v.string(),
      site: v.optional(v.string()),
      can,
      created: v.string(),
      expires: v.optional(v.string()),
      used: v.optional(v.pipe(v.string(), v.description('The time of the last use, to the minute.'))),
      revoked: v.optional(v.string()),
    }),
  ),
})

/** Accepts anything, because a password is not always required. */
export const Guess = v.fallback(
  v.object({ password: v.fallback(v.optional(v.pipe(v.string(), v.examples(['secret']))), undefined) }),
  {},
)

export const Verified = v.object({ ok: v.literal(true), accessToken: v.string() })
export const Unavailable = v.object({
  ok: v.literal(false),
  error: v.literal('unavailable'),
  reason: v.string(),
})
