/** Pieces that several blocks are made of. */
import { imagePlaceholder, type HeadingLevel } from '../../content/fields.ts'
import type { Props } from '../../content/page.ts'
import { html, raw, type Html, type HtmlValue } from './html.ts'
import { text } from './props.ts'
import { safeFile, safeLink } from './url.ts'

/** A heading; nothing without a text, because an empty one misleads whoever jumps from heading to heading. */
export function heading(level: HeadingLevel, content: HtmlValue): Html {
  return content === '' ? html`` : html`${raw(`<h${level}>`)}${content}${raw(`</h${level}>`)}`
}

/** A paragraph; nothing when its text is empty. */
export function paragraph(content: string, className: string): Html {
  return content === '' ? html`` : html`<p class="${className}">${content}</p>`
}

/** The two buttons that many blocks have, as far as they carry a text. */
export function actions(props: Props): Html {
  const buttons = [
    button(text(props, 'ctaText'), props['ctaHref'], 'primary'),
    button(text(props, 'secondaryCtaText'), props['secondaryCtaHref'], 'secondary'),
  ].filter((found) => found !== undefined)
  return buttons.length === 0 ? html`` : html`<p class="actions">${buttons}</p>`
}

/** A link that looks like a button; `undefined` without a text. */
export function button(label: string, href: unknown, look: 'primary' | 'secondary'): Html | undefined {
  return label === '' ? undefined : html`<a class="button ${look}" href="${safeLink(href)}">${label}</a>`
}

/** An image; the placeholder when none was chosen. It is loaded when it comes near, or at once where it is seen first. */
export function picture(src: unknown, alt: string, loading: 'lazy' | 'eager' = 'lazy'): Html {
  return html`<img src="${safeFile(src) ?? imagePlaceholder}" alt="${alt}" loading="${loading}" decoding="async">`
}

/** An image; nothing when none was chosen. */
export function optionalPicture(src: unknown, alt: string): Html {
  return safeFile(src) === undefined ? html`` : picture(src, alt)
}
