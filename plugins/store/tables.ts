import { perObject } from '../content/plain-object.ts'
import type { AnySpec, ClaimQuery, Query, Table } from './access.ts'
import type { Connection } from './connection.ts'
import { toDocument, toRow, type StoredDocument, type WrittenDocument } from './documents.ts'
import { claimText, missingColumns, quote, selectText, tableText, type TableText } from './statements.ts'

/** The state of a table compared with the declaration of its collection. */
interface TableShape {
  readonly exists: boolean
  readonly found: AnySpec['columns']
  readonly missing: ReadonlySet<string>
}

/**
 * Returns the collections of one connection as tables, with synchronous reads and writes.
 *
 * Reading never creates a table, so a read-only connection works: a missing table is empty, and a missing
 * column has its start value. Writing creates missing tables and columns; after a rollback of such a write, create
 * the tables again.
 */
export function createTables(connection: Connection) {
  return perObject((spec: AnySpec) => createTable(connection, spec))
}

function createTable(connection: Connection, spec: AnySpec): Table {
  const text = tableText(spec)
  const columns = Object.keys(spec.columns)
  const shape = watchShape(connection, spec)
  let writable: TableText | undefined

  function prepare(): TableText {
    complete(connection, spec, text, shape())
    return (writable = text)
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
    count: (query: Query) => Number(select('count', query)[0]?.[0] ?? 0),
    get(scope: string, key: string): StoredDocument | undefined {
      const { exists, missing } = shape()
      if (!exists) return undefined
      if (missing.size > 0) return list({ scope, key, where: [], descending: false })[0]
      const row = connection.get(text.get, scope, key)
      return row && toDocument(columns, row)
    },
    put(scope: string, key: string, written: WrittenDocument, expect?: number): number | undefined {
      const { put, add, replace } = writable ?? prepare()
      const values = [...columns.map((column) => written.columns[column] ?? null), written.json]
      if (expect === 0) return connection.run(add, scope, key, ...values) > 0 ? 1 : undefined
      const row =
        expect === undefined
          ? connection.get(put, scope, key, ...values)
          : connection.get(replace, ...values, scope, key, expect)
      return row && Number(row[0])
    },
    claim(query: ClaimQuery): readonly StoredDocument[] {
      if (!shape().exists) return []
      if (!writable) prepare()
      const { sql, values } = claimText(spec, query)
      return connection.all(sql, ...values).map((row) => toDocument(columns, row))
    },
    remove: (scope: string, key: string) => connection.run((writable ?? prepare()).remove, scope, key) > 0,
    clear(scope: string, before?: string): number {
      const { clear, clearBefore } = writable ?? prepare()
      return before === undefined ? connection.run(clear, scope) : connection.run(clearBefore, scope, before)
    },
  }
}

/** Returns the shape; an incomplete one is inspected again if another connection may have completed it. */
function watchShape(connection: Connection, spec: AnySpec): () => TableShape {
  let shape: TableShape | undefined
  let schema: unknown
  return () => {
    if (shape?.exists && shape.missing.size === 0) return shape
    const current = connection.get('pragma schema_version')?.[0]
    if (shape && current === schema) return shape
    schema = current
    return (shape = inspect(connection, spec))
  }
}

function inspect(connection: Connection, spec: AnySpec): TableShape {
  const rows = connection.all('select name, lower(type) from pragma_table_info(?)', spec.name)
  const existing = new Map(
    rows.map(([name, type]) => [String(name), type === 'integer' ? 'integer' : 'text'] as const),
  )
  const missing = new Set(missingColumns(spec, existing))
  for (const own of ['scope', 'key', 'version', 'body']) existing.delete(own)
  return { exists: rows.length > 0, found: Object.fromEntries(existing), missing }
}

function complete(connection: Connection, spec: AnySpec, text: TableText, shape: TableShape): void {
  if (!shape.exists) connection.run(text.create())
  else if (shape.missing.size > 0) rebuild(connection, spec, shape.found)
  for (const index of text.indexes) connection.run(index)
}

/** Rebuilds a table with its missing columns: a column added after the body would be slow to read. */
function rebuild(connection: Connection, spec: AnySpec, found: AnySpec['columns']): void {
  const [old, rebuilt] = [quote(spec.name), quote(`${spec.name}.rebuilt`)]
  const completed = tableText({ ...spec, columns: { ...found, ...spec.columns } })
  const columnList = ['scope', 'key', 'version', ...Object.keys(found).map(quote), 'body'].join(', ')
  connection.run(completed.create(rebuilt))
  connection.run(`insert into ${rebuilt} (${columnList}) select ${columnList} from ${old}`)
  connection.run(`drop table ${old}`)
  connection.run(`alter table ${rebuilt} rename to ${old}`)
}
