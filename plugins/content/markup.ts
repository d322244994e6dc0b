const markup: unique symbol = Symbol('markup')

/** Escaped markup. The key is a symbol, so that no content from JSON can pass for it. */
export interface Html {
  readonly [markup]: string
}

/** The values of a template; everything but `Html` is escaped, `undefined` and `false` are left out. */
export type HtmlValue = string | number | Html | undefined | false | readonly HtmlValue[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;',
}

/** The one way to make HTML: joins a template and escapes every value, for text and for quoted attributes. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return raw(parts.reduce((text, part, i) => text + toMarkup(values[i - 1]) + part))
}

/** Trusts a text as markup; never pass content to it. */
export function raw(text: string): Html {
  return { [markup]: text }
}

/** True for markup made by `html` or `raw`. */
export const isHtml = (value: unknown): value is Html => typeof value === 'object' && value !== null && markup in value

/** The text of markup; any other value is escaped. */
export function toMarkup(value: HtmlValue): string {
  if (value === undefined || value === false) return ''
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (character) => entities[character] ?? '')
  if (typeof value === 'number') return String(value)
  return isHtml(value) ? value[markup] : value.map(toMarkup).join('')
}
