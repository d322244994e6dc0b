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
