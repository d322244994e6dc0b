/** The slug of the home page. */
export const home = '/'

const mostCharacters = 512
const seedLength = 48

/**
 * Reads text as a slug: trims it and adds a missing leading `/`.
 *
 * Returns `undefined` for an empty text and for a text that is not an address, such as a sentence.
 */
export function coerceSlug(input: unknown): string | undefined {
  if (typeof input !== 'string') return undefined
  const slug = input.trim()
  if (slug.startsWith('/')) return slug
  return /^[A-Za-z0-9][A-Za-z0-9/_-]*$/.test(slug) ? `/${slug}` : undefined
}

/**
 * Returns the canonical form of a slug for a new page: decoded, no repeated or trailing `/`, Unicode NFC.
 *
 * Returns `undefined` for a slug with characters other than letters, digits and `- . _ ~`, percent-encoded or
 * not, with a `%` that encodes nothing, with a segment that browsers read as `.` or `..`, or with more than
 * 512 characters.
 */
export function canonicalSlug(input: unknown): string | undefined {
  const segments = coerceSlug(input)?.split('/').filter(Boolean).map(decoded)
  if (!segments?.every(isSegment)) return undefined
  const slug = `/${segments.join('/').normalize('NFC')}`
  return slug.length <= mostCharacters ? slug : undefined
}

/**
 * Returns the form in which the addresses of pages are compared: the canonical one, or at least a decoded
 * one.
 */
export const comparableSlug = (slug: string): string =>
  isPlain.test(slug) ? slug : (canonicalSlug(slug) ?? (decoded(slug) ?? slug).normalize('NFC'))

/** Most slugs: for these the canonical form need not be made. */
const isPlain = /^(?:\/[\w-]+)+$/

/**
 * Returns the spellings that a slug may have in a draft: as requested, in canonical form, and as a site may
 * spell it: percent-encoded or decomposed, without the leading or with a trailing `/`.
 *
 * The list is short: a page can be looked up without reading every slug of the draft.
 */
export function slugSpellings(slug: string): readonly string[] {
  const canonical = canonicalSlug(slug)
  if (canonical === undefined) return [slug]
  if (canonical === home) return slug === home ? [home] : [slug, home]
  const forms = [canonical, canonical.normalize('NFD')].flatMap((form) => [form, ...encodings(form)])
  return [...new Set([slug, ...forms.flatMap((form) => [form, form.slice(1), `${form}/`])])]
}

function encodings(slug: string): readonly string[] {
  const upper = encodeURI(slug)
  return [upper, upper.replace(/%../g, (byte) => byte.toLowerCase())]
}

/** Returns which of some slugs is meant by one in any spelling; one that is the same precedes. */
export function slugAmong(slugs: ReadonlySet<string>, slug: string): string | undefined {
  const wanted = comparableSlug(slug)
  return slugs.has(slug) ? slug : [...slugs].find((each) => comparableSlug(each) === wanted)
}

/** Returns the page at an address in any spelling; one with exactly this slug precedes. */
export function pageAtSlug<T extends { readonly slug: string }>(
  pages: readonly T[],
  slug: string,
): T | undefined {
  const wanted = comparableSlug(slug)
  return (
    pages.find((page) => page.slug === slug) ?? pages.find((page) => comparableSlug(page.slug) === wanted)
  )
}

/** Creates a slug segment of at most 48 characters from words; empty if they have no letter or digit. */
export function seedFromWords(words: string): string {
  const seed = words
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-/, '')
  return [...seed].slice(0, seedLength).join('').replace(/-$/, '')
}

/** Whether a page is a file of its website, which has `/~` and its path as the slug. */
export const isFileSlug = (slug: string): boolean => slug.startsWith('/~')

/**
 * Derives a page title from a slug: `/our-team/berlin` becomes `Our Team Berlin`, and of a file its name:
 * `/~posts/2026-11-28-new-boats.md` becomes `New boats`.
 */
export function titleFromSlug(slug: string): string {
  if (slug === home) return 'Home'
  if (isFileSlug(slug)) return titleOfFile(slug)
  const words = slug.split(/[/_\-\s]+/).filter(Boolean)
  return words.length === 0 ? 'Untitled page' : words.map(capitalised).join(' ')
}

/** Where frameworks have their pages. */
const pagesFolder = /^(?:pages|routes|app|site|content|src|)$|(?:^|\/)src\/(?:pages|routes|app)$/

/** The words of the name of a file, or for an index of its folder; the index of all pages is the home page. */
function titleOfFile(slug: string): string {
  const path = decoded(slug.slice(2).replaceAll(/~([0-9a-f]{2})/g, '%$1')) ?? slug.slice(2)
  const names = path
    .replace(/\.\w+$/, '')
    .replace(/\+page$|(?<=^(?:.*\/)?app\/(?:.*\/)?)page$/, 'index')
    .split('/')
  if (names.at(-1) === 'index' && pagesFolder.test(names.slice(0, -1).join('/'))) return 'Home'
  const name = names.findLast((each) => !/^_?(?:index|readme)$/i.test(each)) ?? names.at(-1) ?? ''
  const words = name
    .replace(/^\d{4}-\d\d-\d\d-|^\d+[.-]/, '')
    .split(/[-_\s]+/)
    .filter(Boolean)
  return capitalised(words.join(' ')) || 'Untitled page'
}

