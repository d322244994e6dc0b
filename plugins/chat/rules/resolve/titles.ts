import { isPlainObject } from '../../../content/plain-object.ts'
import type { Block, Props } from '../../../content/model.ts'

const titleProps = ['heading', 'title', 'text', 'quote', 'siteName']
const labelProps = ['title', 'label', 'q', 'quote', 'author', 'heading', 'value', 'caption']

/** The texts that a block may be called by, its title first. */
export function titlesOf({ props }: Block): readonly string[] {
  return textsIn(props, titleProps)
}

/** A row of a list, and the texts it may be called by. */
export interface LabelledRow {
  readonly listKey: string
  readonly index: number
  readonly row: Props
  readonly labels: readonly string[]
}

/** Every row of every list of a block. */
export function labelledRows({ props }: Block): readonly LabelledRow[] {
  return Object.entries(props).flatMap(([listKey, rows]) => (Array.isArray(rows) ? rows : []).flatMap((row, index) =>
    (isPlainObject(row) ? [{ listKey, index, row, labels: labelsOfRow(row) }] : [])))
}

/** The texts that a row may be called by. */
export const labelsOfRow = (row: Props): readonly string[] => textsIn(row, labelProps)

function textsIn(props: Props, names: readonly string[]): readonly string[] {
  return names.map((name) => props[name]).filter((value) => typeof value === 'string').filter((text) => text.trim() !== '')
}
