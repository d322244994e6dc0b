import * as v from 'valibot'
import { PasswordHash } from './password.ts'
import { TrustedProxies } from './client-address.ts'

const secret = v.pipe(v.string(), v.trim())

export const AuthVariables = v.object({
  ACCESS_PASSWORD_HASH: v.optional(PasswordHash),
  ORCHESTRATOR_ACCESS_TOKEN: v.optional(secret),
  ACCESS_TOKEN_SECRET: v.optional(secret),
  PUBLISH_TOKEN: v.optional(secret),
  AGENT_SURFACE: v.optional(v.picklist(['on', 'off'], 'must be on or off')),
  TRUST_PROXY: v.optional(TrustedProxies),
  /** Both say that a framework is building the site just now. */
  NEXT_PHASE: v.optional(v.string()),
  npm_lifecycle_event: v.optional(v.string()),
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
