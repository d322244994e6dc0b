import * as v from 'valibot'

export const modes = ['create', 'migrate', 'integrate'] as const
export const Mode = v.pipe(
  v.picklist(modes),
  v.description('The kind of work; without it, the message decides.'),
)
export type Mode = v.InferOutput<typeof Mode>

const phases = [
  'analyzing',
  'creating',
  'custom-blocks',
  'images',
  'pages',
  'cloning',
  'installing',
  'integrating',
  'launching',
  'verifying',
] as const
export type Phase = (typeof phases)[number]
export const phase = v.picklist(phases)

const text = v.pipe(v.string(), v.trim(), v.nonEmpty())

export const Question = v.object({
  question: v.pipe(text, v.maxLength(20_000)),
  header: v.pipe(v.string(), v.maxLength(80)),
  options: v.pipe(
    v.array(
      v.object({ label: v.pipe(text, v.maxLength(200)), description: v.pipe(v.string(), v.maxLength(1000)) }),
    ),
    v.minLength(1),
    v.maxLength(10),
  ),
  multiSelect: v.boolean(),
})
export type Question = v.InferOutput<typeof Question>

const Change = v.object({
  path: v.string(),
  kind: v.picklist(['added', 'changed', 'removed']),
  patch: v.string(),
})

export const CreatedSite = v.object({
  id: v.string(),
  name: v.string(),
  purpose: v.string(),
  tone: v.string(),
  hosting: v.literal('local'),
  previewUrl: v.string(),
  constraints: v.array(v.string()),
})
export type CreatedSite = v.InferOutput<typeof CreatedSite>

export const RunUsage = v.object({
  inputTokens: v.number(),
  outputTokens: v.number(),
  cacheReadInputTokens: v.number(),
  cacheCreationInputTokens: v.number(),
  totalCostUsd: v.number(),
  numTurns: v.number(),
  modelBreakdown: v.optional(
    v.record(
      v.string(),
      v.object({ inputTokens: v.number(), outputTokens: v.number(), costUsd: v.number() }),
    ),
  ),
  triageOnly: v.optional(v.boolean()),
  cliMode: v.optional(v.boolean()),
})
export type RunUsage = v.InferOutput<typeof RunUsage>

export const RunResult = v.object({
  status: v.picklist(['applied', 'error']),
  summary: v.string(),
  suggestions: v.array(v.string()),
  toolCallCount: v.number(),
  sitesCreated: v.array(v.string()),
  usage: RunUsage,
})
export type RunResult = v.InferOutput<typeof RunResult>

/** The events of a run, except heartbeats. */
export const SiteEvent = v.variant('type', [
  v.object({ type: v.literal('status'), message: v.string() }),
  v.object({ type: v.literal('summary_token'), text: v.string() }),
  v.object({ type: v.literal('phase'), phase, activeLabel: v.string(), doneLabel: v.string() }),
  v.object({ type: v.literal('phase_outcome'), phase, outcome: v.string() }),
  v.object({ type: v.literal('phase_done'), phase }),
  v.object({ type: v.literal('tool_use'), toolName: v.string(), agentType: v.optional(v.string()) }),
  v.object({ type: v.literal('tool_error'), toolName: v.string(), error: v.string() }),
  v.object({ type: v.literal('site_created'), config: CreatedSite }),
  v.object({
    type: v.literal('approval_required'),
    approvalId: v.string(),
    expiresAt: v.string(),
    input: v.object({
      questions: v.array(Question),
      changes: v.pipe(
        v.optional(v.array(Change)),
        v.description('The proposed changes of the site, if the question is about them.'),
      ),
    }),
  }),
  v.object({
    type: v.literal('warning'),
    code: v.picklist(['stall_detected', 'approval_expiring']),
    message: v.string(),
  }),
  v.object({ type: v.literal('final'), result: RunResult }),
  v.object({
    type: v.literal('error'),
    result: v.object({ status: v.literal('error'), summary: v.string() }),
  }),
])
export type SiteEvent = v.InferOutput<typeof SiteEvent>
