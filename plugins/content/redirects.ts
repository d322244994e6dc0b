import * as v from 'valibot'
import type { SiteContent } from './adapter.ts'
import type { SiteConfig } from './page.ts'
import { described, isPlainObject, mapValues, picked, type PlainObject, sameJson } from './plain-object.ts'
import { comparablePath, pathOf, redirectEdits } from './redirect-edits.ts'
import { encodedAddress } from './site-address.ts'
import { settingsToSend, sourceKey } from './settings-form.ts'
import { comparableSlug } from './slugs.ts'

/** A former address of a site that leads on to another one, as a site lists it. */
export const Redirect = described(
  'Redirect',
  'A former address of a site that leads on to another one, permanently.',
  v.object({
    from: v.pipe(v.string(), v.description('The path of the former address.')),
    to: v.pipe(v.string(), v.description('A path of the site, which may have a query and a fragment.')),
    at: v.pipe(
      v.optional(v.string()),
      v.description('The time of the publish that brought it, in ISO 8601.'),
    ),
  }),
)
export type Redirect = Readonly<v.InferOutput<typeof Redirect>>

/** Former addresses with what they lead to: in a draft, the key `$redirects` of the site config. */
export type Redirects = Readonly<Record<string, string>>

/**
 * The key of the redirects in the site config of a draft; `redirects` may be a setting of the site itself.
 */
export const redirectsKey = '$redirects'

/** Returns the redirects of a site or draft; `undefined` if the site takes none. */
export function redirectsOf(config: SiteConfig | undefined): Redirects | undefined {
  const redirects = config?.[redirectsKey]
  return isRedirects(redirects) ? redirects : undefined
}

const isRedirects = (value: unknown): value is Redirects =>
  isPlainObject(value) && Object.values(value).every((to) => typeof to === 'string')

/** The key of a config with redirects whose site defines no header. */
const only = '$redirectsOnly'
const isOwnKey = (key: string): boolean => [redirectsKey, only, sourceKey].includes(key)

/** Whether a site config defines the header of a site, also an empty one: a site may list redirects alone. */
export const definesHeader = (config: SiteConfig): boolean =>
  config[only] !== true || Object.keys(config).some((key) => !isOwnKey(key))

/** Returns a site config as it leaves the service: without the keys that only the service knows. */
export const settingsOf = (config: SiteConfig): SiteConfig =>
  Object.keys(config).some(isOwnKey) ? picked(config, (_value, key) => !isOwnKey(key)) : config

/** Returns a site config without its redirects; `undefined` if it defines no header. */
export function headerOf(config: SiteConfig | undefined): SiteConfig | undefined {
  if (!config || !redirectsOf(config)) return config
  return definesHeader(config) ? settingsOf(config) : undefined
}

/** Returns a site config as its site has it, without its redirects; `undefined` if it defines no header. */
export const headerToSend = (config: SiteConfig | undefined): SiteConfig | undefined =>
  headerOf(config && settingsToSend(config))

/** Returns a site config without the mark of a site that defines no header. */
const withoutMark = (config: SiteConfig): SiteConfig =>
  config[only] === undefined ? config : picked(config, (_value, key) => key !== only)

/** Returns a site config that defines a header, also an empty one, if its site has one now. */
export const withHeaderOf = (config: SiteConfig | undefined, site: SiteConfig | undefined) =>
  config && site && definesHeader(site) ? withoutMark(config) : config

/** Returns the content of a site with its redirects in the site config, where drafts have theirs. */
export function withListed<C extends Pick<SiteContent, 'siteConfig' | 'redirects'>>(content: C): C {
  const { siteConfig, redirects } = content
  if (!redirects) return content
  return {
    ...content,
    siteConfig: { ...(siteConfig ?? { [only]: true }), [redirectsKey]: redirectsIn(redirects) },
  }
}

const isRedirect = (entry: unknown): entry is Redirect => v.is(Redirect, entry)

/** Returns what a site lists after a publish of this content; `undefined` if the site takes no redirects. */
export function listedAfter(
  { pages, siteConfig }: SiteContent,
  site: SiteContent | undefined,
  at?: string,
): readonly PlainObject[] | undefined {
  if (!site?.redirects) return undefined
  const redirects = redirectsOf(siteConfig) ?? redirectsOf(site.siteConfig) ?? {}
  return toListed(redirects, {
    before: site.redirects,
    ...(at !== undefined && { at }),
    slugs: pages.map(({ slug }) => slug),
  })
}

/**
 * Returns redirects as visitors follow them: each leads to its last address, none leads round in a circle,
 * and none is at the address of a page. The same object if they are so already.
 */
export function settledRedirects(
  redirects: Redirects,
  slugs: Iterable<string>,
  /** Whether a redirect stays as it is. */
  isOpen: (from: string) => boolean = () => false,
): Redirects {
  if (Object.keys(redirects).length === 0) return redirects
  const isAtPage = atPages(slugs)
  const free = picked(redirects, (_to, from) => !isAtPage(from))
  const edits = redirectEdits(free)
  const settled = Object.entries(free).flatMap(([from, address]) => {
    const to = isOpen(from) ? address : edits.end(from)
    return to === undefined ? [] : [[from, to] as const]
  })
  const after = Object.fromEntries(settled)
  return sameJson(redirects, after) ? redirects : after
}

/** Returns whether an address is that of a page, in any spelling. */
export function atPages(slugs: Iterable<string>): (from: string) => boolean {
  const taken = new Set([...slugs].map(comparableSlug))
  return (from) => taken.has(comparableSlug(from))
}

