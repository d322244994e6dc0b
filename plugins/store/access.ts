import { jobColumns } from './collection.ts'
import type { Claim, CollectionSpec, Columns, Document, Range, Reader, Row, Writer } from './port.ts'
import type { StoredDocument, StoredRow, DocumentColumns, WrittenDocument } from './documents.ts'
import { textNotStorable, versionMismatch } from './refusals.ts'

/** A collection of any types. */
export type AnySpec = Pick<CollectionSpec<unknown, Columns>, 'name' | 'columns' | 'indexes'>

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

/** A checked claim. */
export interface ClaimQuery extends Omit<Claim, 'where'> {
  readonly where: Query['where']
}

/** A value of an engine that answers at once, or of one behind a socket. */
export type Awaitable<T> = T | Promise<T>

/** The documents of one collection as an engine reads and writes them. */
export interface Table {
  get(scope: string, key: string): Awaitable<StoredDocument | undefined>
  list(query: Query): Awaitable<readonly StoredDocument[]>
  rows(query: Query): Awaitable<readonly StoredRow[]>
  count(query: Query): Awaitable<number>
  /** Returns the new version, or `undefined` if `expect` is not the stored one. */
  put(scope: string, key: string, written: WrittenDocument, expect?: number): Awaitable<number | undefined>
  claim(query: ClaimQuery): Awaitable<readonly StoredDocument[]>
  /** Returns whether a document was removed. */
  remove(scope: string, key: string): Awaitable<boolean>
  /** Returns the number of removed documents. */
  clear(scope: string, before?: string): Awaitable<number>
}

/** Returns a scope, a key or the text of a column; refuses U+0000 and lone surrogates. */
function storable(text: string): string {
  if (typeof text !== 'string') throw new TypeError('Scopes, keys and text columns are strings.')
  if (text.includes('\0') || !text.isWellFormed()) throw textNotStorable()
  return text
}

/** Returns the values of these columns, by default of all; an undeclared, missing or mistyped one throws a TypeError. */
function checked(
  spec: AnySpec,
  values: Partial<DocumentColumns>,
  names = Object.keys(spec.columns),
): DocumentColumns {
  const exact: Record<string, string | number> = {}
  for (const name of names) {
    const type = Object.hasOwn(spec.columns, name) ? spec.columns[name] : undefined
    if (type === undefined) throw new TypeError(`Collection '${spec.name}' has no column '${name}'.`)
    const value = values[name]
    if (type === 'text' && typeof value === 'string') exact[name] = storable(value)
    else if (type === 'integer' && typeof value === 'number' && Number.isSafeInteger(value))
      exact[name] = value
    else {
      const wanted = type === 'text' ? 'a string' : 'a safe integer'
      throw new TypeError(`Column '${name}' of collection '${spec.name}' takes ${wanted}.`)
    }
  }
  return exact
}

/** Turns a range into a query; an undeclared column, or an invalid limit, throws a TypeError. */
function toQuery(spec: AnySpec, range: Range<AnySpec['columns']> = {}, scope?: string): Query {
  const { where = {}, orderBy, descending = false, after, limit } = range
  if (orderBy !== undefined && !Object.hasOwn(spec.columns, orderBy)) {
    throw new TypeError(`Collection '${spec.name}' has no column '${orderBy}' to sort by.`)
  }
  if (orderBy !== undefined && after !== undefined) throw new TypeError('A range has `after` or `orderBy`.')
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 0)) {
    throw new TypeError('The limit of a range must be 0 or more.')
  }
  return {
    where: Object.entries(checked(spec, where, Object.keys(where))),
    descending,
    ...(scope !== undefined && { scope: storable(scope) }),
    ...(orderBy !== undefined && { orderBy }),
    ...(after !== undefined && { after: storable(after) }),
    ...(limit !== undefined && { limit }),
  }
}

/** Checks a claim; a column that is not declared throws a TypeError. */
function toClaim(spec: AnySpec, { where = {}, ...claim }: Claim): ClaimQuery {
  const { scope, lane } = claim
  for (const name of [...Object.keys(jobColumns), ...(lane === undefined ? [] : [lane])])
    if (!Object.hasOwn(spec.columns, name))
      throw new TypeError(`Collection '${spec.name}' has no column '${name}', so its rows cannot be claimed.`)
  const exact = Object.entries(checked(spec, where, Object.keys(where)))
  return { ...claim, scope: storable(scope), where: exact }
}

/**
 * Implements the reads of a collection; calls `table` for every read.
 *
 * The types of bodies and columns are those of the declaration by which they were checked when written.
 */
export function readerOf<Body, C extends Columns>(
  spec: CollectionSpec<Body, C>,
  table: () => Table,
): Reader<Body, C> {
  return {
    get: async (scope, key) =>
      table().get(storable(scope), storable(key)) as Awaitable<Document<Body, C> | undefined>,
    rows: async (scope, range) => table().rows(toQuery(spec, range, scope)) as Awaitable<readonly Row<C>[]>,
    list: async (scope, range) =>
      table().list(toQuery(spec, range, scope)) as unknown as Awaitable<readonly Document<Body, C>[]>,
    everywhere: async (range) => table().rows(toQuery(spec, range)) as Awaitable<readonly Row<C>[]>,
    count: async (scope, where = {}) => table().count(toQuery(spec, { where }, scope)),
  }
}

/** Implements the reads and writes of a collection; calls `writable` before every write. */
export function writerOf<Body, C extends Columns>(
  spec: CollectionSpec<Body, C>,
  table: () => Table,
  writable: () => Table,
): Writer<Body, C> {
  return {
    ...readerOf(spec, table),
    async put(scope, key, { body, json = JSON.stringify(body), columns }, { expect } = {}) {
      if (json === undefined) throw new TypeError('A document needs a body that JSON can carry.')
      const document = { json, columns: checked(spec, columns) }
      const version = await writable().put(storable(scope), storable(key), document, expect)
      if (version !== undefined) return version
      throw versionMismatch(expect ?? 0, (await table().get(scope, key))?.version ?? 0)
    },
    claim: async (claim) =>
      writable().claim(toClaim(spec, claim)) as unknown as Awaitable<readonly Document<Body, C>[]>,
    remove: async (scope, key) => writable().remove(storable(scope), storable(key)),
    clear: async (scope, { before } = {}) =>
      writable().clear(storable(scope), before === undefined ? undefined : storable(before)),
  }
}
