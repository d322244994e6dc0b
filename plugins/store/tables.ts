import { perObject } from '../content/plain-object.ts'
import type { Connection } from './connection.ts'
import { quote, selectText, tableText, type KeyQuery, type TableText } from './documents.ts'
import type { AnySpec, StoredDocument, WritableTable } from './engine.ts'

/** The state of a table compared with the declaration of its collection. */
interface Shape {
  readonly there: boolean
  readonly found: AnySpec['columns']
  readonly missing: ReadonlySet<string>
}

/**
 * Returns the collections of one connection as tables.
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

function createTable(connection: Connection, spec: AnySpec): WritableTable {
  const text = tableText(spec)
  const columns = Object.keys(spec.columns)
  let shape: Shape | undefined
  let schema: unknown
  let prepared = false

  /** Inspects an incomplete table again if the schema changed: another connection may have completed it. */
  function look(): Shape {
    if (shape?.there && shape.missing.size === 0) return shape
    const current = connection.get('pragma schema_version')?.[0]
    if (shape && current === schema) return shape
    schema = current
    return (shape = inspect(connection, spec))
  }

  function prepare(): TableText {
    if (!prepared) complete(connection, spec, text, look())
    prepared = true
    return text
  }

  function select(what: Parameters<typeof selectText>[2], query: KeyQuery): ReturnType<Connection['all']> {
    const { there, missing } = look()
    if (!there) return []
    const { sql, values } = selectText(spec, missing, what, query)
    return connection.all(sql, ...values)
  }

  const documents = (what: 'rows' | 'documents', query: KeyQuery): readonly StoredDocument[] =>
    select(what, query).map((row) => toDocument(columns, row))
  const total = (what: 'count' | 'bytes', query: KeyQuery): number => Number(select(what, query)[0]?.[0] ?? 0)

  return {
    get(scope, key) {
      const { there, missing } = look()
      if (!there) return undefined
      if (missing.size > 0) return documents('documents', { scope, key, where: [], descending: false })[0]
      const row = connection.get(text.get, scope, key)
      return row && toDocument(columns, row)
    },
    rows: (query) => documents('rows', query),
    list: (query) => documents('documents', query),
    count: (query) => total('count', query),
    bytes: (query) => total('bytes', query),
    put(scope, key, document, expect) {
      const { put, add, replace } = prepare()
      const values = columns.map((column) => document.columns[column] ?? null)
      if (expect === 0) return connection.run(add, scope, key, ...values, document.json) > 0 ? 1 : undefined
      const row =
        expect === undefined
          ? connection.get(put, scope, key, ...values, document.json)
          : connection.get(replace, ...values, document.json, scope, key, expect)
      return row && Number(row[0])
    },
    remove(scope, key, expect) {
      const { remove, removeVersion } = prepare()
      if (expect === undefined) return connection.run(remove, scope, key) > 0
      return connection.run(removeVersion, scope, key, expect) > 0
    },
    clear(scope, before) {
      const { clear, clearBefore } = prepare()
      return before === undefined ? connection.run(clear, scope) : connection.run(clearBefore, scope, before)
    },
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
  return { there: rows.length > 0, found: Object.fromEntries(kept), missing }
}

function complete(connection: Connection, spec: AnySpec, text: TableText, shape: Shape): void {
  if (!shape.there) connection.run(text.create())
  else if (shape.missing.size > 0) rebuild(connection, spec, shape.found)
  for (const index of text.indexes) connection.run(index)
}

/** Rebuilds a table with its missing columns: a column added after the body would be slow to read. */
function rebuild(connection: Connection, spec: AnySpec, found: AnySpec['columns']): void {
  const [old, rebuilt] = [quote(spec.name), quote(`${spec.name}.rebuilt`)]
  const complete = tableText({ ...spec, columns: { ...found, ...spec.columns } })
  const kept = ['scope', 'key', 'version', ...Object.keys(found).map(quote), 'body'].join(', ')
  connection.run(complete.create(rebuilt))
  connection.run(`insert into ${rebuilt} (${kept}) select ${kept} from ${old}`)
  connection.run(`drop table ${old}`)
  connection.run(`alter table ${rebuilt} rename to ${old}`)
}

function toDocument(names: readonly string[], row: readonly unknown[]): StoredDocument {
  const columns: Record<string, string | number> = {}
  const json = row[names.length + 3]
  for (const [index, name] of names.entries()) {
    const value = row[index + 3]
    columns[name] = typeof value === 'number' ? value : String(value)
  }
  return {
    scope: String(row[0]),
    key: String(row[1]),
    version: Number(row[2]),
    columns,
    json: json instanceof Uint8Array ? json : String(json ?? ''),
  }
}
