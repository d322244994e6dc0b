import * as v from 'valibot'
import { afterSeq } from '../../chat/streams/port.ts'
import { Client, siteFields } from '../../draft/port.ts'
import { Session } from '../../scope/port.ts'
import { Heartbeat } from './streamed-run.ts'

const short = v.optional(v.pipe(v.string(), v.maxLength(500)))

/** A request; the handler refuses it without a message or a site. */
export const AgentBody = v.pipe(
  v.object({
    message: v.pipe(
      v.optional(v.pipe(v.string(), v.maxLength(8_000, 'may have at most 8000 characters')), ''),
      v.description('What should change, in words. Required.'),
    ),
    siteId: v.pipe(v.optional(v.string(), ''), v.description('Required.')),
    session: Session,
    client: Client,
    slug: v.optional(v.pipe(v.string(), v.maxLength(500)), '/'),
    model: v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z0-9._:-]{1,80}$/, 'must be the name of a model'))),
    locale: v.optional(v.pipe(v.string(), v.maxLength(40))),
    activeBlockId: short,
    activeBlockType: short,
    activeEditablePath: short,
    sitePurpose: short,
    ...siteFields,
  }),
  v.examples([
    {
      siteId: 'demo',
      session: 'dev',
      slug: '/',
      message: 'Add a section with three customer quotes below the hero',
    },
  ]),
)
export type AgentBody = v.InferOutput<typeof AgentBody>

export const StreamQuery = v.object({
  streamId: v.optional(v.string(), ''),
  afterSeq,
  accessToken: v.optional(v.string()),
})

export const CancelBody = v.object({ streamId: v.optional(v.string(), '') })

const counts = {
  inputTokens: v.number(),
  outputTokens: v.number(),
  totalTokens: v.number(),
  cacheReadInputTokens: v.number(),
  cacheCreationInputTokens: v.number(),
}
/** US dollars; `null` if the price of the model is unknown. */
const totalCostUsd = v.nullable(v.number())

/** Alternative contents for one block. */
export const VariationSet = v.object({
  status: v.literal('ok'),
  summary: v.string(),
  blockId: v.string(),
  blockType: v.string(),
  pageSlug: v.string(),
  baseProps: v.record(v.string(), v.unknown()),
  variations: v.array(
    v.object({
      id: v.string(),
      title: v.string(),
      summary: v.string(),
      patch: v.record(v.string(), v.unknown()),
      changedKeys: v.array(v.string()),
    }),
  ),
})
export type VariationSet = v.InferOutput<typeof VariationSet>

/** What waits for an approval, as in results of chat; a yes or a no as the next message answers it. */
const waiting = {
  pendingPlanId: v.optional(v.string()),
  changes: v.optional(v.array(v.string())),
  destructiveReasons: v.optional(v.array(v.string())),
}

const Result = v.object({
  status: v.picklist(['applied', 'plan_ready']),
  summary: v.string(),
  ...waiting,
  suggestions: v.array(v.string()),
  variations: v.optional(VariationSet),
  toolCallCount: v.number(),
  plannerSource: v.string(),
  modelUsed: v.string(),
  previewVersion: v.number(),
  focusBlockId: v.optional(v.string()),
  undoSlug: v.optional(
    v.pipe(v.string(), v.description('The page on which `POST /history/undo` undoes the run.')),
  ),
  limitReached: v.optional(v.literal(true)),
  totalCostUsd,
  debug: v.object({
    traceId: v.string(),
    outcome: v.pipe(v.string(), v.description('`end`, or the limit that was reached.')),
    plannerTier: v.literal('agent'),
    modelUsed: v.string(),
    plannerSource: v.string(),
    opCount: v.number(),
    ...counts,
    /** Milliseconds from the start, and the event. */
    timeline: v.array(v.object({ at: v.number(), what: v.string() })),
  }),
})
export type Result = v.InferOutput<typeof Result>

const progress = [
  v.object({ type: v.literal('status'), message: v.string() }),
  v.object({ type: v.literal('summary_token'), text: v.string() }),
  v.object({
    type: v.literal('op_applied'),
    toolName: v.string(),
    previewVersion: v.number(),
    focusBlockId: v.optional(v.string()),
  }),
  v.object({ type: v.literal('changelog_entry'), entry: v.string() }),
  v.object({ type: v.literal('tool_error'), toolName: v.string(), error: v.string() }),
] as const
const ContentEvent = v.variant('type', [...progress])
/** Progress of a run of the content agent, also sent by the streams of `/agent`. */
export type ContentEvent = v.InferOutput<typeof ContentEvent>

/** The last event of a run. */
const endings = [
  v.object({ type: v.literal('final'), result: Result }),
  v.object({
    type: v.literal('error'),
    result: v.object({ status: v.literal('error'), summary: v.string() }),
  }),
] as const

const Event = v.variant('type', [...progress, ...endings])
/** Any event of a run except heartbeats. */
export type AgentEvent = v.InferOutput<typeof Event>

/** A numbered event of a stream. */
export const StreamedEvent = v.pipe(
  v.intersect([v.variant('type', [...progress, ...endings, Heartbeat]), v.object({ _seq: v.number() })]),
  v.title('AgentEvent'),
)

const events = v.array(ContentEvent)

export const Chatted = v.object({
  status: v.picklist(['applied', 'plan_ready']),
  summary: v.string(),
  ...waiting,
  toolCallCount: v.number(),
  usage: v.object({ ...counts, totalCostUsd }),
  events,
})

export const NotChatted = v.object({
  status: v.literal('error'),
  error: v.string(),
  reason: v.string(),
  events,
})
