import * as v from 'valibot'
import { Page, SiteConfig } from '../content/page.ts'
import { describedBy } from '../docs/port.ts'
import { queryOf } from './editor-context.ts'

const text = v.optional(v.string())
const longest = 200
/** It becomes part of a cookie. */
const name = v.optional(v.pipe(v.string(), v.maxLength(longest, `must have at most ${longest} characters`)))
/** Its query may name session, siteId and editorOrigin where they are not given beside it. */
const place = v.optional(
  v.pipe(
    v.string(),
    v.check(
      (address) => ['session', 'siteId'].every((each) => (queryOf(address).get(each) ?? '').length <= longest),
      `must name a session and a siteId of at most ${longest} characters`,
    ),
  ),
)

export const PagesQuery = v.object({ siteId: text })
export const SitePages = v.object({
  pages: v.array(Page),
  siteConfig: v.optional(v.looseObject(SiteConfig.entries)),
  siteId: v.pipe(text, v.description('The id of this site, where it has one.')),
})

export const DraftQuery = v.object({
  secret: text,
  redirect: place,
  /** The name of `redirect` in older links. */
  slug: place,
  session: name,
  siteId: name,
  editorOrigin: text,
})
export const DisableQuery = v.object({ redirect: text, slug: text })

const Asset = v.object({ data: v.string(), mimeType: v.string(), fileName: v.string() })

const AllowDelete = v.pipe(v.boolean(), v.description('Only `true` says that the site may end up empty.'))

export const PublicationBody = v.object({
  /** The handler says which one is no page. */
  pages: v.optional(v.pipe(v.unknown(), describedBy(v.array(Page)))),
  siteConfig: v.optional(v.looseObject(SiteConfig.entries)),
  siteId: v.pipe(text, v.description('The site that is published; another one than this is refused.')),
  session: text,
  publishedAt: text,
  assets: v.optional(v.record(v.string(), Asset)),
  allowDelete: v.optional(v.pipe(v.unknown(), describedBy(AllowDelete))),
})

/** A site says in its own way what it cannot store. */
const remarks = { notes: v.optional(v.array(v.string())), unsupported: v.optional(v.unknown()) }
const slugs = v.array(v.string())

/** What a publish handler must give back; one that is written without types may give anything. */
export const HandlerResult = v.object({
  ok: v.boolean(),
  slugs: v.optional(slugs),
  error: text,
  reason: text,
  ...remarks,
})
export type HandlerResult = v.InferOutput<typeof HandlerResult>

export const Published = v.object({ ok: v.literal(true), slugs, ...remarks })
export type Published = v.InferOutput<typeof Published>
export const PublishFailed = v.object({
  ok: v.literal(false),
  error: v.string(),
  reason: text,
  slugs: v.optional(slugs),
  ...remarks,
})
export type PublishFailed = v.InferOutput<typeof PublishFailed>
