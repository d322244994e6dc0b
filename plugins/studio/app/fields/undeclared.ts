/** The fields of blocks whose type declares none, such as front matter and data: what their values show. */
import type { Field } from '../stores/block-types.ts'
import { isRow, type Row } from '../stores/place.ts'

interface FoundField {
  /** The names to it, from the props of the block. */
  readonly path: readonly string[]
  readonly field: Field
  readonly value: unknown
  /** The object that has it. */
  readonly siblings: Row
}

/** Returns a field for each value; those of an object are in its place. */
export const undeclaredFields = (object: Row, above: readonly string[] = []): readonly FoundField[] =>
  shownIn(object).flatMap(([name, value]) => {
    const path = [...above, name]
    return isRow(value)
      ? undeclaredFields(value, path)
      : [{ path, field: fieldFor(value), value, siblings: object }]
  })

const shownIn = (object: Row) => Object.entries(object).filter(([name]) => !name.startsWith('_'))

const longest = 60

function fieldFor(value: unknown): Field {
  if (typeof value === 'number') return { kind: 'number' }
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return { kind: 'stringList' }
  if (Array.isArray(value) && value.every(isRow)) {
    const fields = value.flatMap((row) => shownIn(row).map(([name, each]) => [name, fieldFor(each)] as const))
    return { kind: 'list', itemFields: Object.fromEntries(fields) }
  }
  if (typeof value !== 'string') return { kind: 'text' }
  if (/^\S+\.(?:png|jpe?g|gif|webp|avif|svg)$/i.test(value)) return { kind: 'image' }
  return { kind: 'text', ...((value.length > longest || value.includes('\n')) && { multiline: true }) }
}
