const markup: unique symbol = Symbol('markup')

/** Markup that is fit to go into a document. The key is a symbol, so no content out of JSON can pass for it. */
export interface Html {
  readonly [markup]: string
}

/** What a template may hold; all but `Html` is escaped, and nothing is shown for `undefined` and `false`. */
export type HtmlValue = string | number | Html | undefined | false | readonly HtmlValue[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;',
}

/** Joins a template, escaping every value for text and for quoted attributes alike. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return raw(parts.reduce((text, part, i) => text + toMarkup(values[i - 1]) + part))
}

/** Trusts a text as markup; never to be given content. */
export function raw(text: string): Html {
  return { [markup]: text }
}

/** Tells markup from everything else that a function may give. */
export const isHtml = (value: unknown): value is Html => typeof value === 'object' && value !== null && markup in value

/** Gives the text of some markup. */
export function toMarkup(value: HtmlValue): string {
  if (value === undefined || value === false) return ''
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (character) => entities[character] ?? '')
  if (typeof value === 'number') return String(value)
  return isList(value) ? value.map(toMarkup).join('') : value[markup]
}

function isList(value: Html | readonly HtmlValue[]): value is readonly HtmlValue[] {
  return Array.isArray(value)
}
