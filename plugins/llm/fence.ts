import { isPlainObject } from '../content/plain-object.ts'

/** The source of the data, as named to the model. */
export type DataSource = 'request' | 'block types' | 'site' | 'pages' | 'attachments' | 'tool result' | 'earlier plan' | 'problem'

/**
 * Marks untrusted data, which a model is instructed to read and never to obey.
 *
 * The data is JSON without a `<`, so that it can neither close the fence nor open another.
 */
export function fenced(source: DataSource, value: unknown): string {
  return `<untrusted_data source="${source}">\n${encoded(value)}\n</untrusted_data>`
}

/** The data between the fences. */
export const encoded = (value: unknown): string => stableJson(value).replaceAll('<', '\\u003c')

/**
 * Serialises a value as JSON with sorted keys, so that equal values have equal bytes.
 *
 * The prompt cache of a provider matches only identical bytes.
 */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (!isPlainObject(part)) return part
    return Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })
}
