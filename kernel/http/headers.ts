/** Alternating header names and values, the form that `node:http` writes fastest. */
export type HeaderList = readonly string[]

/** Request headers that carry a secret. Gates read them, logs redact them, preflights allow the first three. */
export const credentialHeaders = [
  'authorization',
  'x-access-token',
  'x-publish-token',
  'cookie',
  'x-jira-webhook-secret',
  'x-hub-signature',
] as const

/** Request headers that a browser on an allowed origin may send. */
export const allowedHeaders = [
  'content-type',
  'authorization',
  'x-access-token',
  'x-publish-token',
  'if-match',
  'if-none-match',
  'idempotency-key',
  'last-event-id',
] as const

/** Response headers that a script on an allowed origin may read. */
export const exposedHeaders = ['etag', 'retry-after', 'x-request-id'] as const

export const allowedMethods = ['GET', 'HEAD', 'PUT', 'PATCH', 'POST', 'DELETE'] as const

/** Default headers of every answer. */
export const defaultHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  vary: 'Origin',
}

const defaults = Object.entries(defaultHeaders)
const unsendable = /[^\t\x20-\x7e\x80-\xff]/

/** The headers that an answer sets itself, by lower-case name; each of several values gets its own line. */
export type OwnHeaders = Readonly<Record<string, string | readonly string[]>>

/** Adds the default headers to an answer's own. Throws for a value that is invalid in a header. */
export function withDefaults(own: OwnHeaders): HeaderList {
  const list: string[] = []
  for (const name in own) {
    const values = own[name] ?? []
    for (const value of typeof values === 'string' ? [values] : values) {
      if (unsendable.test(value))
        throw new Error(`the header '${name}' holds a line break or another character that cannot be sent`)
      list.push(name, value)
    }
  }
  for (const [name, value] of defaults) if (own[name] === undefined) list.push(name, value)
  return list
}
