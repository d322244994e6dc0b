import * as v from 'valibot'
import { describedBy } from '../docs/port.ts'

export const modes = ['create', 'migrate', 'integrate'] as const
export type Mode = v.InferOutput<typeof Mode>

export const phases = ['analyzing', 'creating', 'custom-blocks', 'images', 'pages', 'cloning', 'installing', 'integrating', 'launching', 'verifying'] as const
export type Phase = (typeof phases)[number]

const nonEmpty = v.pipe(v.string(), v.trim(), v.nonEmpty())
const id = v.pipe(v.string(), v.maxLength(200))

export const Message = v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(8_000), v.description('What is wanted.'), v.examples(['Connect the site my-shop to the editor']))
export const Mode = v.pipe(v.picklist(modes), v.description('What kind of work it is; the message decides without it.'))

export const StartBody = v.object({
  message: v.optional(v.pipe(v.unknown(), describedBy(Message))),
  session: v.optional(v.pipe(v.string(), v.maxLength(200)), 'dev'),
  locale: v.optional(v.pipe(v.string(), v.maxLength(35))),
  mode: v.optional(v.pipe(v.unknown(), describedBy(Mode))),
  useCliAgent: v.pipe(v.optional(v.boolean(), false), v.description('Runs an external agent program instead, which can do whatever the process can; only where AGENT_CLI is 1.')),
})
export const StreamQuery = v.object({
  streamId: v.optional(id),
  afterSeq: v.optional(v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number))),
})
export const CancelBody = v.object({ streamId: v.optional(id) })
export const AnswersBody = v.pipe(v.record(v.string(), v.pipe(v.string(), v.maxLength(2000))), v.check((answers) => Object.keys(answers).length > 0), v.description('An answer under the text of each open question.'))
export const RespondBody = v.object({ streamId: v.optional(id), approvalId: v.optional(id), answers: v.optional(v.pipe(v.unknown(), describedBy(AnswersBody))) })

export const Started = v.object({ streamId: v.string() })
export const Ok = v.object({ ok: v.literal(true) })

export const Question = v.object({
  question: v.pipe(nonEmpty, v.maxLength(20_000)),
  header: v.pipe(v.string(), v.maxLength(80)),
  options: v.pipe(v.array(v.object({ label: v.pipe(nonEmpty, v.maxLength(200)), description: v.pipe(v.string(), v.maxLength(1000)) })), v.minLength(1), v.maxLength(10)),
  multiSelect: v.boolean(),
})
export type Question = v.InferOutput<typeof Question>

const Change = v.object({ path: v.string(), kind: v.picklist(['added', 'changed', 'removed']), patch: v.string() })

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
  modelBreakdown: v.optional(v.record(v.string(), v.object({ inputTokens: v.number(), outputTokens: v.number(), costUsd: v.number() }))),
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

const phase = v.picklist(phases)

/** What a run tells, beside heartbeats. */
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
    input: v.object({ questions: v.array(Question), changes: v.pipe(v.optional(v.array(Change)), v.description('What would change in the site, where that is the question.')) }),
  }),
  v.object({ type: v.literal('warning'), code: v.picklist(['stall_detected', 'approval_expiring']), message: v.string() }),
  v.object({ type: v.literal('final'), result: RunResult }),
  v.object({ type: v.literal('error'), result: v.object({ status: v.literal('error'), summary: v.string() }) }),
])
export type SiteEvent = v.InferOutput<typeof SiteEvent>

const Heartbeat = v.object({ type: v.literal('heartbeat'), stage: v.string(), label: v.string(), elapsedMs: v.number() })
export const Frame = v.pipe(v.intersect([v.variant('type', [SiteEvent, Heartbeat]), v.object({ _seq: v.number() })]), v.title('SitesAgentEvent'))

export const RunStatus = v.object({
  streamId: v.string(),
  state: v.picklist(['pending', 'active', 'waiting', 'done', 'error', 'canceled']),
  mode: v.picklist(modes),
  backend: v.picklist(['api', 'cli']),
  phase: v.nullable(phase),
  lastSeq: v.number(),
  startedAt: v.nullable(v.string()),
  finishedAt: v.optional(v.string()),
  pendingApproval: v.optional(v.object({ approvalId: v.string(), questions: v.array(Question) })),
  sitesCreated: v.array(v.string()),
  toolCallCount: v.number(),
  costUsd: v.optional(v.number()),
})
export type RunStatus = v.InferOutput<typeof RunStatus>

export const SurfaceStatus = v.object({
  available: v.boolean(),
  backends: v.object({ api: v.boolean(), cli: v.boolean() }),
  active: v.number(),
  maxConcurrent: v.number(),
  modes: v.array(v.picklist(modes)),
  isolation: v.pipe(v.picklist(['bubblewrap', 'process']), v.description('What stands between code of a site and this machine: a sandbox, or only the limits of a process.')),
  limits: v.object({
    processes: v.pipe(v.nullable(v.number()), v.description('Processes of one command; `null` where they cannot be counted.')),
    endsLeftovers: v.pipe(v.boolean(), v.description('Whether what a run started is found again after the service was killed.')),
  }),
  servers: v.pipe(v.array(v.object({ siteId: v.string(), url: v.string() })), v.description('Development servers that run now.')),
  reason: v.optional(v.string()),
})
export type SurfaceStatus = v.InferOutput<typeof SurfaceStatus>
