import * as v from 'valibot'
import { Page, SiteConfig } from '../../content/page.ts'
import { describedBy } from '../../docs/port.ts'

const text = v.optional(v.string())
const slugs = v.array(v.string())
const Asset = v.object({ data: v.string(), mimeType: v.string(), fileName: v.string() })
const AllowDelete = v.pipe(v.boolean(), v.description('Only `true` says that the site may end up empty.'))

export const PublicationBody = v.object({
  /** Checked by the handler, which names an invalid page. */
  pages: v.optional(v.pipe(v.unknown(), describedBy(v.array(Page)))),
  siteConfig: v.optional(v.looseObject(SiteConfig.entries)),
  siteId: v.pipe(text, v.description('The site that is published; another one than this is refused.')),
  session: text,
  publishedAt: text,
  assets: v.optional(v.record(v.string(), Asset)),
  allowDelete: v.optional(v.pipe(v.unknown(), describedBy(AllowDelete))),
})

/** A site describes in its own format which parts it cannot store. */
const remarks = { notes: v.optional(v.array(v.string())), unsupported: v.optional(v.unknown()) }

/** The result of a publish handler, which may be written without types. */
export const HandlerResult = v.object({ ok: v.boolean(), slugs: v.optional(slugs), error: text, reason: text, ...remarks })
export type HandlerResult = v.InferOutput<typeof HandlerResult>

export const Published = v.object({ ok: v.literal(true), slugs, ...remarks })
export type Published = v.InferOutput<typeof Published>

export const PublishFailed = v.object({ ok: v.literal(false), error: v.string(), reason: text, slugs: v.optional(slugs), ...remarks })
export type PublishFailed = v.InferOutput<typeof PublishFailed>
