import { isDeclaredList } from '../../content/fields.ts'
import {
  addressesIn,
  rewriteHtmlLinks,
  rewriteLabelledLines,
  rewriteMarkdownLinks,
} from '../../content/link-texts.ts'
import { isLinkName, isPageUrl } from '../../content/links.ts'
import { isPlainObject } from '../../content/plain-object.ts'
import { comparableSlug, decoded } from '../../content/slugs.ts'
import type { Field } from './field.ts'
import type { Fix, Found, Place, Write } from './finding.ts'

/** A link on a page. */
export interface Link {
  readonly at: Place
  readonly target: string
  /** The decoded path within the site, without a trailing slash; `undefined` for other links. */
  readonly to: { readonly path: string; readonly fragment: string } | undefined
  /** Set if the target is the complete value of a field, rather than a part of a text. */
  readonly field?: { readonly write: Write | undefined; readonly isRequired: boolean } | undefined
}

/** Returns the links in a field: its value in a link field, and links inside texts. */
export function linksIn(field: Field): readonly Link[] {
  const { at, meta, value } = field
  if (isLink(field)) {
    if (typeof value !== 'string' || value.trim() === '') return nestedLinks(value, at)
    return [
      { ...linkTo(at, value.trim()), field: { write: field.write, isRequired: meta?.required === true } },
    ]
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

function linkTo(at: Place, target: string): Link {
  if (!/^[/#]/.test(target) || target.startsWith('//')) return { at, target, to: undefined }
  const [address = '', fragment = ''] = target.split('#', 2)
  const path = address.replace(/\?.*/s, '')
  const to = { path: comparableSlug(path), fragment: decoded(fragment) ?? fragment }
  return { at, target, to }
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
  meta?.kind === 'url' || meta?.kind === 'link' || (meta === undefined && isLinkName(name))

/** Returns the text field of a link: the sibling with the same stem, such as `ctaText` for `ctaHref`. */
export function linkTextOf({ name, fields, beside }: Field): Field | undefined {
  const stem = name.replace(/(?:Href|Url|Link)$/, '')
  const names = stem === name ? ['label', 'text', 'title'] : [`${stem}Text`, `${stem}Label`]
  return beside(names.find((each) => Object.hasOwn(fields, each)))
}

function targetsIn({ name, meta, at }: Field, text: string): readonly string[] {
  if (meta?.kind === 'html') return addressesIn(text, rewriteHtmlLinks)
  if (meta?.kind !== 'richtext' && meta?.kind !== 'text' && name !== 'body') return []
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
    return isTarget ? [linkTo(at, inner.trim())] : []
  })
}
