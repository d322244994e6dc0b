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
