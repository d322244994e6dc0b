import * as v from 'valibot'
import { limitQuery } from '../content/limit.ts'
import { Page } from '../content/page.ts'
import { describedBy } from '../docs/port.ts'
import { RequiredSession, Session, SiteId } from '../scope/port.ts'

const requiredSite = v.pipe(v.string(), v.trim(), v.nonEmpty('siteId is required'), v.examples(['demo']))

export const ContentQuery = v.object({ siteId: requiredSite, session: Session })
export const Content = v.object({ session: v.string(), slugs: v.array(v.string()), pages: v.array(Page), siteConfig: v.record(v.string(), v.unknown()), generatedAt: v.string() })

export const DiffRequest = v.object({ session: RequiredSession, siteId: SiteId, siteOrigin: v.optional(v.string()) })

export const PublishBody = v.object({
  session: Session,
  siteId: SiteId,
  siteOrigin: v.optional(v.string()),
  allowDelete: v.optional(v.pipe(
    v.unknown(),
    describedBy(v.pipe(v.boolean(), v.description('Only `true` says that the site may end up empty.'))),
  )),
})

/** What came of a publish; which fields there are depends on the target. */
export const PublishAnswer = v.pipe(v.object({
  status: v.picklist(['ready', 'triggered', 'failed']),
  session: v.string(),
  slugs: v.array(v.string()),
  ok: v.optional(v.boolean()),
  error: v.optional(v.string()),
  code: v.optional(v.string()),
  reason: v.optional(v.string()),
  message: v.optional(v.string()),
  details: v.optional(v.array(v.string())),
  branch: v.optional(v.string()),
  commitSha: v.optional(v.string()),
  vercelState: v.optional(v.string()),
  deployStatus: v.optional(v.number()),
  deployResponse: v.optional(v.string()),
  inspectUrl: v.optional(v.string()),
  deploymentId: v.optional(v.string()),
  notes: v.optional(v.array(v.string())),
  unsupported: v.optional(v.array(v.string())),
}), v.title('PublishAnswer'), v.description('What came of a publish; which fields there are depends on the target.'))
export type PublishAnswer = v.InferOutput<typeof PublishAnswer>

export const StatusQuery = v.object({ session: Session, siteId: SiteId })
export const Tracker = v.object({
  session: v.string(),
  status: v.picklist(['triggered', 'failed']),
  startedAt: v.string(),
  updatedAt: v.string(),
  slugs: v.array(v.string()),
  deployStatus: v.optional(v.number()),
  deployResponse: v.optional(v.string()),
  inspectUrl: v.optional(v.string()),
  deploymentId: v.optional(v.string()),
  deploymentUrl: v.optional(v.string()),
  vercelState: v.optional(v.string()),
  lastCheckError: v.optional(v.string()),
})
export type Tracker = v.InferOutput<typeof Tracker>

export const LogQuery = v.object({ session: RequiredSession, siteId: SiteId, limit: limitQuery(50, 100) })
export const LogRow = v.object({
  id: v.string(),
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
  diffSummary: v.optional(v.object({ added: v.number(), removed: v.number(), changed: v.number() })),
  actor: v.optional(v.object({ kind: v.string(), id: v.optional(v.string()) })),
})
export type LogRow = v.InferOutput<typeof LogRow>
/** Oldest first. */
export const Log = v.object({ entries: v.array(LogRow) })
