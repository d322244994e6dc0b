import { isPlainObject } from '../content/plain-object.ts'

/** Where a piece of data comes from, told to the model. */
export type DataSource = 'request' | 'block types' | 'site' | 'pages' | 'attachments' | 'tool result' | 'earlier plan' | 'problem'

/**
 * Marks data from outside, which a model is told to read and never to obey.
 *
 * The data is JSON without a `<`, so that nothing in it can end the fence or open another.
 */
export function fenced(source: DataSource, value: unknown): string {
  return `<untrusted_data source="${source}">\n${encoded(value)}\n</untrusted_data>`
}

/** Data as it stands between the fences. */
export const encoded = (value: unknown): string => stableJson(value).replaceAll('<', '\\u003c')

/**
 * Writes a value as JSON whose bytes depend on nothing but the value: keys are sorted.
 *
 * A prompt that is kept by the provider has to be the same to the byte the next time.
 */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (isPlainObject(part) ? sorted(part) : part))
}

function sorted(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
