import * as v from 'valibot'
import { BootError, countOption } from '../../kernel/index.ts'

/** The events that endpoints can be sent. */
export const eventTypes = ['draft.changed', 'publish.completed', 'publish.failed'] as const
export type EventType = (typeof eventTypes)[number]

/** Where webhooks go. Its address may hold a secret as well: only its origin is ever shown. */
export interface Endpoint {
  readonly name: string
  readonly url: string
  /** Each signs every message, so that a receiver can change over from one to the next. */
  readonly secrets: readonly string[]
  readonly events: readonly EventType[]
}

const isAddress = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') && url.username === '' && url.password === ''
}
const isKey = (text: string): boolean => {
  const key = text.replace(/^whsec_/, '')
  const { length } = Buffer.from(key, 'base64')
  return /^[A-Za-z\d+/]+={0,2}$/.test(key) && length >= 24 && length <= 64
}
const words = v.transform((text: string) => text.split(/[\s,]+/).filter(Boolean))

const Address = v.pipe(v.string('must be a text'), v.trim(), v.check(isAddress, 'must be an address that begins with https:// or http://, without a login'))
const Secrets = v.pipe(
  v.string('must be a text'),
  words,
  v.check((keys) => keys.length > 0 && keys.every(isKey), 'must be whsec_ and 24 to 64 random bytes in base64, such as `openssl rand -base64 32` writes; several are separated by blanks'),
)
const EventTypes = v.array(v.picklist(eventTypes, `must be ${eventTypes.join(', ')}`))
const milliseconds = v.pipe(v.number(), v.integer(), v.minValue(1))

const seconds = 1_000
const minutes = 60 * seconds
const hours = 60 * minutes
/** Two days and a half in all. */
const usualRetries = [5 * seconds, minutes, 5 * minutes, 30 * minutes, 2 * hours, 6 * hours, 12 * hours, 16 * hours, 24 * hours]

export const WebhookOptions = v.object({
  endpoints: v.optional(
    v.array(
      v.object({
        name: v.pipe(v.string(), v.regex(/^[a-z\d][a-z\d-]{0,39}$/, 'must be at most 40 small letters, digits and hyphens')),
        url: Address,
        secret: Secrets,
        events: v.optional(EventTypes, [...eventTypes]),
      }),
    ),
    [],
  ),
  /** For one attempt, from the connection to the end of the answer. */
  timeoutMs: countOption(15_000),
  /** Waits before further attempts; after the last of them a delivery has failed. */
  retryAfterMs: v.optional(v.array(milliseconds), usualRetries),
  /** To one endpoint at a time. */
  parallel: countOption(4),
  /** How often each endpoint is looked after when nothing else wakes it: another process may have left something. */
  lookEveryMs: countOption(30_000),
  /** Of each endpoint, among those that are over. */
  keptDeliveries: countOption(1_000),
  keptDays: countOption(30),
})
export type WebhookOptions = v.InferOutput<typeof WebhookOptions>

export const WebhookVariables = v.object({
  WEBHOOK_URL: v.pipe(v.optional(Address), v.description('Where messages about changes and publishes are sent, as Standard Webhooks.')),
  WEBHOOK_SECRET: v.pipe(v.optional(Secrets), v.description('Signs them: `whsec_` and 24 to 64 random bytes in base64. Several, separated by blanks, sign each.')),
  WEBHOOK_EVENTS: v.pipe(v.optional(v.pipe(v.string(), words, EventTypes)), v.metadata({ otherwise: 'all' }), v.description(`Which of ${eventTypes.map((type) => `\`${type}\``).join(', ')} are sent.`)),
})
export type WebhookVariables = v.InferOutput<typeof WebhookVariables>

/** The endpoint of the variables, which is called `default`, and those of the options. Throws a BootError where a secret is missing or a name comes twice. */
export function endpointsOf({ endpoints }: Pick<WebhookOptions, 'endpoints'>, env: WebhookVariables): readonly Endpoint[] {
  const { WEBHOOK_URL: url, WEBHOOK_SECRET: secrets, WEBHOOK_EVENTS: events = eventTypes } = env
  if (url !== undefined && !secrets) throw new BootError(['WEBHOOK_URL needs WEBHOOK_SECRET, by which receivers know that a message is yours: set it to whsec_ and what `openssl rand -base64 32` writes'])
  const all = [...(url !== undefined && secrets ? [{ name: 'default', url, secrets, events }] : []), ...endpoints.map(({ secret, ...rest }) => ({ ...rest, secrets: secret }))]
  const twice = all.filter(({ name }, at) => all.findIndex((other) => other.name === name) !== at)
  if (twice.length > 0) throw new BootError(twice.map(({ name }) => `two webhook endpoints have the name '${name}'; rename one`))
  return all
}
