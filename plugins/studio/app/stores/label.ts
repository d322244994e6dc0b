/** What a block and a row of a list are called: by a text of their own. */
import { markdownText } from '../../../content/markdown-text.ts'
import type { BlockType } from './block-types.ts'
import { isRow, keyOf, type Row } from './place.ts'

/** The names of fields by which a person knows content again, the best one first. */
const telling = ['heading', 'title', 'label', 'name', 'siteName', 'q', 'quote', 'text', 'body', 'caption']
const worded: ReadonlySet<string> = new Set(['text', 'richtext', 'html', 'imageAlt'])
const longest = 80

/** The first telling text of some content; the fields of its type decide where no name tells. */
export function textIn(props: Row, fields: BlockType['fields'] = {}): string {
  const others = Object.entries(fields).filter(([, { kind, internal }]) => worded.has(kind) && !internal)
  for (const name of [...telling, ...others.map(([name]) => name), 'imageAlt', 'alt', 'author']) {
    const text = plain(props[name])
    if (text !== '') return text
  }
  return ''
}

/** A text without its Markdown and markup, on one line. */
function plain(value: unknown): string {
  if (typeof value !== 'string') return ''
  const text = markdownText(value.slice(0, 400).replace(/<[^<>]*>/g, ' '))
    .replace(/^• /, '')
    .replace(/\s+/g, ' ')
    .trim()
  return text.length > longest ? `${text.slice(0, longest).trimEnd()}…` : text
}

/** A row of a list of a block, as the outline shows it. */
export interface RowOfList {
  readonly key: string
  readonly list: string
  readonly index: number
  readonly count: number
  readonly text: string
  /** Whether it stays where it is. */
  readonly isFixed: boolean
}

/** The rows of the lists of a block, in the order of its fields. */
export function rowsIn(props: Row, fields: BlockType['fields'] = {}): readonly RowOfList[] {
  return Object.entries(fields).flatMap(([list, field]) => {
    const { kind, internal, label = list, itemFields, fixedRows: isFixed = false } = field
    const rows: unknown = props[list]
    if (kind !== 'list' || internal || !Array.isArray(rows)) return []
    return rows.flatMap((row: unknown, index) => {
      if (!isRow(row)) return []
      const text = textIn(row, itemFields as BlockType['fields']) || `${label} ${index + 1}`
      return [{ key: keyOf(row), list, index, count: rows.length, text, isFixed }]
    })
  })
}
