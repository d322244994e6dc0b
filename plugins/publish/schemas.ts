import * as v from 'valibot'
import { limitQuery } from '../content/limit.ts'
import { Page } from '../content/page.ts'
import { BaseVersion } from '../draft/port.ts'
import { describedBy } from '../docs/port.ts'
import { Session, SiteId } from '../scope/port.ts'

const text = v.optional(v.string())
const texts = v.optional(v.array(v.string()))

const deployment = {
  /** HTTP status of the site or the hook. */
  deployStatus: v.optional(v.number()),
  deployResponse: text,
  inspectUrl: text,
  deploymentId: text,
  /** Of a deployment, in upper case. READY, SUCCEEDED, ERROR, FAILED and CANCELED are final. */
  vercelState: text,
}

/** The facts that a target may report about a publish. */
export const PublishFacts = v.object({
  ok: v.optional(v.boolean()),
  /** The version of a draft that is no longer the one to publish. */
  currentVersion: v.optional(v.number()),
  /** For people. */
  error: text,
  /** The code, in snake_case. */
  code: text,
  /** The remedy. */
  reason: text,
  message: text,
  details: texts,
  branch: text,
  commitSha: text,
  ...deployment,
  notes: texts,
  unsupported: texts,
})
export type PublishFacts = v.InferOutput<typeof PublishFacts>

/** Facts about the deployment that a target started. */
export const DeploymentFacts = v.object({ ...deployment, deploymentUrl: text })
export type DeploymentFacts = v.InferOutput<typeof DeploymentFacts>

/** The result of a publish. The answer has the fields of `body` besides `status`, `session` and `slugs`. */
export const PublishOutcome = v.object({
  ok: v.boolean(),
  /** HTTP status of the answer to the client. */
  httpStatus: v.picklist([200, 400, 409, 500, 502]),
  status: v.picklist(['ready', 'triggered', 'failed']),
  /** The published slugs, if they differ from the draft's. */
  slugs: texts,
  body: PublishFacts,
  tracker: DeploymentFacts,
  /** The id of the published content; by default the id of the snapshot. */
  commit: text,
})
export type PublishOutcome = v.InferOutput<typeof PublishOutcome>

const RequiredSite = v.pipe(v.string(), v.trim(), v.nonEmpty('siteId is required'), v.examples(['demo']))

export const ContentQuery = v.object({ siteId: RequiredSite, session: Session })
export const Content = v.object({
  session: v.string(),
  /** Home first. */
  slugs: v.array(v.string()),
  pages: v.array(Page),
  siteConfig: v.record(v.string(), v.unknown()),
  generatedAt: v.string(),
})

const target = { session: Session, siteId: SiteId, siteOrigin: text }
export const DiffRequest = v.object({ ...target, baseVersion: BaseVersion })
export type DiffRequest = v.InferOutput<typeof DiffRequest>
export const DiffQuery = v.object({
  ...target,
  baseVersion: v.optional(
    v.pipe(v.string(), v.regex(/^\d{1,15}$/, 'must be a version of the draft'), v.transform(Number)),
  ),
})

const AllowDelete = v.pipe(v.boolean(), v.description('Only `true` says that the site may end up empty.'))

export const PublishBody = v.strictObject({
  ...DiffRequest.entries,
  allowDelete: v.optional(v.pipe(v.unknown(), describedBy(AllowDelete))),
})

export const PublishAnswer = v.pipe(
  v.object({
    status: PublishOutcome.entries.status,
    session: v.string(),
    slugs: v.array(v.string()),
    ...PublishFacts.entries,
  }),
  v.title('PublishAnswer'),
  v.description('The result of a publish; further fields depend on the target.'),
)
export type PublishAnswer = v.InferOutput<typeof PublishAnswer>

export const StatusQuery = v.object({ session: Session, siteId: SiteId })
export const Tracker = v.object({
  session: v.string(),
  /** `triggered` until the site is known to be ready. The state of a deployment is in `vercelState`. */
  status: v.picklist(['ready', 'triggered', 'failed']),
  startedAt: v.string(),
  updatedAt: v.string(),
  slugs: v.array(v.string()),
  ...DeploymentFacts.entries,
  lastCheckError: text,
})
export type Tracker = v.InferOutput<typeof Tracker>

export const LogQuery = v.object({ session: Session, siteId: SiteId, limit: limitQuery(50, 100) })
export const LogRow = v.object({
  id: v.string(),
  /** The name of the draft for clients. */
  session: v.string(),
  siteId: v.string(),
  target: v.string(),
  status: v.picklist(['triggered', 'success', 'failed']),
  at: v.string(),
  updatedAt: v.string(),
  summary: v.string(),
  pageCount: v.number(),
  slugs: v.array(v.string()),
  commit: text,
  deploymentId: text,
  deploymentUrl: text,
  inspectUrl: text,
  error: text,
  /** The number of pages; absent without a baseline. */
  diffSummary: v.optional(v.object({ added: v.number(), removed: v.number(), changed: v.number() })),
  actor: v.optional(
    v.object({ kind: v.string(), id: v.optional(v.string()), client: v.optional(v.string()) }),
  ),
})
export type LogRow = v.InferOutput<typeof LogRow>
/** Oldest first. */
export const Log = v.object({ entries: v.array(LogRow) })
