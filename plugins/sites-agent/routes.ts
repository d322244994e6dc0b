import { defineRoutes, events, gates } from '../../kernel/index.ts'
import * as v from 'valibot'
import { CancelBody, Frame, Ok, RespondBody, RunStatus, Started, StartBody, StreamQuery, SurfaceStatus } from './schemas.ts'

export const routes = defineRoutes({
  start: {
    method: 'POST',
    path: '/sites-agent/start',
    gate: gates.agent,
    summary: 'Accepts a request to set up a website and returns the id of its stream, which has to be opened within two minutes and is a secret: it also answers the questions of the run.',
    body: StartBody,
    replies: { 200: Started },
    refusals: { 400: 'message_required, invalid_mode', 403: 'cli_disabled', 429: 'too_many_runs', 501: 'cli_unavailable', 503: 'sites_agent_not_configured' },
  },
  stream: {
    method: 'GET',
    path: '/sites-agent/stream',
    gate: gates.agent,
    summary: 'Runs an accepted request and streams its events; resumes after Last-Event-ID or afterSeq.',
    headers: { 'last-event-id': 'The id of the last event received; the stream continues after it.' },
    query: StreamQuery,
    replies: { 200: events(Frame, { retry: 60_000, heartbeat: 15_000 }) },
    refusals: { 400: 'stream_required', 403: 'not_the_starter', 410: 'stream_gone', 429: 'too_many_runs, too_many_streams' },
  },
  respond: {
    method: 'POST',
    path: '/sites-agent/respond',
    gate: gates.agent,
    summary: 'Answers the questions of a run.',
    body: RespondBody,
    replies: { 200: Ok },
    refusals: { 400: 'stream_required, answers_required, unknown_question', 403: 'not_the_starter', 409: 'approval_mismatch', 410: 'no_pending_approval, stream_gone' },
  },
  cancel: {
    method: 'POST',
    path: '/sites-agent/cancel',
    gate: gates.agent,
    summary: 'Ends a run and every process that it started; its written files stay.',
    body: CancelBody,
    replies: { 200: Ok },
    refusals: { 400: 'stream_required', 403: 'not_the_starter', 410: 'stream_gone' },
  },
  status: {
    method: 'GET',
    path: '/sites-agent/status',
    gate: gates.agent,
    summary: 'Gets the status of a run or, without streamId, what the onboarding agent can do here.',
    query: v.pick(StreamQuery, ['streamId']),
    replies: { 200: v.union([RunStatus, SurfaceStatus]) },
    refusals: { 403: 'not_the_starter', 410: 'stream_gone' },
  },
})
