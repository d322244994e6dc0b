import type { Environment } from './env.ts'

/** Variables whose values are never shown or logged, besides those with the ending of a secret. */
const secretVariables = new Set([
  'DATABASE_URL',
  'GOOGLE_SERVICE_ACCOUNT_KEY_JSON',
  'VERCEL_DEPLOY_HOOK_URL',
  'WEBHOOK_URL',
])
/** Endings of the names of secrets, including those of in-house plugins. */
const secretEnding =
  /_(?:API_KEY|ACCESS_KEY|PRIVATE_KEY|SECRET|SECRET_KEY|TOKEN|PASSWORD|PASSWORD_HASH|CREDENTIALS)$/
const address = /^[a-z][a-z\d+.-]*:\/\/(\S*)/i
const secretParameter = /key|secret|token|password/i

/** True for an address with a user name or password, or with a parameter that is named like a secret. */
function hasCredential(value: string): boolean {
  const [, rest = ''] = address.exec(value) ?? []
  const names = rest.split('&').flatMap((part, at) =>
    part
      .split('=')
      .slice(0, -1)
      // A name follows `&`, or any `?`, which it may contain as well.
      .map((piece, nth) => (at > 0 && nth === 0 ? piece : piece.split('?').slice(1).join('?'))),
  )
  return /^[^/]*@/.test(rest) || names.some((name) => secretParameter.test(name))
}

/** True if the name of a variable marks its value as secret. */
export const isSecretVariable = (name: string): boolean =>
  secretVariables.has(name) || secretEnding.test(name)

const isSecret = (name: string, value: string): boolean => isSecretVariable(name) || hasCredential(value)

/** Returns the values that must never appear in a log line. */
export function secretValues(env: Environment): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && isSecret(name, value) ? [value] : [],
  )
}

/** Formats a value for display: `set (masked)` instead of a secret. */
export const toShown = (name: string, value: string): string =>
  isSecret(name, value) ? 'set (masked)' : value

/** Returns the variables for a program of a website: all but the secrets among those that the service reads. */
export const withoutSecrets = (env: Environment, read: readonly string[]): Environment =>
  Object.fromEntries(
    Object.entries(env).filter(
      ([name, value]) => value !== undefined && !(read.includes(name) && isSecret(name, value)),
    ),
  )