/** Returns a site config with settled redirects; the same object if they are so already. */
export function withSettledRedirects<C extends SiteConfig | undefined>(
  config: C,
  slugs: () => Iterable<string>,
): C {
  const redirects = redirectsOf(config)
  const settled = redirects && settledRedirects(redirects, slugs())
  return settled === redirects ? config : { ...config, [redirectsKey]: settled }
}

/** Returns a site config without the redirects from addresses; the same object if it has none. */
export function withoutRedirectsFrom<C extends SiteConfig | undefined>(
  config: C,
  addresses: ReadonlySet<string | undefined>,
): C {
  const redirects = redirectsOf(config)
  if (!redirects || !Object.keys(redirects).some((from) => addresses.has(from))) return config
  return { ...config, [redirectsKey]: picked(redirects, (_to, from) => !addresses.has(from)) }
}

/**
 * Returns what a site lists: entries that stay keep their place and time, also those that cannot be used;
 * others get the time `at`. The redirects are settled.
 */
export function toListed(
  redirects: Redirects,
  {
    before,
    at,
    slugs,
  }: { readonly before: readonly PlainObject[]; readonly at?: string; readonly slugs: readonly string[] },
): readonly PlainObject[] {
  const wanted = new Map(Object.entries(settledRedirects(redirects, slugs)))
  const staying = before.filter((entry) => {
    if (!isRedirect(entry)) return true
    const stays = wanted.get(entry.from) === entry.to
    if (stays) wanted.delete(entry.from)
    return stays
  })
  return [...staying, ...[...wanted].map(([from, to]) => ({ from, to, ...(at !== undefined && { at }) }))]
}

const byPath = (redirects: Redirects): ReadonlyMap<string, string> =>
  new Map(Object.entries(redirects).map(([from, to]) => [comparableSlug(from), to]))

/** Returns redirects as they are in a site config from those that a site lists. */
export const redirectsIn = (listed: readonly PlainObject[]): Redirects =>
  Object.fromEntries(listed.filter(isRedirect).map(({ from, to }) => [from, to]))

/**
 * Returns where a requested address leads, with its query and trailing slash, as a header can have it;
 * `undefined` for nowhere.
 */
export function redirectFor(redirects: Redirects, address: string): string | undefined {
  const to = byPath(redirects).get(comparablePath(address))
  if (to === undefined) return undefined
  const path = pathOf(to)
  const slash = pathOf(address).endsWith('/') && !path.endsWith('/') ? '/' : ''
  const [, query = ''] = /^[^?#]*(\?[^#]*)/.exec(address) ?? []
  return encodedAddress(path + slash + (to.includes('?') ? '' : query) + to.slice(path.length))
}

/** Returns the function that finds where a path leads; `undefined` for nowhere. */
export function leadsOf(redirects: Redirects): (path: string) => string | undefined {
  const leads = byPath(redirects)
  return (path) => leads.get(comparableSlug(path))
}

/**
 * Returns the redirects after pages were moved: what led to a page leads to its new address, as do the former
 * addresses in `published`. An address at which there is a page now leads nowhere else.
 */
export function redirectsAfter(
  before: Redirects,
  {
    moves,
    published,
    pages,
    own = new Set(),
  }: {
    /** The new addresses of pages by their former ones. */
    readonly moves: ReadonlyMap<string, string>
    readonly published: ReadonlySet<string>
    /** The slugs of pages that the change has put in place. */
    readonly pages: ReadonlySet<string>
    /** The addresses that lead to a new address already. */
    readonly own?: ReadonlySet<string>
  },
): Redirects {
  const moved = byPath(Object.fromEntries(moves))
  const followed = mapValues(before, (target, from) => {
    const to = own.has(from) ? undefined : moved.get(comparablePath(target))
    return to === undefined ? target : to + target.slice(pathOf(target).length)
  })
  const isAtPage = atPages(pages)
  const free = picked(followed, (_to, from) => !isAtPage(from))
  const remaining = [...moves].filter(([from]) => published.has(from) && !pages.has(from))
  const edits = redirectEdits(free)
  for (const [from, to] of remaining) edits.add(from, to)
  const after = edits.result()
  return sameJson(before, after) ? before : after
}

/**
 * Returns the site config of a draft with the redirects of pages that it has at other addresses than its
 * site: of those whose address on the site it did not know when it moved them.
 */
export function withMovesFrom(
  { order, siteConfig }: { readonly order: readonly string[]; readonly siteConfig: SiteConfig | undefined },
  {
    renames,
    agreed,
  }: {
    /** The addresses of pages in the draft by those on the site; empty ones say that a page is gone. */
    readonly renames: ReadonlyMap<string, string>
    /** The redirects that draft and site have, where those of the draft alone lead to its own addresses. */
    readonly agreed?: Redirects | undefined
  },
): SiteConfig | undefined {
  const before = redirectsOf(siteConfig)
  const moves = new Map([...renames].filter(([, to]) => to !== ''))
  if (!before || moves.size === 0) return siteConfig
  const own = new Set(agreed && Object.keys(before).filter((from) => before[from] !== agreed[from]))
  const after = redirectsAfter(before, {
    moves,
    published: new Set(moves.keys()),
    pages: new Set(order),
    own,
  })
  return after === before ? siteConfig : { ...siteConfig, [redirectsKey]: after }
}
