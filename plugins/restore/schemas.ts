import * as v from 'valibot'
import { limitQuery } from '../content/limit.ts'
import { BaseVersion } from '../draft/port.ts'
import { Session, SiteId } from '../scope/port.ts'

export const ListQuery = v.object({ limit: limitQuery(30, 80), siteId: SiteId })
/** Newest first. */
export const SnapshotList = v.object({
  snapshots: v.array(
    v.object({
      commit: v.string(),
      committedAt: v.string(),
      message: v.string(),
      pageCount: v.number(),
      homeHeading: v.string(),
    }),
  ),
})

/** In any case, since it comes back as it was sent. */
const Commit = v.pipe(v.string(), v.regex(/^\s*[0-9a-f]{7,40}\s*$/i, 'must be 7 to 40 hexadecimal digits'))
export const RestoreBody = v.object({
  commit: Commit,
  session: Session,
  siteId: SiteId,
  baseVersion: BaseVersion,
})
export const Restored = v.object({
  status: v.literal('restored'),
  commit: v.string(),
  session: v.string(),
  scopedSession: v.string(),
  slugs: v.array(v.string()),
  previewVersion: v.number(),
})
export const DeleteBody = v.object({ commit: Commit })
export const Deleted = v.object({ status: v.literal('deleted'), commit: v.string() })
