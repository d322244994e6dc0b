import { declaredType } from './registry.ts'
import { effectiveItemFields, factsOf, isDeclaredList } from './fields.ts'
import { followFiles, withPathsFrom } from './file-links.ts'
import { rewriteHtmlLinks, rewriteLabelledLines, rewriteMarkdownLinks, type Rewrite } from './link-texts.ts'
import type { Block, FieldMeta, Fields, AvailableTypes, Page, Props, SiteConfig } from './model.ts'
import { isPlainObject, mapped, mappedObject, mapValues, ownValue } from './plain-object.ts'
import { isFilePath, isRelative, ownLink } from './site-address.ts'
import { canonicalSlug, comparableSlug, isFileSlug, slugSpellings } from './slugs.ts'

/** A change of the slug of a page. */
interface SlugMove {
  readonly from: string
  readonly to: string
  /** True for the slugs of other pages at that time; links to them stay unchanged. */
  readonly isOther: (slug: string) => boolean
}

/**
 * Rewrites the links of a page to the new slugs of moved pages, including itself.
 *
 * Links are props and row fields of a link kind, keys with `href` in their name, Markdown links, `href`
 * attributes, and the addresses in a footer's lines: paths, relative ones, and addresses at `ownHosts`.
 * Images and plain text are never touched; of a file see `followFiles`. Unchanged objects are returned as they
 * are, including the page.
 */
export function rewriteLinks(
  page: Page,
  rewrite: Rewrite,
  { ownHosts: hosts, ...types }: AvailableTypes & { readonly ownHosts?: ReadonlySet<string> | undefined },
): Page {
  if (isFileSlug(page.slug)) return followFiles(page, rewrite)
  return mapPage(page, types, (target, place) => {
    const link = mayBeOwn(target, place) ? ownLink(target, { slug: page.slug, hosts }) : undefined
    if (!link) return target
    const now = rewrite(link.address)
    return now === link.address ? target : link.before + now
  })
}

/** Returns a page with relative links that lead to what they led to at its former slug. */
export const withLinksFrom = (page: Page, slug: string, types: AvailableTypes): Page =>
  isFileSlug(page.slug)
    ? withPathsFrom(page, slug)
    : mapPage(page, types, (target, place) => {
        if (!isRelative(target) || !mayBeOwn(target, place)) return target
        const [was, is] = [slug, page.slug].map(
          (each) => ownLink(target, { slug: each, hosts: undefined })?.address,
        )
        return was === undefined || was === is ? target : was
      })

function mapPage(page: Page, types: AvailableTypes, visit: LinkWalk['visit']): Page {
  const blocks = mapped(page.blocks, (block): Block => {
    const fields = declaredType(block.type, types)?.fields ?? {}
    const props = mapLinks(block.props, fields, { visit, inFooter: block.type === 'Footer' })
    return props === block.props ? block : { ...block, props }
  })
  return blocks === page.blocks ? page : { ...page, blocks }
}

/** False for a word that is relative to no page: `_blank` under an undeclared name such as `hrefTarget`. */
export const mayBeOwn = (
  target: string,
  { at, isField, meta }: Pick<LinkPlace, 'at' | 'isField' | 'meta'>,
): boolean => !isField || meta !== undefined || /href$/i.test(at) || !isRelative(target)

/** Consecutive moves of pages. */
export interface SlugMoves {
  readonly list: readonly SlugMove[]
  add(move: SlugMove): void
  /** Returns a rewriter that applies the moves from `since` on; calls `again` before each but the first. */
  rewriterSince(since: number, again: () => void): Rewrite
}

