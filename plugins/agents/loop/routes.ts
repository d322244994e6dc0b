import * as v from 'valibot'
import { defineRoutes, events, gates } from '../../../kernel/index.ts'
import { resumeHeaders, Started } from '../../chat/streams/port.ts'
import { invalidField } from '../../draft/port.ts'
import {
  agentKeyUnrecognized,
  agentNotConfigured,
  messageRequired,
  notTheStarter,
  siteRequired,
  streamGone,
  streamRequired,
  tooManyReaders,
  tooManyRuns,
} from './refusals.ts'
import { AgentBody, CancelBody, Chatted, NotChatted, StreamedEvent, StreamQuery } from './schemas.ts'

const common = { gate: gates.agent, internal: true } as const

const starting = [messageRequired, siteRequired, invalidField, tooManyRuns, agentNotConfigured]
const following = [streamRequired, notTheStarter, streamGone]

export const routes = defineRoutes({
  start: {
    ...common,
    method: 'POST',
    path: '/agent/start',
    summary:
      'Accepts a request for the content agent and returns the id of its stream, which has to be opened within two minutes and is a secret: it also cancels the run.',
    body: AgentBody,
    replies: { 200: Started },
    refusals: [...starting, agentKeyUnrecognized],
  },
  stream: {
    ...common,
    method: 'GET',
    path: '/agent/stream',
    sites: 'own',
    summary: 'Runs an accepted request and streams its events; resumes after Last-Event-ID or afterSeq.',
    headers: resumeHeaders,
    query: StreamQuery,
    replies: { 200: events(StreamedEvent, { retry: 60_000, heartbeat: 15_000 }) },
    refusals: [...following, tooManyRuns, tooManyReaders],
  },
  cancel: {
    ...common,
    method: 'POST',
    path: '/agent/cancel',
    sites: 'own',
    summary: 'Asks a run to stop; its changes stay and can be undone.',
    body: CancelBody,
    replies: { 200: v.object({ ok: v.literal(true) }) },
    refusals: following,
  },
  chat: {
    ...common,
    method: 'POST',
    path: '/agent/chat',
    summary: 'Runs a request of the content agent and answers when it is done.',
    body: AgentBody,
    replies: { 200: Chatted, 500: NotChatted },
    refusals: starting,
  },
})
