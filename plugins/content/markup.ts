const markup: unique symbol = Symbol('markup')

/** Escaped markup. The key is a symbol, so no content from JSON can pass as markup. */
export interface Html {
  readonly [markup]: string
}

/** A value in a template; everything but `Html` is escaped, `undefined` and `false` are omitted. */
export type HtmlValue = string | number | Html | undefined | false | readonly HtmlValue[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** The only way to create HTML: joins a template and escapes every value, for text and quoted attributes. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return raw(parts.reduce((text, part, i) => text + toMarkup(values[i - 1]) + part))
}

/** Trusts a text as markup; never pass content to it. */
export function raw(text: string): Html {
  return { [markup]: text }
}

/** True for markup created by `html` or `raw`. */
export const isHtml = (value: unknown): value is Html =>
  typeof value === 'object' && value !== null && markup in value

/** Returns the text of markup; escapes any other value. */
export function toMarkup(value: HtmlValue): string {
  if (value === undefined || value === false) return ''
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (character) => entities[character] ?? '')
  if (typeof value === 'number') return String(value)
  return isHtml(value) ? value[markup] : value.map(toMarkup).join('')
}
