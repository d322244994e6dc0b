import * as v from 'valibot'
import { BootError, countOption } from '../../kernel/index.ts'
import { toOrigin } from '../outbound/port.ts'

/** The events that can be sent. */
export const eventTypes = ['draft.changed', 'publish.completed', 'publish.failed'] as const
export type EventType = (typeof eventTypes)[number]

/** A receiver of webhooks. Its address may contain a secret, so only the origin is ever shown. */
export interface Endpoint {
  readonly name: string
  readonly url: string
  /** Every message is signed with each of these, so that receivers can rotate secrets. */
  readonly secrets: readonly string[]
  readonly events: readonly EventType[]
}

const isAddress = (text: string): boolean => toOrigin(text) !== undefined
const isKey = (text: string): boolean => {
  const key = text.replace(/^whsec_/, '')
  const { length } = Buffer.from(key, 'base64')
  return /^[A-Za-z\d+/]+={0,2}$/.test(key) && length >= 24 && length <= 64
}
const words = v.transform((text: string) => text.split(/[\s,]+/).filter(Boolean))

const Address = v.pipe(
  v.string('must be a text'),
  v.trim(),
  v.check(isAddress, 'must be an address that begins with https:// or http://, without credentials'),
)
const Secrets = v.pipe(
  v.string('must be a text'),
  words,
  v.check(
    (keys) => keys.length > 0 && keys.every(isKey),
    'must be whsec_ and 24 to 64 random bytes in base64, such as the output of `openssl rand -base64 32`; separate several with spaces',
  ),
)
const EventTypes = v.array(v.picklist(eventTypes, `must be ${eventTypes.join(', ')}`))
const milliseconds = v.pipe(v.number(), v.integer(), v.minValue(1))

const seconds = 1_000
const minutes = 60 * seconds
const hours = 60 * minutes
/** Two and a half days in total. */
const defaultRetries = [
  5 * seconds,
  minutes,
  5 * minutes,
  30 * minutes,
  2 * hours,
  6 * hours,
  12 * hours,
  16 * hours,
  24 * hours,
]

export const WebhookOptions = v.object({
  endpoints: v.optional(
    v.array(
      v.object({
        name: v.pipe(
          v.string(),
          v.regex(/^[a-z\d][a-z\d-]{0,39}$/, 'must be at most 40 lower-case letters, digits and hyphens'),
        ),
        url: Address,
        secret: Secrets,
        events: v.optional(EventTypes, [...eventTypes]),
      }),
    ),
    [],
  ),
  /** The time limit of one attempt, from the connection to the end of the answer. */
  timeoutMs: countOption(15_000),
  /** The delays before further attempts; after the last one the delivery fails. */
  retryAfterMs: v.optional(v.array(milliseconds), defaultRetries),
  /** Concurrent attempts per endpoint. */
  parallel: countOption(4),
  /** The interval at which deliveries left by other processes are looked up. */
  lookEveryMs: countOption(30_000),
  /** The maximum number of pending deliveries per endpoint; beyond it the oldest are dropped. */
  maxWaiting: countOption(10_000),
  /** The maximum bytes of their messages. */
  maxWaitingBytes: countOption(64 * 1024 * 1024),
  /** The maximum number of ended deliveries per endpoint. */
  keptDeliveries: countOption(1_000),
})
export type WebhookOptions = v.InferOutput<typeof WebhookOptions>

export const WebhookVariables = v.object({
  WEBHOOK_URL: v.pipe(
    v.optional(Address),
    v.description('The address that receives messages about changes and publishes, as Standard Webhooks.'),
  ),
  WEBHOOK_SECRET: v.pipe(
    v.optional(Secrets),
    v.description(
      'The secret that signs them: `whsec_` and 24 to 64 random bytes in base64. With several, separated by spaces, each signs every message.',
    ),
  ),
  WEBHOOK_EVENTS: v.pipe(
    v.optional(v.pipe(v.string(), words, EventTypes)),
    v.metadata({ otherwise: 'all' }),
    v.description(`The events to send: ${eventTypes.map((type) => `\`${type}\``).join(', ')}.`),
  ),
})
export type WebhookVariables = v.InferOutput<typeof WebhookVariables>

/** Returns the environment's endpoint, named `default`, and the configured ones. Throws a BootError. */
export function endpointsOf(
  { endpoints }: Pick<WebhookOptions, 'endpoints'>,
  env: WebhookVariables,
): readonly Endpoint[] {
  const { WEBHOOK_URL: url, WEBHOOK_SECRET: secrets, WEBHOOK_EVENTS: events = eventTypes } = env
  if (url !== undefined && !secrets)
    throw new BootError([
      'WEBHOOK_URL needs WEBHOOK_SECRET, with which receivers verify messages: set it to whsec_ and the output of `openssl rand -base64 32`',
    ])
  const all = [
    ...(url !== undefined && secrets ? [{ name: 'default', url, secrets, events }] : []),
    ...endpoints.map(({ secret, ...rest }) => ({ ...rest, secrets: secret })),
  ]
  const twice = all.filter(({ name }, at) => all.findIndex((other) => other.name === name) !== at)
  if (twice.length > 0)
    throw new BootError(twice.map(({ name }) => `two webhook endpoints have the name '${name}'; rename one`))
  return all
}
