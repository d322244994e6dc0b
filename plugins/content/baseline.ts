import * as v from 'valibot'
import type { SiteContent } from './adapter.ts'
import { Page, SiteConfig } from './page.ts'

/** The maximum nesting of a page that the service supports. */
const maxDepth = 64

const Pages = v.array(Page, 'must be an array of page documents, or an object with such an array in "pages"')
const Wrapper = v.looseObject({ pages: Pages, siteConfig: v.nullish(v.looseObject(SiteConfig.entries)) })

/**
 * Reads the content of a site from parsed JSON: an array of pages, or an object with `pages` and optionally
 * `siteConfig`.
 *
 * `undefined` stays `undefined`: no content is available. Any other value that is not the content of a site
 * throws an Error that names the first invalid place; one invalid page is enough, because a partial site would
 * look like deleted pages.
 */
export function toBaseline(value: unknown): SiteContent | undefined {
  if (value === undefined) return undefined
  if (isDeeperThan(value, maxDepth)) {
    throw new Error(`The content is nested deeper than ${maxDepth} levels; flatten it.`)
  }
  if (Array.isArray(value)) return { pages: checked(Pages, value, 'pages') }
  const { pages, siteConfig } = checked(Wrapper, value, '')
  return siteConfig ? { pages, siteConfig } : { pages }
}

/** Returns the value itself: the output of a schema would lack the keys that schemas do not copy. */
function checked<T>(schema: v.GenericSchema<T>, value: unknown, root: string): T {
  if (v.is(schema, value)) return value
  const [issue] = v.safeParse(schema, value).issues ?? []
  const place = [root, issue && v.getDotPath(issue)].filter(Boolean).join('.') || 'The content'
  const fault = issue?.message ?? 'is not the content of a site'
  throw new Error(`${place}: ${fault}. Fix it and try again; nothing was imported.`)
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1))
}
