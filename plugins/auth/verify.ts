import { defineRefusal } from '../../kernel/index.ts'
import type { Password } from './password.ts'
import type { Throttle } from './throttle.ts'
import type { Tokens } from './tokens.ts'

/**
 * Creates the exchange of a password for an access token. Without a configured `password` it checks nothing,
 * and the token is invalid. `network` is the origin of the guess; `signal` ends its wait.
 *
 * Refuses with 400 a missing password, with 429 guesses beyond the limit, and with 401 a wrong one.
 */
export function createVerify({ password, tokens, throttle }: {
  readonly password: Password | undefined
  readonly tokens: Tokens
  readonly throttle: Throttle
}) {
  return async (guess: string | undefined, network: string, signal: AbortSignal): Promise<string> => {
    if (!password) return tokens.issue()
    if (guess === undefined || guess === '') throw passwordRequired()
    const wait = await throttle.take(network, signal)
    if (wait > 0) throw tooManyGuesses(Math.ceil(wait / 1000))
    if (!(await password.matches(guess))) throw passwordIncorrect()
    await throttle.giveBack(network)
    return tokens.issue()
  }
}

const passwordRequired = defineRefusal({
  status: 400,
  code: 'invalid_request',
  reason: () => 'password is required',
})

const passwordIncorrect = defineRefusal({
  status: 401,
  code: 'password_incorrect',
  reason: () => 'The password is not correct. Check it and try again.',
  extra: () => ({ ok: false }),
})

export const cliDisabled = defineRefusal({
  status: 403,
  code: 'cli_disabled',
  reason: () => 'Agents may not start a command-line program here. Set AGENT_CLI=1 where that is wanted, and start again.',
})

const tooManyGuesses = defineRefusal({
  status: 429,
  code: 'rate_limited',
  reason: (seconds: number) => `Too many wrong passwords. Try again in ${seconds} s.`,
  extra: (retryAfterSeconds) => ({ ok: false, retryAfterSeconds }),
  headers: (seconds) => ({ 'retry-after': String(seconds) }),
})
