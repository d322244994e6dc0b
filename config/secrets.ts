import type { Environment } from './env.ts'

/** Variables whose values are never shown and never logged. */
const secretVariables: ReadonlySet<string> = new Set([
  'ACCESS_PASSWORD_HASH',
  'ACCESS_TOKEN_SECRET',
  'CONTENTFUL_DELIVERY_TOKEN',
  'DATABASE_URL',
  'DRAFT_MODE_SECRET',
  'GOOGLE_SERVICE_ACCOUNT_KEY_JSON',
  'JIRA_API_TOKEN',
  'JIRA_WEBHOOK_SECRET',
  'MCP_BEARER_TOKEN',
  'ORCHESTRATOR_ACCESS_TOKEN',
  'PUBLISH_TOKEN',
  'UNSPLASH_ACCESS_KEY',
  'VERCEL_DEPLOY_HOOK_URL',
  'VERCEL_TOKEN',
  'WEBHOOK_SECRET',
  'WEBHOOK_URL',
])

/** Endings by which the variables of in-house plugins are known as secrets too. */
const secretEnding =
  /_(?:API_KEY|ACCESS_KEY|PRIVATE_KEY|SECRET|SECRET_KEY|TOKEN|PASSWORD|PASSWORD_HASH|CREDENTIALS)$/

/** An address that carries a user name or password. */
const credentialInAddress = /^[a-z][a-z\d+.-]*:\/\/[^/\s]*@/i

/** True for a variable whose value is a secret by its name. */
export function isSecretVariable(name: string): boolean {
  return secretVariables.has(name) || secretEnding.test(name)
}

/** The values that must never appear in a log line. */
export function secretValues(env: Environment): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && isSecret(name, value) ? [value] : [],
  )
}

/** A value as it may be shown: `set (masked)` instead of a secret. */
export function toShown(name: string, value: string): string {
  return isSecret(name, value) ? 'set (masked)' : value
}

const isSecret = (name: string, value: string): boolean =>
  isSecretVariable(name) || credentialInAddress.test(value)
