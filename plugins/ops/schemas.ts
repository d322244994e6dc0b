import * as v from 'valibot'
import { SiteId, Session } from '../scope/port.ts'

/** The operations are read by their own parser, which names what is wrong with them one by one. */
export const OpsBody = v.object({
  session: Session,
  siteId: SiteId,
  ops: v.optional(v.unknown()),
  baseVersion: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  componentsManifest: v.optional(v.unknown()),
  siteCapabilities: v.optional(v.unknown()),
})
export type OpsBody = v.InferOutput<typeof OpsBody>

export const SiteCapabilities = v.object({
  allowStructuralEdits: v.boolean(),
  manifestStatus: v.picklist(['loading', 'ready', 'degraded']),
  checkedAt: v.string(),
  reason: v.optional(v.string()),
  manifestVersion: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  blockCount: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
})

export const Applied = v.object({
  status: v.literal('applied'),
  summary: v.string(),
  changes: v.array(v.string()),
  mentionedSlugs: v.array(v.string()),
  previewVersion: v.number(),
  focusBlockId: v.optional(v.string()),
  updatedSlug: v.optional(v.string()),
  duplicatedPages: v.optional(v.array(v.object({ slug: v.string(), blockIdMap: v.record(v.string(), v.string()) }))),
  appliedCount: v.number(),
  skippedOps: v.array(v.object({ index: v.number(), op: v.string(), reason: v.string(), pageSlug: v.optional(v.string()), blockId: v.optional(v.string()) })),
  fuzzyMatches: v.array(v.object({ requestedId: v.string(), resolvedId: v.string(), resolvedIndex: v.number(), strategy: v.string() })),
  notes: v.array(v.string()),
})
export type Applied = v.InferOutput<typeof Applied>
