import { checkColumns, storable, toQuery } from './collection-checks.ts'
import type { Json, StoredDocument, StoredRow, Table, WritableTable } from './engine.ts'
import type { CollectionSpec, Columns, ColumnValues, Document, Reader, Row, Writer } from './port.ts'
import { versionMismatch } from './refusals.ts'

/** Implements the reads of a collection; calls `table` for every read. */
export function readerOf<Body, C extends Columns>(
  spec: CollectionSpec<Body, C>,
  table: () => Table,
): Reader<Body, C> {
  const rowsOf = (found: readonly StoredRow[]) => found.map((each) => toRow<C>(each))
  return {
    async get(scope, key) {
      const found = table().get(storable(scope), storable(key))
      return found && new LazyDocument<Body, C>(found)
    },
    async rows(scope, range) {
      return rowsOf(table().rows(toQuery(spec, range, scope)))
    },
    async list(scope, range) {
      return table()
        .list(toQuery(spec, range, scope))
        .map((each) => new LazyDocument<Body, C>(each))
    },
    async everywhere(range) {
      return rowsOf(table().rows(toQuery(spec, range)))
    },
    async count(scope, where = {}) {
      return table().count(toQuery(spec, { where }, scope))
    },
    async bytes(scope) {
      return table().bytes(toQuery(spec, {}, scope))
    },
  }
}

/** Implements the reads and writes of a collection; calls `writable` before every write. */
export function writerOf<Body, C extends Columns>(
  spec: CollectionSpec<Body, C>,
  table: () => Table,
  writable: () => WritableTable,
): Writer<Body, C> {
  const versionOf = (scope: string, key: string) => table().get(scope, key)?.version ?? 0
  return {
    ...readerOf(spec, table),
    async put(scope, key, { body, text, bytes, columns }, { expect } = {}) {
      const json = bytes ?? (text === undefined ? toText(body) : storable(text))
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
    async clear(scope, { before } = {}) {
      return writable().clear(storable(scope), before === undefined ? undefined : storable(before))
    },
  }
}

function toText(body: unknown): string {
  const text: string | undefined = JSON.stringify(body)
  if (text === undefined) throw new TypeError('A document needs a body that JSON can carry.')
  return text
}

/** The columns were checked against the same declaration when they were written. */
function toRow<C extends Columns>({ scope, key, version, columns }: StoredRow): Row<C> {
  return { scope, key, version, columns: columns as ColumnValues<C> }
}

/**
 * A document whose body is parsed on first use: callers that only forward the text save the time.
 *
 * A class, because a getter in an object literal gives each object its own hidden class and halves the speed.
 * The body is not an own property: spreading a document omits it.
 */
class LazyDocument<Body, C extends Columns> implements Document<Body, C> {
  readonly scope: string
  readonly key: string
  readonly version: number
  readonly columns: ColumnValues<C>
  readonly #json: Json
  #body: Body | undefined

  constructor({ scope, key, version, columns, json }: StoredDocument) {
    this.scope = scope
    this.key = key
    this.version = version
    this.columns = columns as ColumnValues<C>
    this.#json = json
  }

  get text(): string {
    return typeof this.#json === 'string' ? this.#json : Buffer.from(this.#json).toString()
  }

  get bytes(): Uint8Array {
    return typeof this.#json === 'string' ? Buffer.from(this.#json) : this.#json
  }

  get body(): Body {
    return (this.#body ??= JSON.parse(this.text))
  }
}
