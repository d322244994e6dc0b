import * as v from 'valibot'
import { countOption } from '../../../kernel/index.ts'
import { ChatResult, StreamEvent } from '../port.ts'
import { Session, SiteId } from '../../scope/port.ts'
import { afterSeq } from './resume.ts'

/** Limits: runs in memory, parked or active runs per caller, open connections, and those per caller. */
export const StreamOptions = v.object({
  maxRuns: countOption(1_000),
  maxRunsPerCaller: countOption(100),
  maxStreams: countOption(1_000),
  maxStreamsPerCaller: countOption(100),
})
export type StreamOptions = v.InferOutput<typeof StreamOptions>

export const StreamQuery = v.object({
  streamId: v.optional(v.pipe(v.string(), v.examples(['0b8f3c5e-6c0a-4d55-9a9e-3f6f2a6d7c11']))),
  afterSeq,
  session: Session,
  siteId: SiteId,
  accessToken: v.optional(v.string()),
})

/** Without `streamId`, all active runs of the session. */
export const CancelBody = v.pipe(
  v.object({ streamId: v.optional(v.string()), session: Session, siteId: SiteId }),
  v.examples([{ session: 'dev', siteId: 'demo' }]),
)

export const CancelAnswer = v.object({ status: v.picklist(['cancel_requested', 'already_terminal']) })

export const Heartbeat = v.object({
  type: v.literal('heartbeat'),
  stage: v.picklist(['planning', 'applying']),
  label: v.string(),
  elapsedMs: v.number(),
})
export type Heartbeat = v.InferOutput<typeof Heartbeat>

/** The end of a run; no event follows it. */
export const Ending = v.variant('type', [
  v.object({ type: v.literal('final'), result: ChatResult }),
  v.object({
    type: v.literal('error'),
    result: ChatResult,
    code: v.pipe(v.number(), v.description('The HTTP status that goes with it.')),
    error: v.optional(
      v.pipe(v.string(), v.description('As in the answer of a refused request, where the run was refused.')),
    ),
    reason: v.optional(v.string()),
  }),
  v.object({ type: v.literal('canceled'), message: v.optional(v.string()) }),
])
export type Ending = v.InferOutput<typeof Ending>

/** An event without its number. */
export type EventBody = StreamEvent | Heartbeat | Ending

/** One event of a stream; `type` says which, and `_seq` counts from 1 without gaps. */
export const ChatEvent = v.pipe(
  v.intersect([v.variant('type', [StreamEvent, Heartbeat, Ending]), v.object({ _seq: v.number() })]),
  v.title('ChatEvent'),
)
export type ChatEvent = v.InferOutput<typeof ChatEvent>
