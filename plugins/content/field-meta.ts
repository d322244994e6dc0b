import { fieldKinds } from './field-kinds.ts'
import { everyItemField } from './list-fields.ts'
import type { FieldMeta } from './model.ts'

/**
 * Tells whether a prop or row field is edited in place on the page.
 *
 * `name` is a prop name or a path such as `items[2].alt`; links and images are recognised by it even without
 * metadata. `value` matters for rich text only: a document, unlike a text, has no single place to type into.
 */
export function isInlineEditable(name: string, meta?: FieldMeta, value?: unknown): boolean {
  if (meta?.panelOnly) return false
  if (meta?.inlineEditable !== undefined) return meta.inlineEditable
  if (isNeverInline.test(name)) return false
  if (!meta) return true
  const isDocument = meta.kind === 'richtext' && typeof value === 'object' && value !== null
  return fieldKinds[meta.kind].inline && !isDocument
}

/** What names alone tell of links and images; the short names only inside a row. */
const isNeverInline = /(?:ctaHref|secondaryCtaHref|imageUrl|imageAlt|href|url)$|\]\.(?:src|alt|poster)$/

/** Tells whether a translation of the page changes this field; of a list, any field of its rows. */
export function isTranslatable(meta: FieldMeta): boolean {
  if (meta.localized === false) return false
  if (meta.kind !== 'list') return fieldKinds[meta.kind].translatable
  return Object.values(everyItemField(meta)).some(isTranslatable)
}

/** Tells whether a prop is kept from people: by a leading underscore, or because its metadata says so. */
export function isInternal(name: string, meta?: FieldMeta): boolean {
  return name.startsWith('_') || meta?.internal === true
}

/** The name of a field for people. */
export function labelOf(name: string, meta?: FieldMeta): string {
  return meta?.label || name
}
