import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import { Webhook } from 'standardwebhooks'
import * as v from 'valibot'
import type { Ask } from '../../kernel/testing.ts'
import { until } from './until.ts'
import { startSite } from './upstream.ts'

export const webhookSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

const Message = v.object({
  type: v.string(),
  timestamp: v.string(),
  data: v.looseObject({ session: v.string(), version: v.optional(v.number()), slugs: v.array(v.string()) }),
})

/** A received message with a valid signature. */
export interface Arrived extends v.InferOutput<typeof Message> {
  readonly id: string
  readonly headers: IncomingHttpHeaders
}

/** Verifies a message with the Standard Webhooks library; throws if the signature does not match. */
export function verified(
  { headers, body }: { readonly headers: IncomingHttpHeaders; readonly body: string },
  secret = webhookSecret,
): Arrived {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers
  const message = new Webhook(secret).verify(body, {
    'webhook-id': String(id),
    'webhook-timestamp': String(timestamp),
    'webhook-signature': String(signature),
  })
  return { ...v.parse(Message, message), id: String(id), headers }
}

/** Starts a receiver with a replaceable answer, `204` at first. */
export async function startReceiver(
  t: Parameters<typeof startSite>[0],
  first: RequestListener = (_, response) => response.writeHead(204).end(),
) {
  let answer = first
  const site = await startSite(t, (request, response) => answer(request, response))
  return {
    origin: site.origin,
    /** With a secret path and query. */
    url: `${site.origin}/hooks/canary-in-path?key=canary-in-query`,
    seen: site.seen,
    messages: (): readonly Arrived[] => site.seen.map((one) => verified(one)),
    answerBy: (listener: RequestListener): void => void (answer = listener),
    /** Resolves after `count` requests. */
    arrived: (count: number): Promise<void> => until(() => site.seen.length >= count, `${count} webhooks`),
  }
}

const Deliveries = v.object({
  deliveries: v.array(
    v.looseObject({
      id: v.string(),
      endpoint: v.string(),
      type: v.string(),
      state: v.string(),
      attempts: v.number(),
      last: v.optional(v.looseObject({ status: v.optional(v.number()), failure: v.optional(v.string()) })),
    }),
  ),
})

/** The deliveries that a service lists. */
export const deliveriesOf = async (
  ask: Ask,
  query = '',
): Promise<v.InferOutput<typeof Deliveries>['deliveries']> =>
  v.parse(Deliveries, (await ask({ url: `/webhooks/deliveries${query}` })).json()).deliveries
