import { defineRoutes, events, gates } from '../../kernel/index.ts'
import { mostRequestBytes } from '../chat/port.ts'
import { CancelAnswer, CancelBody, StartBody, Started, StreamEvent, StreamQuery } from './schemas.ts'

export const routes = defineRoutes({
  start: {
    method: 'POST',
    path: '/chat/start',
    gate: gates.access,
    can: 'plan',
    summary: 'Takes a chat request and gives the id of the stream that runs it; it waits there for a minute.',
    body: StartBody,
    limit: mostRequestBytes,
    replies: { 200: Started },
    refusals: { 429: 'too_many_runs' },
  },
  stream: {
    method: 'GET',
    path: '/chat/stream',
    gate: gates.access,
    can: 'plan',
    summary: 'Runs a chat request that was started, and streams what happens; resumes after Last-Event-ID or afterSeq.',
    headers: { 'last-event-id': 'The id of the last event that was seen: the stream goes on after it.' },
    query: StreamQuery,
    replies: { 200: events(StreamEvent, { retry: 60_000, heartbeat: 15_000 }) },
    refusals: {
      400: 'stream_id_missing',
      403: 'origin_differs',
      409: 'stream_running',
      410: 'stream_gone',
      429: 'too_many_streams',
    },
  },
  cancel: {
    method: 'POST',
    path: '/chat/cancel',
    gate: gates.access,
    can: 'plan',
    summary: 'Asks a run of chat to stop and to take back what it applied.',
    body: CancelBody,
    replies: { 200: CancelAnswer },
    refusals: { 404: 'not_found' },
  },
})
