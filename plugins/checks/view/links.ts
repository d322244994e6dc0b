import { factsOf, isDeclaredList } from '../../content/fields.ts'
import {
  addressesIn,
  rewriteHtmlLinks,
  rewriteLabelledLines,
  rewriteMarkdownLinks,
} from '../../content/link-texts.ts'
import { isLinkName, isPageUrl, mayBeOwn } from '../../content/links.ts'
import { isPlainObject } from '../../content/plain-object.ts'
import { ownLink } from '../../content/site-address.ts'
import { comparableSlug, decoded, home } from '../../content/slugs.ts'
import type { Field } from './field.ts'
import type { Fix, Found, Place, Write } from './finding.ts'

/** A place within the site: a decoded path without a trailing slash, which is empty for the page itself. */
export interface PlaceOnSite {
  readonly path: string
  readonly fragment: string
}

/** A link on a page. */
export interface Link {
  readonly at: Place
  readonly target: string
  /** Where a path leads, also a relative one; `undefined` for other links. */
  readonly to: PlaceOnSite | undefined
  /** Set if the target is the complete value of a field, rather than a part of a text. */
  readonly field?: { readonly write: Write | undefined; readonly isRequired: boolean } | undefined
}

/** Returns the links in a field: its value in a link field, and links inside texts. */
export function linksIn(field: Field): readonly Link[] {
  const { at, name, meta, value } = field
  if (isLink(field)) {
    if (typeof value !== 'string' || value.trim() === '') return nestedLinks(value, at)
    const link = linkTo(at, value.trim(), { at: name, isField: true, meta })
    return [{ ...link, field: { write: field.write, isRequired: meta?.required === true } }]
  }
  if (meta && isDeclaredList(meta)) return []
  if (typeof value !== 'string')
    return meta === undefined || meta.kind === 'richtext' ? nestedLinks(value, at) : []
  const targets = new Set(
    targetsIn(field, value)
      .map((target) => target.trim())
      .filter(Boolean),
  )
  return Array.from(targets, (target) => linkTo(at, target))
}

const linkTo = (at: Place, target: string, place: Parameters<typeof mayBeOwn>[1] = inText): Link => ({
  at,
  target,
  to: mayBeOwn(target, place) ? placeOf({ at, target }) : undefined,
})
const inText = { at: '', isField: false, meta: undefined }

/** Returns where a link leads within the site, at one of its `hosts` or by a path. */
export function placeOf(
  { at: { slug = home }, target }: Pick<Link, 'at' | 'target'>,
  hosts?: ReadonlySet<string>,
): PlaceOnSite | undefined {
  const address = target.startsWith('#') ? target : ownLink(target, { slug, hosts })?.address
  if (address === undefined) return undefined
  const [before = '', fragment = ''] = address.split('#', 2)
  const path = before.replace(/\?.*/s, '')
  return { path: comparableSlug(path), fragment: decoded(fragment) ?? fragment }
}

/** Builds a match for a link. Links in a text are distinguished by their targets. */
export const aboutLink = ({ at, target, field }: Link, message: string, fix?: Fix): Found => ({
  at,
  message,
  value: target,
  of: field ? '' : target,
  fix,
})

/** True for a link field, by its kind or by `href` in its name. */
export const isLink = ({ name, meta }: Field): boolean =>
  factsOf(meta).links === 'itself' || (meta === undefined && isLinkName(name))

/** Returns the text field of a link: the sibling with the same stem, such as `ctaText` for `ctaHref`. */
export function linkTextOf({ name, fields, beside }: Field): Field | undefined {
  const stem = name.replace(/(?:Href|Url|Link)$/, '')
  const names = stem === name ? ['label', 'text', 'title'] : [`${stem}Text`, `${stem}Label`]
  return beside(names.find((each) => Object.hasOwn(fields, each)))
}

function targetsIn({ name, meta, at }: Field, text: string): readonly string[] {
  const { links } = factsOf(meta)
  if (links === 'html') return addressesIn(text, rewriteHtmlLinks)
  if (links !== 'markdown' && name !== 'body') return []
  const lines = at.blockType === 'Footer' && name === 'links' ? addressesIn(text, rewriteLabelledLines) : []
  return [...lines, ...addressesIn(text, rewriteMarkdownLinks)]
}

/** Returns links inside undeclared values, such as documents: strings under names with `href`. */
function nestedLinks(value: unknown, at: Place): readonly Link[] {
  if (Array.isArray(value)) return value.flatMap((each) => nestedLinks(each, at))
  if (!isPlainObject(value)) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    if (typeof inner !== 'string') return nestedLinks(inner, at)
    const isTarget = isLinkName(name) ? inner.trim() !== '' : isPageUrl(name, inner)
    return isTarget ? [linkTo(at, inner.trim(), { at: name, isField: true, meta: undefined })] : []
  })
}
