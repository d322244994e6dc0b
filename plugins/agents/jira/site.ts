import { withoutTrailingSlash } from '../../../kernel/index.ts'
import { toOrigin } from '../../outbound/port.ts'
import type { DraftId } from '../../scope/port.ts'

/** A registered site, with the names that a ticket may use. */
type NamedSite = Readonly<Record<'id' | 'siteName', string>>

/** Chooses the only site named in a text, or the only registered site; `fallback` if none is registered. */
export function chooseSite(text: string, sites: readonly NamedSite[], fallback: string | undefined) {
  const words = ` ${toWords(text)} `
  const isNamed = (name: string): boolean => toWords(name) !== '' && words.includes(` ${toWords(name)} `)
  const named = sites.filter(({ id, siteName }) => isNamed(id) || isNamed(siteName))
  const [first, ...others] = named.length === 1 ? named : sites
  if (first) return others.length === 0 ? { siteId: first.id } : ({ none: 'ambiguous_site' } as const)
  return fallback === undefined ? ({ none: 'no_site' } as const) : { siteId: fallback }
}

/** Returns the words of a text: letters and digits, joined by `-` or `_`. */
const toWords = (text: string): string =>
  text
    .toLowerCase()
    .match(/[\p{L}\p{N}]+(?:[-_][\p{L}\p{N}]+)*/gu)
    ?.join(' ') ?? ''

export interface PageLinks {
  readonly slug: string
  /** On the site; grants no access by itself. */
  readonly preview: string
  /** In the editor, which opens drafts. */
  readonly editor: string | undefined
}

/** Creates links to pages of a draft. `base` is the registered address of the site; none if it is invalid. */
export function linksTo(
  slugs: readonly string[],
  {
    id,
    base,
    editorOrigin,
  }: { readonly id: DraftId; readonly base: string; readonly editorOrigin: string | undefined },
): readonly PageLinks[] {
  const origin = toOrigin(base)
  if (origin === undefined) return []
  const { siteId, session } = id
  const folder = withoutTrailingSlash(new URL(base).pathname)
  const linkTo = (site: string, path: string, query: Readonly<Record<string, string>>): string => {
    const url = new URL(site)
    url.pathname = path
    url.search = new URLSearchParams(query).toString()
    return url.href
  }
  return slugs.map((slug) => ({
    slug,
    preview: linkTo(origin, `${folder}${slug}`, { session, siteId, __editor: '1' }),
    editor: editorOrigin && linkTo(editorOrigin, '/', { session, siteId, slug }),
  }))
}
