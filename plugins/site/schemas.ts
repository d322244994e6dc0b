import * as v from 'valibot'
import { Page, SiteConfig } from '../content/page.ts'
import { describedBy } from '../docs/port.ts'

export const PagesQuery = v.object({ siteId: v.optional(v.string()) })
export const SitePages = v.object({ pages: v.array(Page), siteConfig: v.optional(v.looseObject(SiteConfig.entries)) })

export const DraftQuery = v.object({
  secret: v.optional(v.string()),
  redirect: v.optional(v.string()),
  /** The name of `redirect` in older links. */
  slug: v.optional(v.string()),
  session: v.optional(v.string()),
  siteId: v.optional(v.string()),
  editorOrigin: v.optional(v.string()),
})
export const DisableQuery = v.object({ redirect: v.optional(v.string()), slug: v.optional(v.string()) })

const Asset = v.object({ data: v.string(), mimeType: v.string(), fileName: v.string() })

export const PublicationBody = v.object({
  pages: v.optional(v.pipe(v.unknown(), describedBy(v.array(Page)))),
  siteConfig: v.optional(v.looseObject(SiteConfig.entries)),
  session: v.optional(v.string()),
  publishedAt: v.optional(v.string()),
  assets: v.optional(v.record(v.string(), Asset)),
  allowDelete: v.optional(v.pipe(
    v.unknown(),
    describedBy(v.pipe(v.boolean(), v.description('Only `true` says that the site may end up empty.'))),
  )),
})

const remarks = { notes: v.optional(v.array(v.string())), unsupported: v.optional(v.array(v.string())) }
export const Published = v.object({ ok: v.literal(true), slugs: v.array(v.string()), ...remarks })
export const PublishFailed = v.object({ ok: v.literal(false), error: v.string(), reason: v.optional(v.string()), slugs: v.optional(v.array(v.string())), ...remarks })
