/** Values of fields in words, never as JSON. */
import { stepsOf } from '../../../content/plain-object.ts'
import { markdownText } from '../../../content/markdown-text.ts'
import { metaNames as names } from '../../../content/setting-names.ts'
import { labelOf, typeOf, type Field } from './block-types.ts'
import { isRow } from './place.ts'

const inOneLine = (values: readonly unknown[]): string =>
  values
    .map(wordsOf)
    .filter((text) => text !== '')
    .join(' · ')

/** The text of any value: each row of a list or a table is a line. */
export function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === true || value === false) return value ? 'Yes' : 'No'
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value))
    return value.map((each) => (Array.isArray(each) ? inOneLine(each) : wordsOf(each))).join('\n')
  if (!isRow(value)) return ''
  return inOneLine(
    Object.entries(value)
      .filter(([name]) => name !== 'id' && name !== '_key')
      .map(([, each]) => each),
  )
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

/** The name of a field by its path in a difference: `Questions 2: Answer`; of a cell, `Rows 2, column 1`. */
export function nameOfPath(type: string, path: string): string {
  let name = ''
  let isAfterNumber = false
  for (const { step, field } of fieldsAlong(type, path)) {
    const isNumber = typeof step === 'number'
    if (isNumber) name += `${isAfterNumber ? ', column' : ''} ${step + 1}`
    else name += `${name === '' ? '' : ': '}${labelOf(step, field)}`
    isAfterNumber = isNumber
  }
  return name
}

/** The kind of a field by its path; `undefined` for what is none. */
export const kindOfPath = (type: string, path: string): string | undefined =>
  [...fieldsAlong(type, path)].at(-1)?.field?.kind
