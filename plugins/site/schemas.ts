import * as v from 'valibot'
import { Page, SiteConfig } from '../content/page.ts'
import { queryOf } from './draft/visit.ts'

const text = v.optional(v.string())
const longest = 200
/** Limited, because it becomes part of a cookie. */
const name = v.optional(v.pipe(v.string(), v.maxLength(longest, `must have at most ${longest} characters`)))
/** Its query may contain session, siteId and editorOrigin, if they are not separate parameters. */
const place = v.optional(v.pipe(
  v.string(),
  v.check(
    (address) => ['session', 'siteId'].every((each) => (queryOf(address).get(each) ?? '').length <= longest),
    `must name a session and a siteId of at most ${longest} characters`,
  ),
))

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
