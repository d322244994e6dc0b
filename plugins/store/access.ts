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
  /** The number of documents, or the bytes of all bodies. */
  total(what: 'count' | 'bytes', query: Query): Awaitable<number>
  /** Returns the new version, or `undefined` if `expect` is not the stored one. */
  put(scope: string, key: string, written: WrittenDocument, expect?: number): Awaitable<number | undefined>
  /** Returns whether a document was removed; a document with a version other than `expect` is kept. */
  remove(scope: string, key: string, expect?: number): Awaitable<boolean>
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
    count: async (scope, where = {}) => table().total('count', toQuery(spec, { where }, scope)),
    bytes: async (scope) => table().total('bytes', toQuery(spec, {}, scope)),
  }
}

/** Implements the reads and writes of a collection; calls `writable` before every write. */
export function writerOf<Body, C extends Columns>(
  spec: CollectionSpec<Body, C>,
  table: () => Table,
  writable: () => Table,
): Writer<Body, C> {
  const versionOf = async (scope: string, key: string): Promise<number> =>
    (await table().get(scope, key))?.version ?? 0
  return {
    ...readerOf(spec, table),
    async put(scope, key, { body, json = toText(body), columns }, { expect } = {}) {
      const document = { json, columns: checkColumns(spec, columns) }
      const version = await writable().put(storable(scope), storable(key), document, expect)
      if (version === undefined) throw versionMismatch(expect ?? 0, await versionOf(scope, key))
      return version
    },
    async remove(scope, key, { expect } = {}) {
      if (await writable().remove(storable(scope), storable(key), expect)) return true
      const current = expect === undefined ? 0 : await versionOf(scope, key)
      if (expect !== undefined && expect !== current) throw versionMismatch(expect, current)
      return false
    },
    clear: async (scope, { before } = {}) =>
      writable().clear(storable(scope), before === undefined ? undefined : storable(before)),
  }
}

function toText(body: unknown): string {
  const text: string | undefined = JSON.stringify(body)
  if (text === undefined) throw new TypeError('A document needs a body that JSON can carry.')
  return text
}
