import type { Field } from '../stores/block-types.ts'
import type { Row } from '../stores/place.ts'

/** The fields of a row for people: those of all rows, and those of its kind. */
export function fieldsOf(list: Field, row: Row): Readonly<Record<string, Field>> {
  const kind = list.discriminator === undefined ? undefined : row[list.discriminator]
  const branches = list.itemFieldsByType ?? {}
  const branch = typeof kind === 'string' && Object.hasOwn(branches, kind) ? branches[kind] : undefined
  // With kinds, the fields that all rows share are those of older editors: the kind knows better.
  const common = Object.entries(list.itemFields ?? {}).filter(
    ([name]) => !branch || name === list.discriminator || name in branch || isFilled(row[name]),
  )
  const all = Object.entries({ ...Object.fromEntries(common), ...branch } as Readonly<Record<string, Field>>)
  return Object.fromEntries(all.filter(([name, field]) => !field.internal && !name.startsWith('_')))
}

const isFilled = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

const naming = ['title', 'label', 'q', 'heading', 'text', 'quote', 'author', 'name', 'alt', 'value']

/** A text of the row, by which a person knows it again. */
export function nameOfRow(row: Row): string {
  const text = naming.map((name) => row[name]).find((each) => typeof each === 'string' && each.trim() !== '')
  return typeof text === 'string' ? text.replaceAll(/\s+/g, ' ').slice(0, 80) : ''
}

/** A row like another one, without its key: the draft gives it its own. */
export function copyOf({ _key, ...row }: Row): Row {
  const { id, ...rest } = row
  return typeof id === 'string' && /^itm_[0-9a-z]{10}$/.test(id) ? rest : row
}
