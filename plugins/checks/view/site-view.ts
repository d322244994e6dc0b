import type { Locked } from '../../content/locked.ts'
import type { Page, SiteConfig } from '../../content/page.ts'
import type { Unreadable } from '../../content/read-pages.ts'
import type { Redirects } from '../../content/redirects.ts'
import { hostsOf } from '../../content/site-address.ts'
import { comparableSlug, homeFirst, isFileSlug } from '../../content/slugs.ts'
import { toOrigin } from '../../outbound/port.ts'
import type { Place, Write } from './finding.ts'
import { type Link, type PlaceOnSite, placeOf } from './links.ts'
import type { OwnTexts } from './own-texts.ts'
import type { PageView } from './page-view.ts'

/** The facts of a page for site-wide rules; cached instead of the page. */
export interface PageFacts {
  readonly at: Place
  readonly slug: string
  readonly title: string
  readonly metaTitle: string
  readonly description: string
  /** True if it has a header block, with a menu of its own. */
  readonly hasHeader: boolean
  readonly links: readonly Link[]
  /** The targets of fragments: block ids, `id` attributes and headings; `undefined` if there are too many. */
  readonly anchors: ReadonlySet<string> | undefined
  /** The files of this service in its fields. */
  readonly files: readonly { readonly at: Place; readonly url: string; readonly name: string }[]
  /** The Google Drive images in its fields. */
  readonly drive: readonly {
    readonly at: Place
    readonly url: string
    readonly id: string
    readonly write: Write | undefined
  }[]
}

/** A draft, prepared for site-wide rules. */
export interface SiteView {
  /** The pages, starting with the home page. */
  readonly pages: readonly PageFacts[]
  readonly bySlug: ReadonlyMap<string, PageFacts>
  /** By canonical path. */
  readonly byPath: ReadonlyMap<string, PageFacts>
  /** Returns where a link leads within the site, also with the host of the site. */
  placeOf(link: Link): PlaceOnSite | undefined
  readonly config: SiteConfig
  /** Former addresses with what they lead to. */
  readonly redirects: Redirects
  /** Entries of the website that were left out of the draft, because they cannot be used. */
  readonly leftOut: readonly Unreadable[]
  /** Blocks of the draft that cannot be read. */
  readonly locked: readonly Locked[]
  /** The origin of the website, if registered; under both names of the loopback address. */
  readonly siteOrigins: ReadonlySet<string>
  /** The origins of this service. */
  readonly ownOrigins: ReadonlySet<string>
  /** Missing files under `/generated-images/`. */
  readonly missingFiles: ReadonlySet<string>
  /** Addresses of the stored copies of Google Drive images, by their ids. */
  readonly driveCopies: ReadonlyMap<string, string>
}

export function factsOf(
  { page, at, links, fields, headings, isCut }: PageView,
  ownOrigins: ReadonlySet<string>,
  own: OwnTexts,
): PageFacts {
  // No website shows the ids that a file's blocks have in the draft.
  const anchors = new Set(isFileSlug(page.slug) ? [] : page.blocks.map(({ id }) => id))
  for (const { name, value, meta } of fields) {
    if (typeof value !== 'string') continue
    if (anchorNames.has(name)) anchors.add(value)
    if (meta?.kind === 'html')
      for (const [, id = ''] of value.matchAll(/\bid\s*=\s*["']([^"'<>]+)["']/gi)) anchors.add(id)
  }
  const files = fields.flatMap(({ at, value }) => {
    const [url = '', name = ''] = typeof value === 'string' ? (ownFile.exec(value) ?? []) : []
    return url.startsWith('/') || ownOrigins.has(toOrigin(url) ?? '') ? [{ at, url, name }] : []
  })
  const drive = fields.flatMap(({ at, value, write }) => {
    const [url = '', id] = typeof value === 'string' ? (driveImage.exec(value) ?? []) : []
    return id === undefined ? [] : [{ at, url, id, write }]
  })
  for (const { text } of headings) anchors.add(anchorOf(text))
  return {
    at,
    slug: page.slug,
    title: page.title.trim(),
    metaTitle: metaText(page, 'title'),
    description: metaText(page, 'description'),
    hasHeader: page.blocks.some(({ type }) => type === 'SiteHeader'),
    links: links.map((link) => withOwnTexts(link, own)),
    anchors: isCut || anchors.size > maxAnchors ? undefined : new Set(anchors.values().map(own)),
    files: files.map(({ at, url, name }) => ({ at, url: own(url), name: own(name) })),
    drive: drive.map(({ at, url, id, write }) => ({ at, url: own(url), id: own(id), write })),
  }
}

const withOwnTexts = ({ at, target, to, field }: Link, own: OwnTexts): Link => ({
  at,
  target: own(target),
  to: to && { path: own(to.path), fragment: own(to.fragment) },
  field,
})

const maxAnchors = 5_000
const driveImage = /^(?:https?:\/\/[^/]+)?(?:\/[\w~-]+)*\/gdrive\/images\/([\w-]{1,150})(?:[?#].*)?$/i
const ownFile = /^(?:https?:\/\/[^/]+(?:\/[\w~-]+)*)?\/generated-images\/([\w-]{1,160}\.\w{1,8})$/i

const anchorNames: ReadonlySet<string> = new Set(['id', 'anchor', 'anchorId', 'htmlId'])

/** Returns the fragment that websites usually generate for a heading. */
const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')

export const metaText = ({ meta }: Page, name: 'title' | 'description' | 'ogImage'): string => {
  const value: unknown = meta?.[name]
  return typeof value === 'string' ? value.trim() : ''
}

export function viewSite(
  facts: ReadonlyMap<string, PageFacts>,
  more: Omit<SiteView, 'pages' | 'bySlug' | 'byPath' | 'placeOf'>,
): SiteView {
  const pages = homeFirst([...facts.values()])
  const hosts = hostsOf(more.siteOrigins)
  return {
    pages,
    bySlug: facts,
    byPath: new Map(pages.map((page) => [comparableSlug(page.slug), page])),
    placeOf: (link) => link.to ?? (/^(?:https?:)?\/\//i.test(link.target) ? placeOf(link, hosts) : undefined),
    ...more,
  }
}

/** Yields pages that share a value with an earlier page, together with that page; ignores empty values. */
export function* repeated(
  pages: readonly PageFacts[],
  of: (page: PageFacts) => string,
): Iterable<{ readonly page: PageFacts; readonly other: PageFacts }> {
  const first = new Map<string, PageFacts>()
  for (const page of pages) {
    const shared = of(page)
    if (shared === '') continue
    const other = first.get(shared)
    if (other) yield { page, other }
    else first.set(shared, page)
  }
}
