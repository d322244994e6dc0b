import * as v from 'valibot'
import { PasswordHash } from './password.ts'
import { TrustedProxies } from './client-address.ts'

const secret = v.pipe(v.string(), v.trim())
const whileBuilding = 'Tells that a framework is building the site, when a closed mount is nothing to alarm about.'

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
  PUBLISH_TOKEN: v.pipe(
    v.optional(secret),
    v.description('The secret that `POST /publish` asks for in the header `x-publish-token`.'),
  ),
  AGENT_SURFACE: v.pipe(
    v.optional(v.picklist(['on', 'off'], 'must be on or off')),
    v.description('Whether agents, which run tools, may be used at all: `on` or `off`.'),
    v.metadata({ otherwise: 'on, in production off' }),
  ),
  TRUST_PROXY: v.optional(TrustedProxies),
  NEXT_PHASE: v.pipe(v.optional(v.string()), v.description(whileBuilding)),
  npm_lifecycle_event: v.pipe(v.optional(v.string()), v.description(whileBuilding)),
})
export type AuthVariables = v.InferOutput<typeof AuthVariables>

export const AuthStatus = v.object({
  /** Whether to show a password box. */
  gateEnabled: v.boolean(),
  /** Whether other requests will be accepted; told by a mount only. */
  mode: v.optional(v.picklist(['hook', 'token', 'open-dev', 'closed'])),
  /** Why a closed mount is closed. */
  reason: v.optional(v.string()),
})

/** Anything is read: where no password is asked for, none has to be sent. */
export const Guess = v.fallback(v.object({ password: v.fallback(v.optional(v.pipe(v.string(), v.examples(['secret']))), undefined) }), {})

export const Verified = v.object({ ok: v.literal(true), accessToken: v.string() })
export const Unavailable = v.object({
  ok: v.literal(false),
  error: v.literal('unavailable'),
  reason: v.string(),
})
