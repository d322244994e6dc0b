import * as v from 'valibot'
import { limitQuery } from '../content/limit.ts'
import { BaseVersion } from '../draft/port.ts'
import { RequiredSlug, Session, SiteId } from '../scope/port.ts'

export const StatusQuery = v.object({ session: Session, slug: RequiredSlug, siteId: SiteId })
export const LogQuery = v.object({
  session: Session,
  siteId: SiteId,
  slug: v.optional(v.string()),
  limit: limitQuery(50, 100),
})
export const Target = v.pipe(
  v.object({ session: Session, slug: RequiredSlug, siteId: SiteId, baseVersion: BaseVersion }),
  v.examples([{ session: 'dev', siteId: 'demo', slug: '/hello' }]),
)
export const RestoreBody = v.object({
  session: Session,
  siteId: SiteId,
  targetVersion: v.pipe(v.number('targetVersion must be a number'), v.integer()),
  baseVersion: BaseVersion,
})
export const DiscardBody = v.object({
  session: Session,
  siteId: SiteId,
  slug: v.optional(v.string()),
  siteOrigin: v.optional(v.string()),
  baseVersion: BaseVersion,
})

export const Steps = v.object({ canUndo: v.boolean(), canRedo: v.boolean() })

export const Log = v.object({
  /** Oldest first. */
  entries: v.array(
    v.object({
      version: v.number(),
      slug: v.string(),
      summary: v.string(),
      opTypes: v.array(v.string()),
      opCount: v.number(),
      at: v.string(),
      source: v.string(),
      actor: v.object({ kind: v.string(), id: v.optional(v.string()), client: v.optional(v.string()) }),
      channel: v.string(),
      slugs: v.array(v.string()),
    }),
  ),
  currentVersion: v.number(),
})

export const StepTaken = v.object({
  status: v.literal('applied'),
  previewVersion: v.number(),
  ...Steps.entries,
  navigateToSlug: v.optional(v.string()),
  notes: v.array(v.string()),
})
