import { stableJson } from '../../kernel/index.ts'

/** The source of the data, as named to the model. */
export type DataSource =
  | 'request'
  | 'block types'
  | 'site'
  | 'page list'
  | 'site settings'
  | 'pages'
  | 'selection'
  | 'attachments'
  | 'tool result'
  | 'earlier plan'
  | 'problem'

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
