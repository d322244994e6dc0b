/** Helpers for block renderers: readers of props, and pieces of markup. */
import { imagePlaceholder, type HeadingLevel } from '../../content/fields.ts'
import { html, raw, toMarkup, type Html, type HtmlValue } from '../../content/markup.ts'
import type { Props } from '../../content/page.ts'
import { drawing } from './drawings.ts'
import { safeFile, safeLink } from './url.ts'

/** The props of a block or of one of its rows. */
export interface View {
  readonly props: Props
  /** Renders the attributes with which an editor finds a field, or without a name the row; nothing for visitors. */
  readonly mark: (field?: string) => Html
  /** Returns the rows of a list prop. */
  readonly rows: (list: string) => readonly View[]
}

/** The input of a block renderer. */
export interface BlockView extends View {
  readonly id: string
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
export function heading(level: HeadingLevel, content: HtmlValue, mark: Html = html``): Html {
  return content === '' ? html`` : headingElement(level, content, mark)
}

const headingElement = (level: HeadingLevel, content: HtmlValue, mark: Html): Html =>
  html`${raw(`<h${level}`)}${mark}>${content}${raw(`</h${level}>`)}`

/** Renders a text prop as a heading. */
export function headingOf(view: View, name: string, level: HeadingLevel): Html {
  const content = text(view.props, name)
  if (content === '' && !isEmptied(view, name)) return html``
  return headingElement(level, content, view.mark(name))
}

/** Renders a text prop as a paragraph; nothing without text. */
export function paragraph(view: View, name: string, className: string): Html {
  const content = text(view.props, name)
  if (content === '' && !isEmptied(view, name)) return html``
  return html`<p class="${className}"${view.mark(name)}>${content}</p>`
}

/** Whether a draft shows an emptied text: its element stays, so that an editor can write there again. */
const isEmptied = ({ props, mark }: View, name: string): boolean =>
  props[name] === '' && toMarkup(mark(name)) !== ''

/** Renders the two buttons of many blocks; omits a button without text. */
export function actions({ props, mark }: View): Html {
  const buttons = [
    button(text(props, 'ctaText'), props['ctaHref'], 'primary', mark('ctaText')),
    button(text(props, 'secondaryCtaText'), props['secondaryCtaHref'], 'secondary', mark('secondaryCtaText')),
  ].filter((found) => found !== undefined)
  return buttons.length === 0 ? html`` : html`<p class="actions">${buttons}</p>`
}

/** Renders a link that looks like a button; `undefined` without text. */
export function button(
  label: string,
  href: unknown,
  variant: 'primary' | 'secondary',
  mark: Html,
): Html | undefined {
  return label === ''
    ? undefined
    : html`<a class="button ${variant}" href="${safeLink(href)}"${mark}>${label}</a>`
}

/** Renders an image prop, or the placeholder if none is chosen. Loading is lazy, except at the top of a page. */
export function picture(
  { props, mark }: View,
  name: string,
  altName: string,
  loading: 'lazy' | 'eager' = 'lazy',
): Html {
  const src = safeFile(props[name]) ?? imagePlaceholder
  const image = html`<img src="${src}" alt="${text(props, altName)}" loading="${loading}" decoding="async">`
  return html`<picture${mark(name)}>${image}</picture>`
}

/** Renders an image prop; nothing if none is chosen. */
export function optionalPicture(view: View, name: string, altName: string): Html {
  return safeFile(view.props[name]) === undefined ? html`` : picture(view, name, altName)
}

/** Renders an icon, hidden from screen readers because it only repeats the text next to it. */
export function icon(value: string): Html {
  if (value === '') return html``
  const image = /^(?:https?:)?\//i.test(value) ? safeFile(value) : undefined
  const shown = image === undefined ? (drawing(value) ?? value) : html`<img src="${image}" alt="">`
  return html`<span class="icon" aria-hidden="true">${shown}</span>`
}
