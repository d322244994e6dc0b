/** Values of fields in words, never as JSON. */
import { markdownText } from '../../../content/markdown-text.ts'
import { metaNames as names } from '../../../content/setting-names.ts'
import { labelOf, typeOf, type Field } from './block-types.ts'
import { isRow, stepsOf } from './place.ts'

/** The text of any value: rows and lists are their texts. */
export function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === true || value === false) return value ? 'Yes' : 'No'
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.map(wordsOf).join('\n')
  if (!isRow(value)) return ''
  return Object.entries(value)
    .filter(([name]) => name !== 'id' && name !== '_key')
    .map(([, each]) => wordsOf(each))
    .filter((text) => text !== '')
    .join(' · ')
}

/** The kinds of fields with plain text. */
const plain: ReadonlySet<string> = new Set(['text', 'html', 'imageAlt', 'image', 'imageList', 'url', 'link'])

/** The text of a value as people read it, by the kind of its field: rich text without its marks. */
export const readingOf = (value: unknown, kind = ''): string =>
  plain.has(kind) ? wordsOf(value) : markdownText(wordsOf(value), { addresses: true })

/** The texts of a page for search engines and links, by their keys. */
export const metaNames: Readonly<Record<string, string>> = names

/** The names and positions of a path, each name with its field. */
function* fieldsAlong(type: string, path: string) {
  let fields: Readonly<Record<string, Field>> | undefined = typeOf.value(type)?.fields
  for (const step of stepsOf(path)) {
    const field: Field | undefined = typeof step === 'number' ? undefined : fields?.[step]
    yield { step, field }
    if (typeof step === 'string')
      fields = Object.assign({}, ...Object.values(field?.itemFieldsByType ?? {}), field?.itemFields)
  }
}

/** The name of a field for people by its path in a difference, such as `Questions 2: Answer`. */
export function nameOfPath(type: string, path: string): string {
  let name = ''
  for (const { step, field } of fieldsAlong(type, path))
    name += typeof step === 'number' ? ` ${step + 1}` : `${name === '' ? '' : ': '}${labelOf(step, field)}`
  return name
}

/** The kind of a field by its path; `undefined` for what is none. */
export const kindOfPath = (type: string, path: string): string | undefined =>
  [...fieldsAlong(type, path)].at(-1)?.field?.kind
