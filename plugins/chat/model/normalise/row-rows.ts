import { effectiveItemFields } from '../../../content/list-fields.ts'
import type { FieldMeta, Fields } from '../../../content/model.ts'
import { ownValue } from '../../../content/plain-object.ts'
import { without, type Loose } from './place.ts'

/** One thing that models write otherwise in the rows of a list. */
export interface ItemRow {
  readonly name: string
  readonly apply: (row: Loose, fields: Fields) => Loose
}

const meanings: Readonly<Record<string, string>> = { question: 'q', answer: 'a', testimonial: 'quote', review: 'quote' }
const looseTexts = ['label', 'name', 'text', 'heading', 'headline']
const preferredTexts = ['title', 'label', 'q', 'quote', 'heading', 'description', 'author', 'value']

const isDeclared = (fields: Fields, name: string): boolean => ownValue(fields, name) !== undefined

/** The rows for a row of a list, in the order in which they are applied. */
export const itemRows: readonly ItemRow[] = [
  {
    name: 'questions, answers and testimonials in full words',
    apply: (row, fields) => renamed(row, (name) => {
      const meant = ownValue(meanings, name)
      return meant !== undefined && !isDeclared(fields, name) && isDeclared(fields, meant) ? meant : undefined
    }),
  },
  {
    name: 'keys in another case',
    apply: (row, fields) => renamed(row, (name) =>
      isDeclared(fields, name) ? undefined : Object.keys(fields).find((key) => key.toLowerCase() === name.replaceAll(/[_-]/g, '').toLowerCase())),
  },
  {
    name: 'a text under a name that the row does not have',
    apply(row, fields) {
      const free = preferredTexts.find((key) => isDeclared(fields, key) && row[key] === undefined)
      const name = looseTexts.find((key) => typeof row[key] === 'string' && !isDeclared(fields, key))
      return free === undefined || name === undefined ? row : { ...without(row, name), [free]: row[name] }
    },
  },
]

/** A row as its list declares it. */
export function normalisedItem(row: Loose, list: FieldMeta): Loose {
  return itemRows.reduce((soFar, { apply }) => apply(soFar, effectiveItemFields(list, soFar)), row)
}

/** The row with other keys; one that is there already stays. */
function renamed(row: Loose, to: (name: string) => string | undefined): Loose {
  const moves = Object.keys(row).flatMap((name) => {
    const target = to(name)
    return target !== undefined && row[target] === undefined ? [[name, target] as const] : []
  })
  if (moves.length === 0) return row
  const added = moves.map(([from, target]) => [target, row[from]])
  return { ...without(row, ...moves.map(([from]) => from)), ...Object.fromEntries(added) }
}
