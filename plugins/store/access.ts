import { checkColumns, storable, toQuery } from './collection-checks.ts'
import type { CollectionSpec, Columns, Document, Reader, Row, Writer } from './port.ts'
import { versionMismatch } from './refusals.ts'
import type { Table } from './tables.ts'

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
    get: async (scope, key) => table().get(storable(scope), storable(key)) as Document<Body, C> | undefined,
    rows: async (scope, range) => table().rows(toQuery(spec, range, scope)) as unknown as Row<C>[],
    list: async (scope, range) => table().list(toQuery(spec, range, scope)) as unknown as Document<Body, C>[],
    everywhere: async (range) => table().rows(toQuery(spec, range)) as unknown as Row<C>[],
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
  const versionOf = (scope: string, key: string) => table().get(scope, key)?.version ?? 0
  return {
    ...readerOf(spec, table),
    async put(scope, key, { body, bytes, columns }, { expect } = {}) {
      const json = bytes ?? toText(body)
      const document = { json, columns: checkColumns(spec, columns) }
      const version = writable().put(storable(scope), storable(key), document, expect)
      if (version === undefined) throw versionMismatch(expect ?? 0, versionOf(scope, key))
      return version
    },
    async remove(scope, key, { expect } = {}) {
      if (writable().remove(storable(scope), storable(key), expect)) return true
      const current = expect === undefined ? 0 : versionOf(scope, key)
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
