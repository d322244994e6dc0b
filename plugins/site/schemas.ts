import * as v from 'valibot'
import { Page, SiteConfig } from '../content/page.ts'
import { isPlainObject } from '../content/plain-object.ts'
import { Unreadable } from '../content/read-pages.ts'
import { Redirect } from '../content/redirects.ts'
import { describedBy } from '../../kernel/index.ts'
import { queryOf } from './draft/visit.ts'

const text = v.optional(v.string())
const longest = 200
/** Limited, because it becomes part of a cookie. */
const name = v.optional(v.pipe(v.string(), v.maxLength(longest, `must have at most ${longest} characters`)))
/** Its query may contain session, siteId and editorOrigin, if they are not separate parameters. */
const place = v.optional(
  v.pipe(
    v.string(),
    v.check(
      (address) =>
        ['session', 'siteId'].every((each) => (queryOf(address).get(each) ?? '').length <= longest),
      `must name a session and a siteId of at most ${longest} characters`,
    ),
  ),
)

/** Entries of another form are the site's own. */
const Redirects = v.pipe(v.array(v.looseObject({})), describedBy(v.array(Redirect)))

/** A site answers and gets what it has, also where that cannot be read. */
const Settings = v.pipe(v.custom<SiteConfig>(isPlainObject), describedBy(v.looseObject(SiteConfig.entries)))

export const PagesQuery = v.object({ siteId: text })
export const SitePages = v.object({
  pages: v.array(Page),
  siteConfig: v.optional(Settings),
  redirects: v.pipe(
    v.optional(Redirects),
    v.description(
      'Former addresses. A site that answers a list, also an empty one, gets them with each publish.',
    ),
  ),
  unreadable: v.pipe(
    v.optional(v.array(Unreadable)),
    v.description('Entries of the content that cannot be used; a publish leaves them as they are.'),
  ),
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

const slugs = v.array(v.string())
const Asset = v.object({ data: v.string(), mimeType: v.string(), fileName: v.string() })
const AllowDelete = v.pipe(v.boolean(), v.description('Only `true` says that the site may end up empty.'))

export const PublicationBody = v.object({
  /** Checked by the handler, which names an invalid page. */
  pages: v.optional(v.pipe(v.unknown(), describedBy(v.array(Page)))),
  siteConfig: v.optional(Settings),
  redirects: v.pipe(
    v.optional(Redirects),
    v.description('All redirects of the site; without it, those that it has stay.'),
  ),
  siteId: v.pipe(text, v.description('The site that is published; another one than this is refused.')),
  session: text,
  publishedAt: text,
  assets: v.optional(v.record(v.string(), Asset)),
  allowDelete: v.optional(v.pipe(v.unknown(), describedBy(AllowDelete))),
  remove: v.pipe(
    v.optional(slugs),
    v.description(
      'Entries of the content that cannot be used and are deleted, by their slugs in `unreadable`, or the `name` of those without one.',
    ),
  ),
})

/** A site describes in its own format which parts it cannot store. */
const remarks = { notes: v.optional(v.array(v.string())), unsupported: v.optional(v.unknown()) }

/** The result of a publish handler, which may be written without types. */
export const HandlerResult = v.object({
  ok: v.boolean(),
  /** Of stored entries that are no pages as well. */
  slugs: v.optional(v.array(v.unknown())),
  error: text,
  reason: text,
  ...remarks,
})
export type HandlerResult = v.InferOutput<typeof HandlerResult>

export const Published = v.object({ ok: v.literal(true), slugs, ...remarks })

export const PublishFailed = v.object({
  ok: v.literal(false),
  error: v.string(),
  reason: text,
  slugs: v.optional(slugs),
  ...remarks,
})
