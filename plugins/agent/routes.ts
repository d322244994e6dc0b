import * as v from 'valibot'
import { defineRoutes, events, gates } from '../../kernel/index.ts'
import { AgentBody, CancelBody, Chatted, NotChatted, Started, StreamedEvent, StreamQuery } from './schemas.ts'

const common = { gate: gates.agent, internal: true } as const

export const routes = defineRoutes({
  start: {
    ...common,
    method: 'POST',
    path: '/agent/start',
    summary: 'Accepts a request for the content agent and returns the id of its stream, which has to be opened within two minutes and is a secret: it also cancels the run.',
    body: AgentBody,
    replies: { 200: Started },
    refusals: { 400: 'message_required, site_required, schema_violation', 429: 'too_many_runs', 500: 'agent_key_unrecognized', 501: 'agent_not_configured' },
  },
  stream: {
    ...common,
    method: 'GET',
    path: '/agent/stream',
    sites: 'own',
    summary: 'Runs an accepted request and streams its events; resumes after Last-Event-ID or afterSeq.',
    headers: { 'last-event-id': 'The id of the last event received; the stream continues after it.' },
    query: StreamQuery,
    replies: { 200: events(StreamedEvent, { retry: 60_000, heartbeat: 15_000 }) },
    refusals: { 400: 'stream_required', 403: 'not_the_starter', 410: 'stream_gone', 429: 'too_many_runs, too_many_streams' },
  },
  cancel: {
    ...common,
    method: 'POST',
    path: '/agent/cancel',
    sites: 'own',
    summary: 'Asks a run to stop; its changes stay and can be undone.',
    body: CancelBody,
    replies: { 200: v.object({ ok: v.literal(true) }) },
    refusals: { 400: 'stream_required', 403: 'not_the_starter', 410: 'stream_gone' },
  },
  chat: {
    ...common,
    method: 'POST',
    path: '/agent/chat',
    summary: 'Runs a request of the content agent and answers when it is done.',
    body: AgentBody,
    replies: { 200: Chatted, 500: NotChatted },
    refusals: { 400: 'message_required, site_required, schema_violation', 429: 'too_many_runs', 501: 'agent_not_configured' },
  },
})