/** Capitalises the first letter of a text. */
export function capitalised(text: string): string {
  const [first = '', ...rest] = text
  return first.toUpperCase() + rest.join('')
}

/** Lists the home page first and the rest in order; takes slugs or pages. */
export function homeFirst<T extends string | { readonly slug: string }>(pages: readonly T[]): readonly T[] {
  const at = pages.findIndex((page) => (typeof page === 'string' ? page : page.slug) === home)
  return at > 0 ? [...pages.slice(at, at + 1), ...pages.toSpliced(at, 1)] : pages
}

/**
 * Returns the stored order with a page, new or not, right after another.
 *
 * Without an anchor, or with home as the anchor, the page precedes all others but home: home is first in
 * every listing, wherever it is stored.
 */
export function placedAfter(order: readonly string[], slug: string, anchor?: string): readonly string[] {
  const others = order.filter((other) => other !== slug)
  if (anchor !== undefined && anchor !== home) return others.toSpliced(others.indexOf(anchor) + 1, 0, slug)
  return others.toSpliced(others[0] === home ? 1 : 0, 0, slug)
}

/**
 * Returns a free slug for the copy of a page: `/about-copy`, then `/about-copy-2`; `/home-copy` for home.
 * That of a file is beside it, `/~docs/about-copy.md`, and that of a route in a folder of its own.
 */
export function copySlug(source: string, taken: (slug: string) => boolean): string {
  const [, file = named(source), ending = ''] = routeInApp.exec(source) ?? fileEnding.exec(source) ?? []
  const stem = `${file.slice(0, mostCharacters - 16 - ending.length)}-copy`
  if (!taken(stem + ending)) return stem + ending
  for (let n = 2; ; n += 1) if (!taken(`${stem}-${n}${ending}`)) return `${stem}-${n}${ending}`
}

const named = (slug: string): string =>
  slug === home ? '/home' : (canonicalSlug(slug) ?? `/${seedFromWords(slug) || 'page'}`)

/** The folder of a route of Next.js, and its file. */
const routeInApp = /^(\/~(?:.*\/)?app\/.+)(\/page\.\w{1,16})$/
/** A file and its extension, or the folder of a route of SvelteKit and its file. */
const fileEnding = /^(\/~.+?)(\/~2bpage\.\w{1,16}|\.\w{1,16})$/

/** Whether a file is a text, which may be created, copied and moved; others are used by code. */
export const isTextFile = (slug: string): boolean =>
  isFileSlug(slug) && /\.(?:md|mdx|mdoc|markdown)$/i.test(slug)

/**
 * Returns the slug of a new page with a name, which has no slash. On a website of files that is a document
 * beside the shown one, else beside the first one.
 */
export function slugOfNewPage(name: string, shown: string, slugs: readonly string[]): string {
  const model = [shown, ...slugs].find(isTextFile) ?? slugs.find(isFileSlug)
  if (model === undefined) return `/${name}`
  const path = model.slice(2)
  const extension = isTextFile(model) ? path.slice(path.lastIndexOf('.')) : '.md'
  return `/~${path.slice(0, path.lastIndexOf('/') + 1)}${name}${extension}`
}

const isSegment = (segment: string | undefined): segment is string =>
  segment !== undefined && /^[\p{L}\p{M}\p{N}\-._~]+$/u.test(segment) && !/^\.{1,2}$/.test(segment)

/** Addresses of the service on a site, at which visitors never see a page. */
const reserved = /^\/(?:draft|api\/editor(?:\/.*)?)$/i

/** True for a slug that the routes for editors of a site answer. */
export const isReserved = (slug: string): boolean => reserved.test(slug)

const rootFiles: ReadonlySet<string> = new Set([
  '/robots.txt',
  '/ads.txt',
  '/app-ads.txt',
  '/humans.txt',
  '/llms.txt',
  '/favicon.ico',
  '/manifest.json',
  '/manifest.webmanifest',
  '/site.webmanifest',
  '/rss.xml',
  '/feed.xml',
  '/atom.xml',
  '/sw.js',
  '/service-worker.js',
  '/_image',
])
/** What frameworks answer with a page of their own: with the home page, or for errors. */
const ownPages = /^\/(?:index|404|500|_error|_not-found)(?:\.html)?$/i
const sitemap = /^\/sitemap[\w-]*\.xml$/i
const folders =
  /^\/(?:api|_next|_astro|_actions|_server-islands|_nuxt|_vercel|cdn-cgi|generated-images|\.well-known)\//i

/**
 * True for a file or page that websites have at their root by convention, which precedes a page of the
 * content.
 */
export const isRootFile = (slug: string): boolean =>
  rootFiles.has(slug.toLowerCase()) || sitemap.test(slug) || ownPages.test(slug)

/** Returns the folder of a slug, such as `/api/`, that websites have by convention for routes and files. */
export const routeFolder = (slug: string): string | undefined => folders.exec(slug)?.[0].toLowerCase()

/** Returns the first duplicate slug, or `undefined`. */
export function repeatedSlug(pages: readonly { readonly slug: string }[]): string | undefined {
  const seen = new Set<string>()
  return pages.find(({ slug }) => seen.has(slug) || !seen.add(slug))?.slug
}

export const slugTwice = (slug: string): string => `'${slug}' is the slug of two pages. Send each page once.`

/** Decodes a percent-encoded part of an address; returns `undefined` if the encoding is invalid. */
export function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
