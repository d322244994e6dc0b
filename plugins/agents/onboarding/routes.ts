import { defineRoutes, events, gates } from '../../../kernel/index.ts'
import * as v from 'valibot'
import { notTheStarter, streamGone, streamRequired, tooManyReaders, tooManyRuns } from '../loop/port.ts'
import { cliDisabled } from '../../auth/port.ts'
import { resumeHeaders, Started } from '../../chat/streams/port.ts'
import { refusals } from './run/refusals.ts'
import {
  CancelBody,
  Frame,
  Ok,
  RespondBody,
  RunStatus,
  StartBody,
  StreamQuery,
  SurfaceStatus,
} from './schemas.ts'

const following = [streamRequired, notTheStarter, streamGone]

export const routes = defineRoutes({
  start: {
    method: 'POST',
    path: '/sites-agent/start',
    gate: gates.agent,
    summary:
      'Accepts a request to set up a website and returns the id of its stream, which has to be opened within two minutes and is a secret: it also answers the questions of the run.',
    body: StartBody,
    replies: { 200: Started },
    refusals: [
      refusals.messageRequired,
      refusals.invalidMode,
      cliDisabled,
      tooManyRuns,
      refusals.cliUnavailable,
      refusals.notConfigured,
    ],
  },
  stream: {
    method: 'GET',
    path: '/sites-agent/stream',
    gate: gates.agent,
    summary: 'Runs an accepted request and streams its events; resumes after Last-Event-ID or afterSeq.',
    headers: resumeHeaders,
    query: StreamQuery,
    replies: { 200: events(Frame, { retry: 60_000, heartbeat: 15_000 }) },
    refusals: [...following, tooManyRuns, tooManyReaders],
  },
  respond: {
    method: 'POST',
    path: '/sites-agent/respond',
    gate: gates.agent,
    summary: 'Answers the questions of a run.',
    body: RespondBody,
    replies: { 200: Ok },
    refusals: [
      ...following,
      refusals.answersRequired,
      refusals.unknownQuestion,
      refusals.approvalMismatch,
      refusals.noPendingApproval,
    ],
  },
  cancel: {
    method: 'POST',
    path: '/sites-agent/cancel',
    gate: gates.agent,
    summary: 'Ends a run and every process that it started; its written files stay.',
    body: CancelBody,
    replies: { 200: Ok },
    refusals: following,
  },
  status: {
    method: 'GET',
    path: '/sites-agent/status',
    gate: gates.agent,
    summary: 'Gets the status of a run or, without streamId, what the onboarding agent can do here.',
    query: v.pick(StreamQuery, ['streamId']),
    replies: { 200: v.union([RunStatus, SurfaceStatus]) },
    refusals: [notTheStarter, streamGone],
  },
})
