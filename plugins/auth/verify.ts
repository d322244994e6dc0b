import type { Password } from './password.ts'
import type { Throttle } from './throttle.ts'
import type { Tokens } from './tokens.ts'
import { passwordIncorrect, passwordRequired, tooManyGuesses } from './refusals.ts'

/**
 * Creates the exchange of a password for an access token. Without a configured `password` it checks nothing,
 * and the token is invalid. `network` is the origin of the guess; `signal` ends its wait.
 *
 * Refuses with 400 a missing password, with 429 guesses beyond the limit, and with 401 a wrong one.
 */
export function createVerify(context: {
  readonly password: Password | undefined
  readonly tokens: Tokens
  readonly throttle: Throttle
}) {
  const { password, tokens, throttle } = context
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
