import type { Logger, Shape } from '../../kernel/index.ts'
import { agentNeedsCredential } from './gates.ts'
import { closedReason, type GateMode } from './mode.ts'
import type { AuthVariables } from './schemas.ts'

const shortSecret = 16

export interface BootFacts {
  readonly env: AuthVariables
  readonly shape: Shape
  /** `undefined` where the access gate is open without one. */
  readonly mode: GateMode | undefined
  readonly production: boolean
  /** A framework is building the site, which loads its routes and calls none of them. */
  readonly building: boolean
}

/** Tells the operator after the boot what is closed, left out, or weaker than it could be; never a value. */
export function writeBootNotes(log: Logger, { env, shape, mode, production, building }: BootFacts): void {
  if (env.ACCESS_PASSWORD_HASH?.form === 'sha256') {
    const better = 'make a better one with: npx content-orchestrator hash-password'
    log.warn({ variable: 'ACCESS_PASSWORD_HASH' }, `hash has no salt and is quick to guess from; ${better}`)
  }
  if (env.ACCESS_TOKEN_SECRET !== undefined && env.ACCESS_TOKEN_SECRET.length < shortSecret) {
    const better = 'use 32 random characters'
    log.warn({ variable: 'ACCESS_TOKEN_SECRET' }, `secret is so short that a token gives it away; ${better}`)
  }
  const credential = env.ACCESS_PASSWORD_HASH ?? env.ORCHESTRATOR_ACCESS_TOKEN
  if (production && env.AGENT_SURFACE === 'on' && credential === undefined) {
    log.error({ variable: 'AGENT_SURFACE' }, `agent surface left out: ${agentNeedsCredential}`)
  }
  if (mode === 'closed') {
    // The variables may still come, with the process that serves what is built now.
    const level = building ? 'warn' : 'error'
    const what = shape === 'library' ? 'library mode' : 'this server'
    log[level]({ mode }, `${what} is closed, every request is refused: ${closedReason}`)
  }
}
