import { defineRoutes, events, gates } from '../../../kernel/index.ts'
import { mostRequestBytes, StartRequest } from '../port.ts'
import * as refusals from './refusals.ts'
import { resumeHeaders, Started } from './resume.ts'
import { CancelAnswer, CancelBody, ChatEvent, StreamQuery } from './schemas.ts'

export const routes = defineRoutes({
  start: {
    method: 'POST',
    path: '/chat/start',
    gate: gates.access,
    can: ['plan', 'approve'],
    summary: 'Parks a chat request for a minute and returns the id of the stream that runs it.',
    body: StartRequest,
    maxBytes: mostRequestBytes,
    replies: { 200: Started },
    refusals: [refusals.tooManyRunsOfSession, refusals.tooManyRunsOfOne, refusals.tooManyRuns],
  },
  stream: {
    method: 'GET',
    path: '/chat/stream',
    gate: gates.access,
    can: ['plan', 'approve'],
    summary: 'Runs a parked chat request and streams its events; resumes after Last-Event-ID or afterSeq.',
    headers: resumeHeaders,
    query: StreamQuery,
    replies: { 200: events(ChatEvent, { retry: 60_000, heartbeat: 15_000 }) },
    refusals: [
      refusals.streamIdMissing,
      refusals.originDiffers,
      refusals.streamRunning,
      refusals.streamGone,
      refusals.tooManyReaders,
      refusals.tooManyReadersOfOne,
    ],
  },
  cancel: {
    method: 'POST',
    path: '/chat/cancel',
    gate: gates.access,
    can: ['plan', 'approve'],
    summary: 'Asks a chat run to stop before it changes the draft.',
    body: CancelBody,
    replies: { 200: CancelAnswer },
    refusals: [refusals.runNotFound],
  },
})
