import { toOrigin } from '../outbound/port.ts'
import type { DraftId } from '../scope/port.ts'

/** A registered site, as a ticket may name it. */
export interface NamedSite {
  readonly id: string
  readonly siteName: string
}

export type SiteChoice = { readonly siteId: string } | { readonly none: 'ambiguous_site' | 'no_site' }

/** Chooses the one site that a text names, or the only one there is; `fallback` where none is registered. */
export function chooseSite(text: string, sites: readonly NamedSite[], fallback: string | undefined): SiteChoice {
  const words = ` ${toWords(text)} `
  const isNamed = (name: string): boolean => toWords(name) !== '' && words.includes(` ${toWords(name)} `)
  const named = sites.filter(({ id, siteName }) => isNamed(id) || isNamed(siteName))
  const [only] = named.length === 1 ? named : sites
  if (named.length === 1 || sites.length === 1) return only ? { siteId: only.id } : { none: 'no_site' }
  if (sites.length > 1) return { none: 'ambiguous_site' }
  return fallback === undefined ? { none: 'no_site' } : { siteId: fallback }
}

/** Letters and digits, and what ties parts of an id together; everything else is between words. */
const toWords = (text: string): string => text.toLowerCase().match(/[\p{L}\p{N}]+(?:[-_][\p{L}\p{N}]+)*/gu)?.join(' ') ?? ''

/** Where a page of a draft is looked at. */
export interface PageLinks {
  readonly slug: string
  /** On the site; it authorises nothing by itself. */
  readonly preview: string
  /** In the editor, which opens drafts. */
  readonly editor: string | undefined
}

/** Makes the links to pages of a draft. `base` is what the site registered, which may be anything. */
export function linksTo(slugs: readonly string[], { id, base, editorOrigin }: { readonly id: DraftId; readonly base: string; readonly editorOrigin: string | undefined }): readonly PageLinks[] {
  const origin = toOrigin(base)
  if (origin === undefined) return []
  const { siteId, session } = id
  const folder = new URL(base).pathname.replace(/(?<!\/)\/+$/, '')
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
