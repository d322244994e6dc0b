import * as v from 'valibot'
import { limitQuery } from '../content/limit.ts'
import { Page } from '../content/page.ts'
import { describedBy } from '../docs/port.ts'
import { Session, SiteId } from '../scope/port.ts'
import { DeploymentFacts, PublishFacts, PublishOutcome } from './port.ts'

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

export const DiffRequest = v.object({
  session: Session,
  siteId: SiteId,
  siteOrigin: v.optional(v.string()),
})

const AllowDelete = v.pipe(v.boolean(), v.description('Only `true` says that the site may end up empty.'))

export const PublishBody = v.object({
  session: Session,
  siteId: SiteId,
  siteOrigin: v.optional(v.string()),
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
  v.description('What came of a publish; which further fields there are depends on the target.'),
)
export type PublishAnswer = v.InferOutput<typeof PublishAnswer>

export const StatusQuery = v.object({ session: Session, siteId: SiteId })
export const Tracker = v.object({
  session: v.string(),
  /** Of the call, not of the deployment. */
  status: v.picklist(['triggered', 'failed']),
  startedAt: v.string(),
  updatedAt: v.string(),
  slugs: v.array(v.string()),
  ...DeploymentFacts.entries,
  lastCheckError: v.optional(v.string()),
})
export type Tracker = v.InferOutput<typeof Tracker>

export const LogQuery = v.object({ session: Session, siteId: SiteId, limit: limitQuery(50, 100) })
export const LogRow = v.object({
  id: v.string(),
  /** The draft as clients name it. */
  session: v.string(),
  siteId: v.string(),
  target: v.string(),
  status: v.picklist(['triggered', 'success', 'failed']),
  at: v.string(),
  updatedAt: v.string(),
  summary: v.string(),
  pageCount: v.number(),
  slugs: v.array(v.string()),
  commit: v.optional(v.string()),
  deploymentId: v.optional(v.string()),
  deploymentUrl: v.optional(v.string()),
  inspectUrl: v.optional(v.string()),
  error: v.optional(v.string()),
  /** Pages; absent when there was nothing to compare with. */
  diffSummary: v.optional(v.object({ added: v.number(), removed: v.number(), changed: v.number() })),
  actor: v.optional(v.object({ kind: v.string(), id: v.optional(v.string()), client: v.optional(v.string()) })),
})
export type LogRow = v.InferOutput<typeof LogRow>
/** Oldest first. */
export const Log = v.object({ entries: v.array(LogRow) })
