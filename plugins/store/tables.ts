import type { Connection } from './connection.ts'
import { quote, selectText, sqliteDialect, tableText, type TableText } from './documents.ts'
import type { AnySpec, Query, StoredDocument, Values, WritableTable } from './engine.ts'

type SqlValues = readonly unknown[]

/** What a table is compared with what its collection declares. */
interface Shape {
  readonly there: boolean
  readonly found: AnySpec['columns']
  readonly missing: ReadonlySet<string>
}

/** The collections of one connection. */
export interface Tables {
  of(spec: AnySpec): WritableTable
  /** To be called when statements were taken back, for a table may have been made by them. */
  forget(): void
}

/**
 * Gives the collections of one connection as tables.
 *
 * Reading never makes a table: one that is not there holds nothing, and a column that is not there reads as its start
 * value, so a connection that may only read serves whatever it finds. The first write makes what is missing.
 */
export function createTables(connection: Connection): Tables {
  let tables = new WeakMap<AnySpec, WritableTable>()
  return {
    of(spec) {
      const known = tables.get(spec)
      if (known) return known
      const table = createTable(connection, spec)
      tables.set(spec, table)
      return table
    },
    forget() {
      tables = new WeakMap()
    },
  }
}

function createTable(connection: Connection, spec: AnySpec): WritableTable {
  const text = tableText(spec, sqliteDialect)
  const columns = Object.keys(spec.columns)
  let shape: Shape | undefined
  let prepared = false

  /** A shape that lacks something is looked at again each time: another connection may be about to complete it. */
  function look(): Shape {
    if (shape?.there && shape.missing.size === 0) return shape
    return (shape = inspect(connection, spec))
  }

  function prepare(): TableText {
    if (!prepared) complete(connection, spec, text, look())
    prepared = true
    return text
  }

  function select(what: 'rows' | 'documents', query: Query & { readonly key?: string }): readonly StoredDocument[] {
    const { there, missing } = look()
    if (!there) return []
    const { sql, values } = selectText(spec, sqliteDialect, missing, what, query)
    return connection.all(sql, ...values).map((row) => toDocument(columns, row))
  }

  return {
    get: (scope, key) => select('documents', { scope, key, where: [], descending: false })[0],
    rows: (query) => select('rows', query),
    list: (query) => select('documents', query),
    count(query) {
      const { there, missing } = look()
      if (!there) return 0
      const { sql, values } = selectText(spec, sqliteDialect, missing, 'count', query)
      return Number(connection.get(sql, ...values)?.[0])
    },
    put(scope, key, document, expect) {
      const { put, add, replace } = prepare()
      const values = columns.map((column) => document.columns[column] ?? null)
      const row =
        expect === undefined
          ? connection.get(put, scope, key, ...values, document.text)
          : expect === 0
            ? connection.get(add, scope, key, ...values, document.text)
            : connection.get(replace, ...values, document.text, scope, key, expect)
      return row && Number(row[0])
    },
    remove(scope, key, expect) {
      const { remove, removeVersion } = prepare()
      return (expect === undefined ? connection.run(remove, scope, key) : connection.run(removeVersion, scope, key, expect)) > 0
    },
    clear(scope, before) {
      const { clear, clearBefore } = prepare()
      return before === undefined ? connection.run(clear, scope) : connection.run(clearBefore, scope, before)
    },
  }
}

function inspect(connection: Connection, spec: AnySpec): Shape {
  const rows = connection.all('select name, lower(type) from pragma_table_info(?)', spec.name)
  const kept = new Map(rows.map(([name, type]) => [String(name), type === 'integer' ? 'integer' : 'text'] as const))
  const missing = new Set<string>()
  for (const [column, type] of Object.entries(spec.columns)) {
    const found = kept.get(column)
    if (found === undefined) missing.add(column)
    else if (found !== type) {
      throw new TypeError(
        `Column '${column}' of collection '${spec.name}' is declared as ${type}, but the store keeps it as ${found}; ` +
          'give the new column another name.',
      )
    }
  }
  for (const own of ['scope', 'key', 'version', 'body']) kept.delete(own)
  return { there: rows.length > 0, found: Object.fromEntries(kept), missing }
}

/** Makes the table, or builds it anew around columns it lacks: a column added behind the body would be slow to read. */
function complete(connection: Connection, spec: AnySpec, text: TableText, { there, found, missing }: Shape): void {
  if (!there) connection.run(text.create())
  else if (missing.size > 0) {
    const [old, rebuilt] = [quote(spec.name), quote(`${spec.name}.rebuilt`)]
    const kept = ['scope', 'key', 'version', ...Object.keys(found).map(quote), 'body'].join(', ')
    connection.run(tableText({ ...spec, columns: { ...found, ...spec.columns } }, sqliteDialect).create(rebuilt))
    connection.run(`insert into ${rebuilt} (${kept}) select ${kept} from ${old}`)
    connection.run(`drop table ${old}`)
    connection.run(`alter table ${rebuilt} rename to ${old}`)
  }
  for (const index of text.indexes) connection.run(index)
}

function toDocument(names: readonly string[], row: SqlValues): StoredDocument {
  const columns: Record<string, string | number> = {}
  for (const [index, name] of names.entries()) columns[name] = toValue(row[index + 3])
  return { scope: String(row[0]), key: String(row[1]), version: Number(row[2]), columns, text: String(row[names.length + 3] ?? '') }
}

function toValue(value: unknown): Values[string] {
  return typeof value === 'number' ? value : String(value)
}
