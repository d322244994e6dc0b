/** Markup that may stand in a page as it is. */
export interface Html {
  readonly markup: string
}

export type Piece = Html | string | number | undefined | readonly Piece[]

/** Makes markup from a template: what is put into it is escaped, unless it is markup itself. Lists are joined. */
export function html(strings: TemplateStringsArray, ...parts: readonly Piece[]): Html {
  return { markup: strings.map((string, at) => string + (at < parts.length ? toMarkup(parts[at]) : '')).join('') }
}

/** Sets what stands between backticks as code; the rest is plain text. */
export function prose(text: string): Html {
  const parts = text.split(/`([^`]+)`/).map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))
  return html`${parts}`
}

function toMarkup(part: Piece): string {
  if (part === undefined) return ''
  if (typeof part === 'string') return escape(part)
  if (typeof part === 'number') return String(part)
  return 'markup' in part ? part.markup : part.map(toMarkup).join('')
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)
