import * as v from 'valibot'
import { defineRoutes, events, gates } from '../../kernel/index.ts'
import { ChangeEvent } from '../draft/port.ts'
import { Person } from '../presence/port.ts'
import { SiteId, Session } from '../scope/port.ts'
import { tooManyStreams } from './refusals.ts'

/** One event; `type` determines its other fields. */
export const StreamEvent = v.variant('type', [
  v.object({ type: v.literal('hello'), previewVersion: v.number() }),
  v.object({ type: v.literal('reset'), previewVersion: v.number() }),
  v.object({ type: v.picklist(['draft', 'history']), ...v.omit(ChangeEvent, ['at']).entries }),
  v.object({
    type: v.literal('publish'),
    session: v.string(),
    siteId: v.string(),
    id: v.string(),
    status: v.string(),
    at: v.string(),
  }),
  v.object({ type: v.literal('presence'), session: v.string(), siteId: v.string(), people: v.array(Person) }),
])
export type StreamEvent = v.InferOutput<typeof StreamEvent>

export const routes = defineRoutes({
  events: {
    method: 'GET',
    path: '/events',
    gate: gates.access,
    summary: 'Streams the changes of a draft as they are committed; resumes after Last-Event-ID.',
    headers: {
      'last-event-id':
        'The id of the last event that was seen: the stream goes on after it, and misses none.',
    },
    query: v.object({
      session: Session,
      siteId: SiteId,
      lastEventId: v.optional(v.string()),
      presence: v.optional(
        v.pipe(
          v.picklist(['1', '0'], 'must be 1 or 0'),
          v.description(
            '1 adds events of the type `presence`: who is at the draft, at the start and whenever it changes.',
          ),
        ),
      ),
      accessToken: v.optional(v.string()),
    }),
    tag: 'Draft',
    replies: { 200: events(StreamEvent, { retry: 5_000, heartbeat: 15_000 }) },
    refusals: [tooManyStreams],
  },
})
