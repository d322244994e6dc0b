import * as v from 'valibot'
import { ChatRequest, ChatResult } from '../chat/port.ts'
import { AnyOperation } from '../content/operations/parse.ts'
import { describedBy } from '../docs/port.ts'
import { Session, SiteId } from '../scope/port.ts'

const needsMessage: ReadonlySet<string> = new Set(['auto', 'plan_only'])

/** A chat request; one that cannot be run is refused before it has a stream. */
export const StartBody = v.pipe(
  ChatRequest,
  v.forward(
    v.check(({ executionMode, message = '' }) => !needsMessage.has(executionMode) || message.trim() !== '', 'message is required'),
    ['message'],
  ),
  v.examples([{ session: 'dev', siteId: 'demo', slug: '/', message: 'Change the heading of the hero to "Fresh every morning"', executionMode: 'auto' }]),
)
export type StartBody = v.InferOutput<typeof StartBody>

export const Started = v.object({ streamId: v.string() })

export const StreamQuery = v.object({
  streamId: v.optional(v.pipe(v.string(), v.examples(['0b8f3c5e-6c0a-4d55-9a9e-3f6f2a6d7c11']))),
  afterSeq: v.optional(
    v.pipe(v.string(), v.regex(/^\d{1,15}$/, 'must be the _seq of the last event that was seen, a whole number from 0'), v.transform(Number)),
  ),
  session: Session,
  siteId: SiteId,
  accessToken: v.optional(v.string()),
})

/** Without `streamId`, all that is under way in the session. */
export const CancelBody = v.pipe(
  v.object({ streamId: v.optional(v.string()), session: Session, siteId: SiteId }),
  v.examples([{ session: 'dev', siteId: 'demo' }]),
)

export const CancelAnswer = v.object({ status: v.picklist(['cancel_requested', 'already_terminal']) })

/** An operation as it is applied; whoever plans has read it by the parser of operations. */
const Op = v.pipe(v.unknown(), describedBy(AnyOperation))
const place = { index: v.number(), total: v.number() }

/** What a run may tell. Heartbeats and the end are told for it. */
export const Told = v.variant('type', [
  v.object({ type: v.literal('status'), message: v.string() }),
  v.object({ type: v.picklist(['token', 'thinking_token', 'summary_token']), text: v.string() }),
  v.object({ type: v.literal('thinking_start') }),
  v.object({ type: v.literal('thinking_end'), durationMs: v.optional(v.number()) }),
  v.object({ type: v.literal('changelog_entry'), entry: v.string() }),
  v.object({
    type: v.literal('field_draft'),
    blockId: v.string(),
    editablePath: v.string(),
    value: v.string(),
    pageSlug: v.optional(v.string()),
  }),
  v.object({ type: v.literal('op_candidate'), index: v.number(), op: Op }),
  v.object({
    type: v.literal('plan_meta'),
    intent: v.optional(v.string()),
    summary: v.optional(v.string()),
    estimatedOps: v.optional(v.number()),
  }),
  v.object({
    type: v.literal('op_applied'),
    ...place,
    op: v.optional(Op),
    previewVersion: v.number(),
    focusBlockId: v.nullable(v.string()),
    updatedSlug: v.optional(v.string()),
  }),
  v.object({
    type: v.literal('op_skipped'),
    ...place,
    op: v.optional(Op),
    reason: v.picklist(['empty_patch', 'unchanged_value', 'reference_only', 'unchanged_page', 'unchanged_meta']),
  }),
  v.object({ type: v.literal('rollback_started'), appliedCount: v.number(), reason: v.optional(v.string()) }),
  v.object({ type: v.literal('rollback_done'), restoredVersion: v.optional(v.number()) }),
  v.object({ type: v.literal('image_progress'), percent: v.number(), stage: v.string() }),
])
export type Told = v.InferOutput<typeof Told>

export const Heartbeat = v.object({
  type: v.literal('heartbeat'),
  stage: v.picklist(['planning', 'applying']),
  label: v.string(),
  elapsedMs: v.number(),
})
export type Heartbeat = v.InferOutput<typeof Heartbeat>

/** How a run ended; nothing comes after it. */
export const Ending = v.variant('type', [
  v.object({ type: v.literal('final'), result: ChatResult }),
  v.object({
    type: v.literal('error'),
    result: ChatResult,
    code: v.pipe(v.number(), v.description('The HTTP status that goes with it.')),
    error: v.optional(v.pipe(v.string(), v.description('As in the answer of a refused request, where the run was refused.'))),
    reason: v.optional(v.string()),
  }),
  v.object({ type: v.literal('canceled'), message: v.optional(v.string()) }),
])
export type Ending = v.InferOutput<typeof Ending>

/** An event before it has its number. */
export type ToldEvent = Told | Heartbeat | Ending

/** One event of a stream; `type` says which, and `_seq` counts from 1 without gaps. */
export const StreamEvent = v.pipe(
  v.intersect([v.variant('type', [Told, Heartbeat, Ending]), v.object({ _seq: v.number() })]),
  v.title('ChatEvent'),
)
export type StreamEvent = v.InferOutput<typeof StreamEvent>
