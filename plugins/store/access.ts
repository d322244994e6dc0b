import { checkColumns, storable, toQuery, type Query } from './collection-checks.ts'
import type { CollectionSpec, Columns, Document, Reader, Row, Writer } from './port.ts'
import { versionMismatch } from './refusals.ts'
import type { StoredDocument, StoredRow, WrittenDocument } from './documents.ts'

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
  /** Returns whether a document was removed. */
  remove(scope: string, key: string): Awaitable<boolean>
  /** Returns the number of removed documents. */
  clear(scope: string, before?: string): Awaitable<number>
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
    async put(scope, key, { body, json = toText(body), columns }, { expect } = {}) {
      const document = { json, columns: checkColumns(spec, columns) }
      const version = await writable().put(storable(scope), storable(key), document, expect)
      if (version !== undefined) return version
      throw versionMismatch(expect ?? 0, (await table().get(scope, key))?.version ?? 0)
    },
    remove: async (scope, key) => writable().remove(storable(scope), storable(key)),
    clear: async (scope, { before } = {}) =>
      writable().clear(storable(scope), before === undefined ? undefined : storable(before)),
  }
}

function toText(body: unknown): string {
  const text: string | undefined = JSON.stringify(body)
  if (text === undefined) throw new TypeError('A document needs a body that JSON can carry.')
  return text
}
