import * as v from 'valibot'
import { Heartbeat } from '../loop/port.ts'
import { afterSeq } from '../../chat/streams/port.ts'
import { describedBy } from '../../../kernel/index.ts'
import { Mode, modes, phase, Question, SiteEvent } from './run/events.ts'

const id = v.pipe(v.string(), v.maxLength(200))

export const Message = v.pipe(
  v.string(),
  v.trim(),
  v.nonEmpty(),
  v.maxLength(8_000),
  v.description('The request.'),
  v.examples(['Connect the site my-shop to the editor']),
)

export const StartBody = v.object({
  message: v.optional(v.pipe(v.unknown(), describedBy(Message))),
  session: v.optional(v.pipe(v.string(), v.maxLength(200)), 'dev'),
  locale: v.optional(v.pipe(v.string(), v.maxLength(35))),
  mode: v.optional(v.pipe(v.unknown(), describedBy(Mode))),
  useCliAgent: v.pipe(
    v.optional(v.boolean(), false),
    v.description(
      'Runs an external agent program instead, which has all rights of the process; requires AGENT_CLI=1.',
    ),
  ),
})
export const StreamQuery = v.object({ streamId: v.optional(id), afterSeq })
export const CancelBody = v.object({ streamId: v.optional(id) })
export const AnswersBody = v.pipe(
  v.record(v.string(), v.pipe(v.string(), v.maxLength(2000))),
  v.check((answers) => Object.keys(answers).length > 0),
  v.description('An answer under the text of each open question.'),
)
export const RespondBody = v.object({
  streamId: v.optional(id),
  approvalId: v.optional(id),
  answers: v.optional(v.pipe(v.unknown(), describedBy(AnswersBody))),
})

export const Ok = v.object({ ok: v.literal(true) })

export const Frame = v.pipe(
  v.intersect([v.variant('type', [SiteEvent, Heartbeat]), v.object({ _seq: v.number() })]),
  v.title('SitesAgentEvent'),
)

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
  isolation: v.pipe(
    v.picklist(['bubblewrap', 'process']),
    v.description(
      'How code of a site is isolated from this machine: by a sandbox, or only by process limits.',
    ),
  ),
  limits: v.object({
    processes: v.pipe(
      v.nullable(v.number()),
      v.description('The maximum number of processes of one command; `null` if they cannot be counted.'),
    ),
    endsLeftovers: v.pipe(
      v.boolean(),
      v.description('Whether processes of a run are found and ended after the service was killed.'),
    ),
    tracking: v.pipe(
      v.picklist(['namespace', 'cgroup', 'tree', 'group']),
      v.description(
        'How processes of a command without a sandbox are found: all of them in a process namespace, those that do not move out of their cgroup, those that keep their group or variables (`tree`), or only its process group. A sandbox always ends completely.',
      ),
    ),
    endsAll: v.pipe(
      v.boolean(),
      v.description(
        'False if processes of a command without a sandbox may stay after its end, for which a person is asked once a run.',
      ),
    ),
  }),
  servers: v.pipe(
    v.array(v.object({ siteId: v.string(), url: v.string() })),
    v.description('Running development servers.'),
  ),
  reason: v.optional(v.string()),
})
export type SurfaceStatus = v.InferOutput<typeof SurfaceStatus>
