import type { CollectionSpec, Columns, Range } from './port.ts'
import { isStorable } from './names.ts'
import { textNotStorable } from './refusals.ts'

/** A collection of any types. */
export type AnySpec = Pick<CollectionSpec<unknown, Columns>, 'name' | 'columns'> & {
  readonly indexes: readonly string[]
}
export type Values = Readonly<Record<string, string | number>>

/** A checked range, or the one document under `key`. Without `scope`, every scope, sorted by scope and key. */
export interface Query {
  readonly scope?: string
  readonly key?: string
  readonly where: readonly (readonly [column: string, value: string | number])[]
  readonly orderBy?: string
  readonly descending: boolean
  readonly after?: string
  readonly limit?: number
}

/** Returns a text that every driver can store unchanged; refuses U+0000 and lone surrogates. */
export function storable(text: string): string {
  if (typeof text !== 'string') throw new TypeError('Scopes, keys and text columns are strings.')
  if (!isStorable(text)) throw textNotStorable()
  return text
}

function checkValue(spec: AnySpec, column: string, value: unknown): string | number {
  const type = Object.hasOwn(spec.columns, column) ? spec.columns[column] : undefined
  if (type === 'text' && typeof value === 'string') return storable(value)
  if (type === 'integer' && typeof value === 'number' && Number.isSafeInteger(value)) return value
  if (type === undefined) throw new TypeError(`Collection '${spec.name}' has no column '${column}'.`)
  const wanted = type === 'text' ? 'a string' : 'a safe integer'
  throw new TypeError(`Column '${column}' of collection '${spec.name}' takes ${wanted}.`)
}

/** Returns exactly the declared columns; a missing or mistyped one throws a TypeError. */
export function checkColumns(spec: AnySpec, values: Values): Values {
  const exact: Record<string, string | number> = {}
  for (const column in spec.columns) exact[column] = checkValue(spec, column, values[column])
  return exact
}

/** Turns a range into a query; an undeclared column, or an invalid limit, throws a TypeError. */
export function toQuery(spec: AnySpec, range: Range<AnySpec['columns']> = {}, scope?: string): Query {
  const { where = {}, orderBy, descending = false, after, limit } = range
  if (orderBy !== undefined && !Object.hasOwn(spec.columns, orderBy)) {
    throw new TypeError(`Collection '${spec.name}' has no column '${orderBy}' to sort by.`)
  }
  if (orderBy !== undefined && after !== undefined) throw new TypeError('A range has `after` or `orderBy`.')
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 0)) {
    throw new TypeError('The limit of a range must be 0 or more.')
  }
  return {
    where: Object.entries(where).map(([column, value]) => [column, checkValue(spec, column, value)] as const),
    descending,
    ...(scope !== undefined && { scope: storable(scope) }),
    ...(orderBy !== undefined && { orderBy }),
    ...(after !== undefined && { after: storable(after) }),
    ...(limit !== undefined && { limit }),
  }
}
