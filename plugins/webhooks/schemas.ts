import * as v from 'valibot'
import { limitQuery } from '../content/limit.ts'
import { eventTypes } from './settings.ts'

const EventType = v.picklist(eventTypes)
const State = v.picklist(['waiting', 'delivered', 'failed'])

export const Endpoints = v.object({
  endpoints: v.array(
    v.object({
      name: v.string(),
      origin: v.pipe(v.string(), v.description('The rest of the address may be secret and is not shown.')),
      events: v.array(EventType),
      waiting: v.pipe(v.number(), v.description('The number of pending deliveries.')),
    }),
  ),
})

export const DeliveriesQuery = v.object({
  endpoint: v.optional(v.pipe(v.string(), v.description('The name of an endpoint; by default all.'))),
  state: v.optional(State),
  limit: limitQuery(50, 200),
})

export const Deliveries = v.object({
  deliveries: v.array(
    v.object({
      id: v.pipe(v.string(), v.description('The `webhook-id` of every attempt.')),
      endpoint: v.string(),
      type: EventType,
      state: State,
      createdAt: v.string(),
      attempts: v.pipe(v.number(), v.description('Since creation or replay.')),
      nextAttemptAt: v.optional(v.string()),
      interrupted: v.optional(
        v.pipe(
          v.number(),
          v.description('How many attempts ended with their process: whether they arrived is not known.'),
        ),
      ),
      last: v.optional(
        v.object({
          at: v.string(),
          milliseconds: v.number(),
          status: v.optional(v.pipe(v.number(), v.description('The status of the answer.'))),
          failure: v.optional(v.pipe(v.string(), v.description('The reason why there was no answer.'))),
        }),
      ),
    }),
  ),
})

export const DeliveryParams = v.object({
  id: v.pipe(
    v.string(),
    v.regex(/^msg_[a-z\d]+_[a-z\d]+$/, 'must be the id of a delivery'),
    v.examples(['msg_0mi8kz2p0_0b9e6f7c1d2a4e5f8a9b0c1d2e3f4a5b']),
  ),
})
export const Replayed = v.object({ id: v.string(), state: v.literal('waiting') })
