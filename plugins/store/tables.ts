import { perObject } from '../content/plain-object.ts'
import type { AnySpec, Query, Values } from './collection-checks.ts'
import type { Connection } from './connection.ts'
import { quote, selectText, tableText, type TableText } from './statements.ts'

/** The JSON of a body, stored unchanged; bytes are UTF-8. */
export type Json = string | Uint8Array

export interface StoredRow {
  readonly scope: string
  readonly key: string
  readonly version: number
  readonly columns: Values
}

/**
 * A document whose body is parsed on first use: callers that only forward the text save the time.
 *
 * A class, because a getter in an object literal gives each object its own hidden class and halves the speed.
 * The body is not an own property: spreading a document omits it.
 */
export class StoredDocument implements StoredRow {
  readonly scope: string
  readonly key: string
  readonly version: number
  readonly columns: Values
  readonly #json: Json
  #body: unknown

  constructor({ scope, key, version, columns }: StoredRow, json: unknown) {
    this.scope = scope
    this.key = key
    this.version = version
    this.columns = columns
    this.#json = json instanceof Uint8Array ? json : String(json)
  }

  get text(): string {
    return typeof this.#json === 'string' ? this.#json : Buffer.from(this.#json).toString()
  }

  get bytes(): Uint8Array {
    return typeof this.#json === 'string' ? Buffer.from(this.#json) : this.#json
  }

  get body(): unknown {
    return (this.#body ??= JSON.parse(this.text))
  }
}

export interface WrittenDocument {
  readonly json: Json
  readonly columns: Values
}

/** The state of a table compared with the declaration of its collection. */
interface Shape {
  readonly exists: boolean
  readonly found: AnySpec['columns']
  readonly missing: ReadonlySet<string>
}

/**
 * Returns the collections of one connection as tables, with synchronous reads and writes.
 *
 * Reading never creates a table, so a read-only connection works: a missing table is empty, and a missing
 * column has its start value. Writing creates missing tables and columns.
 */
export function createTables(connection: Connection) {
  const newTables = () => perObject((spec: AnySpec) => createTable(connection, spec))
  let tables = newTables()
  return {
    of: (spec: AnySpec) => tables(spec),
    /** Forgets all tables. Call it after a rollback: the statements may have created a table. */
    forget(): void {
      tables = newTables()
    },
  }
}

export type Table = ReturnType<typeof createTable>

function createTable(connection: Connection, spec: AnySpec) {
  const text = tableText(spec)
  const columns = Object.keys(spec.columns)
  const shape = watchShape(connection, spec)
  let prepared = false

  function prepare(): TableText {
    if (!prepared) complete(connection, spec, text, shape())
    prepared = true
    return text
  }

  function select(what: Parameters<typeof selectText>[2], query: Query): ReturnType<Connection['all']> {
    const { exists, missing } = shape()
    if (!exists) return []
    const { sql, values } = selectText(spec, missing, what, query)
    return connection.all(sql, ...values)
  }

  const list = (query: Query): readonly StoredDocument[] =>
    select('documents', query).map((row) => toDocument(columns, row))

  return {
    list,
    rows: (query: Query) => select('rows', query).map((row) => toRow(columns, row)),
    /** The number of documents, or the bytes of all bodies. */
    total: (what: 'count' | 'bytes', query: Query) => Number(select(what, query)[0]?.[0] ?? 0),
    get(scope: string, key: string): StoredDocument | undefined {
      const { exists, missing } = shape()
      if (!exists) return undefined
      if (missing.size > 0) return list({ scope, key, where: [], descending: false })[0]
      const row = connection.get(text.get, scope, key)
      return row && toDocument(columns, row)
    },
    /** Returns the new version, or `undefined` if `expect` is not the stored one. */
    put(scope: string, key: string, written: WrittenDocument, expect?: number): number | undefined {
      const { put, add, replace } = prepare()
      const values = [...columns.map((column) => written.columns[column] ?? null), written.json]
      if (expect === 0) return connection.run(add, scope, key, ...values) > 0 ? 1 : undefined
      const row =
        expect === undefined
          ? connection.get(put, scope, key, ...values)
          : connection.get(replace, ...values, scope, key, expect)
      return row && Number(row[0])
    },
    /** Returns whether a document was removed; a document with a version other than `expect` is kept. */
    remove(scope: string, key: string, expect?: number): boolean {
      const { remove, removeVersion } = prepare()
      if (expect === undefined) return connection.run(remove, scope, key) > 0
      return connection.run(removeVersion, scope, key, expect) > 0
    },
    /** Returns the number of removed documents. */
    clear(scope: string, before?: string): number {
      const { clear, clearBefore } = prepare()
      return before === undefined ? connection.run(clear, scope) : connection.run(clearBefore, scope, before)
    },
  }
}

/** Returns the shape; an incomplete one is inspected again if another connection may have completed it. */
function watchShape(connection: Connection, spec: AnySpec): () => Shape {
  let shape: Shape | undefined
  let schema: unknown
  return () => {
    if (shape?.exists && shape.missing.size === 0) return shape
    const current = connection.get('pragma schema_version')?.[0]
    if (shape && current === schema) return shape
    schema = current
    return (shape = inspect(connection, spec))
  }
}

function inspect(connection: Connection, spec: AnySpec): Shape {
  const rows = connection.all('select name, lower(type) from pragma_table_info(?)', spec.name)
  const kept = new Map(
    rows.map(([name, type]) => [String(name), type === 'integer' ? 'integer' : 'text'] as const),
  )
  const missing = new Set<string>()
  for (const [column, type] of Object.entries(spec.columns)) {
    const found = kept.get(column)
    if (found === undefined) missing.add(column)
    else if (found !== type) {
      throw new TypeError(
        `Column '${column}' of collection '${spec.name}' is declared as ${type}, but the store keeps it as ` +
          `${found}; give the new column another name.`,
      )
    }
  }
  for (const own of ['scope', 'key', 'version', 'body']) kept.delete(own)
  return { exists: rows.length > 0, found: Object.fromEntries(kept), missing }
}

function complete(connection: Connection, spec: AnySpec, text: TableText, shape: Shape): void {
  if (!shape.exists) connection.run(text.create())
  else if (shape.missing.size > 0) rebuild(connection, spec, shape.found)
  for (const index of text.indexes) connection.run(index)
}

/** Rebuilds a table with its missing columns: a column added after the body would be slow to read. */
function rebuild(connection: Connection, spec: AnySpec, found: AnySpec['columns']): void {
  const [old, rebuilt] = [quote(spec.name), quote(`${spec.name}.rebuilt`)]
  const completed = tableText({ ...spec, columns: { ...found, ...spec.columns } })
  const kept = ['scope', 'key', 'version', ...Object.keys(found).map(quote), 'body'].join(', ')
  connection.run(completed.create(rebuilt))
  connection.run(`insert into ${rebuilt} (${kept}) select ${kept} from ${old}`)
  connection.run(`drop table ${old}`)
  connection.run(`alter table ${rebuilt} rename to ${old}`)
}

function toRow(names: readonly string[], row: readonly unknown[]): StoredRow {
  const columns: Record<string, string | number> = {}
  for (const [index, name] of names.entries()) {
    const value = row[index + 3]
    columns[name] = typeof value === 'number' ? value : String(value)
  }
  return { scope: String(row[0]), key: String(row[1]), version: Number(row[2]), columns }
}

const toDocument = (names: readonly string[], row: readonly unknown[]): StoredDocument =>
  new StoredDocument(toRow(names, row), row[names.length + 3])