/** Creates an empty list of moves. */
export function noMoves(): SlugMoves {
  const list: SlugMove[] = []
  const positions = new Map<string, readonly number[]>()
  const lengths = new Set<number>()

  /** The position of the first move from `since` on whose slug begins the address, before `/`, `?` or `#`. */
  function nextFor(address: string, since: number): number {
    let first = Infinity
    for (const end of lengths) {
      if (end > address.length || !isEnd(address.charAt(end))) continue
      const found = positions.get(address.slice(0, end))?.find((position) => position >= since)
      first = Math.min(first, found ?? Infinity)
    }
    return first
  }

  /**
   * Returns an address on this site with its path in the form in which pages are compared; a trailing `/`
   * stays.
   */
  function comparableAddress(address: string): string {
    const [path = ''] = address.split(/[?#]/, 1)
    if (!path.startsWith('/') || path.startsWith('//')) return address
    const plain = comparableSlug(path)
    if (!positions.has(plain) && canonicalSlug(plain) === undefined) return address
    return plain + (path.endsWith('/') && !plain.endsWith('/') ? '/' : '') + address.slice(path.length)
  }

  return {
    list,
    add(move) {
      for (const from of new Set([move.from, comparableSlug(move.from)])) {
        positions.set(from, [...(positions.get(from) ?? []), list.length])
        lengths.add(from.length)
      }
      list.push(move)
    },
    rewriterSince: (since, again) => (address) => {
      const start = comparableAddress(address)
      let now = start
      for (let at = nextFor(now, since); ; at = nextFor(now, at + 1)) {
        const move = list[at]
        if (!move) return now === start ? address : now
        if (now !== start) again()
        now = movedAddress(now, move)
      }
    },
  }
}

const isEnd = (character: string) =>
  character === '' || character === '/' || character === '?' || character === '#'

function movedAddress(address: string, { from, to, isOther }: SlugMove): string {
  const [path = ''] = address.split(/[?#]/, 1)
  const isBelow = comparableSlug(path) !== comparableSlug(from)
  if (isBelow && (isFilePath(path) || slugSpellings(path).some(isOther))) return address
  const plain = comparableSlug(from)
  return to + address.slice(address.startsWith(plain) ? plain.length : from.length)
}

/**
 * Moves the menu entries of pages to their new slugs, one after another; replaces the label of an earlier
 * page there.
 */
export function moveMenuEntries(
  config: SiteConfig,
  moves: Iterable<readonly [from: string, to: string]>,
): SiteConfig {
  const labels = Object.entries(config.navLabels ?? {}).map(([slug, label]) => ({ slug, label }))
  const members = mapValues(config.navGroups ?? {}, (slugs) => slugs.map((slug) => ({ slug })))
  const labelAt = new Map(labels.map((each) => [each.slug, each]))
  const membersAt = Map.groupBy(Object.values(members).flat(), ({ slug }) => slug)
  const gone = new Set<unknown>()
  let [isLabelled, isGrouped] = [false, false]
  for (const [from, to] of moves) {
    const label = labelAt.get(from)
    const moved = membersAt.get(from)
    if (from === to || !(label ?? moved)) continue
    if (label) {
      gone.add(labelAt.get(to))
      labelAt.delete(from)
      labelAt.set(to, Object.assign(label, { slug: to }))
      isLabelled = true
    }
    if (moved) {
      for (const member of moved) member.slug = to
      membersAt.delete(from)
      const there = membersAt.get(to)
      if (there) there.push(...moved)
      else membersAt.set(to, moved)
      isGrouped = true
    }
  }
  if (!isLabelled && !isGrouped) return config
  const labelled = labels.filter((each) => !gone.has(each)).map(({ slug, label }) => [slug, label] as const)
  return {
    ...config,
    ...(isLabelled && { navLabels: Object.fromEntries(labelled) }),
    ...(isGrouped && { navGroups: mapValues(members, (list) => [...new Set(list.map(({ slug }) => slug))]) }),
  }
}

/** An address in content. */
export interface LinkPlace {
  /** Such as `cards[1].ctaHref`. */
  readonly at: string
  /** True for a link field, such as the link of a button; false inside a text. */
  readonly isField: boolean
  /** Of the field or text, if it is declared. */
  readonly meta: FieldMeta | undefined
}

interface LinkWalk {
  /** Returns the new address of a link. */
  readonly visit: (address: string, place: LinkPlace) => string
  /** True in a footer, whose columns list links as lines of labels and addresses. */
  readonly inFooter?: boolean
}

/** Visits all links in the props of a block or in a row. Unchanged objects are returned as they are. */
export function mapLinks(object: Props, fields: Fields, walk: LinkWalk, at = ''): Props {
  return mappedObject(object, (value, name) =>
    inValue(value, name, ownValue(fields, name), walk, at === '' ? name : `${at}.${name}`),
  )
}

function inValue(
  value: unknown,
  name: string,
  meta: FieldMeta | undefined,
  walk: LinkWalk,
  at: string,
): unknown {
  // Images do not move with pages, and references belong to the CMS.
  if (meta && !factsOf(meta).links) return value
  if (typeof value === 'string') return inText(value, name, meta, walk, at)
  if (meta && isDeclaredList(meta) && Array.isArray(value)) {
    return mapped(value, (row, index) =>
      isPlainObject(row) ? mapLinks(row, effectiveItemFields(meta, row), walk, `${at}[${index}]`) : row,
    )
  }
  return meta?.kind === 'text' ? value : inUndeclared(value, walk, at)
}

/** Visits objects inside an undeclared value: nested menus, documents, links with a label. */
function inUndeclared(value: unknown, walk: LinkWalk, at: string): unknown {
  if (Array.isArray(value))
    return mapped(value, (inner, index) => inUndeclared(inner, walk, `${at}[${index}]`))
  return isPlainObject(value) ? mapLinks(value, {}, walk, at) : value
}

function inText(text: string, name: string, meta: FieldMeta | undefined, walk: LinkWalk, at: string): string {
  const { links } = factsOf(meta)
  const isField = isLinkName(name) || links === 'itself'
  const rewrite = (address: string) => walk.visit(address, { at, isField, meta })
  if (isField) return rewrite(text)
  if (!meta && isPageUrl(name, text)) return rewrite(text)
  if (!meta && name === 'cached_url' && /^\w[^:]*$/.test(text)) return rewrite(`/${text}`).slice(1)
  if (links === 'html') return rewriteHtmlLinks(text, rewrite)
  if (links !== 'markdown' && name !== 'body') return text
  const lines = walk.inFooter && name === 'links' ? rewriteLabelledLines(text, rewrite) : text
  return rewriteMarkdownLinks(lines, rewrite)
}

/** True for names such as `href` and `ctaHref`. */
export const isLinkName = (name: string): boolean => name.toLowerCase().includes('href')

/** True for a path under `url`, as links of documents have it, except the path of a file such as an image. */
export const isPageUrl = (name: string, text: string): boolean =>
  /^(?:cached_)?url$/.test(name) && /^\/(?!\/)/.test(text) && !isFilePath(text.split(/[?#]/, 1)[0] ?? '')
