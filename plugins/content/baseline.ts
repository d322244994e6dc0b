import * as v from 'valibot'
import type { SiteContent } from './adapter.ts'
import { SiteConfig } from './page.ts'
import { parseExactly, withoutExact } from './numbers.ts'
import { isPlainObject, type PlainObject } from './plain-object.ts'
import { type Carried, type Origin, problemAround, readPages, Unreadable } from './read-pages.ts'
import { settingsInDraftForm } from './settings-form.ts'

const wanted = 'must be an array of page documents, or an object with such an array in "pages"'
const Wrapper = v.object({
  pages: v.array(v.unknown(), wanted),
  siteConfig: v.optional(v.looseObject(SiteConfig.entries)),
})
const Listed = v.array(Unreadable)
/** Content that was read here: it is not read again. */
const cache = new WeakMap<object, SiteContent>()

/**
 * Reads the content of a site from parsed JSON: an array of pages, or an object with `pages` and optionally
 * `siteConfig` and `redirects`. `null` counts as absent. A page that cannot be used is listed in
 * `unreadable`, and costs no other.
 *
 * `undefined` stays `undefined`: no content is available. Any other value that is not the content of a site
 * throws an Error that names the first invalid place.
 */
export function toBaseline(value: unknown, from: Origin = 'here'): SiteContent | undefined {
  if (value === undefined) return undefined
  const before = typeof value === 'object' && value !== null ? cache.get(value) : undefined
  if (before) return before
  const { pages: raw, siteConfig, redirects, unreadable: listed } = checked(value, from)
  const read = readPages(raw, from)
  const { pages } = read
  const unreadable = [...listed, ...read.unreadable]
  return asRead({
    pages,
    ...(siteConfig && { siteConfig }),
    ...(redirects && { redirects }),
    ...(unreadable.length > 0 && { unreadable }),
  })
}

/** Marks content whose pages were read here, so that it is not read again. */
export function asRead(content: SiteContent): SiteContent {
  cache.set(content, content)
  return content
}

/**
 * Reads the content of a site from the text of a file; some editors write a byte order mark, which is not
 * JSON.
 */
export const readContentText = (text: string): SiteContent | undefined =>
  toBaseline(parseExactly(text.replace(/^\uFEFF/, '')), 'outside')

/**
 * Returns the parts of a value themselves: the output of a schema would lack the keys that schemas do not
 * copy.
 */
function checked(
  value: unknown,
  from: Origin,
): v.InferOutput<typeof Wrapper> &
  Pick<SiteContent, 'redirects'> & { readonly unreadable: readonly Carried[] } {
  const problem = problemAround(value, from)
  if (problem !== undefined) throw new Error(`The content cannot be used: ${problem}.`)
  const { pages, siteConfig, redirects, unreadable } = Array.isArray(value) ? bare(value) : toObject(value)
  const given = { pages, siteConfig: settingsInDraftForm(siteConfig) }
  if (v.is(Wrapper, given))
    return {
      ...given,
      ...(Array.isArray(redirects) && {
        redirects: redirects.filter(isPlainObject).map(withoutExact).filter(isPlainObject),
      }),
      unreadable: v.is(Listed, unreadable) ? unreadable : [],
    }
  const [issue] = v.safeParse(Wrapper, given).issues ?? []
  const place = (issue && v.getDotPath(issue)) ?? 'The content'
  throw new Error(`${place}: ${issue?.message ?? wanted}. Fix it and try again; nothing was imported.`)
}

const bare = (pages: readonly unknown[]): PlainObject => ({ pages })

function toObject(value: unknown): PlainObject {
  if (isPlainObject(value)) return value
  throw new Error(`The content: ${wanted}. Fix it and try again; nothing was imported.`)
}
