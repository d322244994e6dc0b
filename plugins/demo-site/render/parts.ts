/** Helpers for block renderers: readers of props, and pieces of markup. */
import { imagePlaceholder, type HeadingLevel } from '../../content/fields.ts'
import { html, raw, type Html, type HtmlValue } from '../../content/markup.ts'
import type { Props } from '../../content/page.ts'
import { isPlainObject } from '../../content/plain-object.ts'
import { drawing } from './drawings.ts'
import { safeFile, safeLink } from './url.ts'

/** The input of a block renderer. */
export interface BlockView {
  readonly id: string
  readonly props: Props
  /** The level of the block's own heading. */
  readonly level: HeadingLevel
  /** The level of headings inside the block. */
  readonly inner: HeadingLevel
  /** Whether an absolute address may belong to one of our origins. */
  readonly isOwn: (address: string) => boolean
}

/** Renders the content of the element with the id and type of a block. */
export type BlockRenderer = (block: BlockView) => Html

/** Returns a prop as text; empty for anything but text and numbers. */
export function text(props: Props, key: string): string {
  const value = props[key]
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
}

/** Returns the rows of a list prop. */
export function rows(props: Props, key: string): readonly Props[] {
  return list(props, key).filter(isPlainObject)
}

/** Returns the texts of a list of texts. */
export function texts(props: Props, key: string): readonly string[] {
  return list(props, key).filter((value) => typeof value === 'string')
}

/** Returns the elements of an array prop; none for any other value. */
export function list(props: Props, key: string): readonly unknown[] {
  const value = props[key]
  return Array.isArray(value) ? value : []
}

/** Returns a prop with a fixed set of values; the first option for any other value. */
export function choice<const T extends string>(props: Props, key: string, options: readonly [T, ...T[]]): T {
  return options.find((option) => option === props[key]) ?? options[0]
}

/** Renders a heading; nothing without text, because an empty heading misleads users of screen readers. */
export function heading(level: HeadingLevel, content: HtmlValue): Html {
  return content === '' ? html`` : html`${raw(`<h${level}>`)}${content}${raw(`</h${level}>`)}`
}

/** Renders a paragraph; nothing without text. */
export function paragraph(content: string, className: string): Html {
  return content === '' ? html`` : html`<p class="${className}">${content}</p>`
}

/** Renders the two buttons of many blocks; omits a button without text. */
export function actions(props: Props): Html {
  const buttons = [
    button(text(props, 'ctaText'), props['ctaHref'], 'primary'),
    button(text(props, 'secondaryCtaText'), props['secondaryCtaHref'], 'secondary'),
  ].filter((found) => found !== undefined)
  return buttons.length === 0 ? html`` : html`<p class="actions">${buttons}</p>`
}

/** Renders a link that looks like a button; `undefined` without text. */
export function button(label: string, href: unknown, look: 'primary' | 'secondary'): Html | undefined {
  return label === '' ? undefined : html`<a class="button ${look}" href="${safeLink(href)}">${label}</a>`
}

/** Renders an image, or the placeholder if none is chosen. Loading is lazy, except at the top of a page. */
export function picture(src: unknown, alt: string, loading: 'lazy' | 'eager' = 'lazy'): Html {
  return html`<img src="${safeFile(src) ?? imagePlaceholder}" alt="${alt}" loading="${loading}" decoding="async">`
}

/** Renders an image; nothing if none is chosen. */
export function optionalPicture(src: unknown, alt: string): Html {
  return safeFile(src) === undefined ? html`` : picture(src, alt)
}

/** Renders an icon, hidden from screen readers because it only repeats the text next to it. */
export function icon(value: string): Html {
  if (value === '') return html``
  const image = /^(?:https?:)?\//i.test(value) ? safeFile(value) : undefined
  const shown = image === undefined ? (drawing(value) ?? value) : html`<img src="${image}" alt="">`
  return html`<span class="icon" aria-hidden="true">${shown}</span>`
}
