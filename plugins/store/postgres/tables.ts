/** Collections as tables of PostgreSQL. */
import type { Table } from '../access.ts'
import type { AnySpec, Query } from '../collection-checks.ts'
import { toDocument, toRow } from '../documents.ts'
import { quote, selectText, tableText, type TableText, type Types } from '../statements.ts'
import type { Connections, Run, SqlRow } from './connections.ts'

/** Keys are sorted by code point, as every driver does. */
const types: Types = { text: 'text collate "C"', integer: 'bigint' }
const none: ReadonlySet<string> = new Set()

/** Returns the text of a statement with the placeholders of PostgreSQL; names have no `?`. */
function numbered(sql: string): string {
  let count = 0
  return sql.replaceAll('?', () => `$${++count}`)
}

const isVersion = (expect: number): boolean => Number.isSafeInteger(expect) && expect >= 0

/** Returns a function that creates the table of a collection, or its missing columns, once. */
export function createTables({ run, within }: Connections): (spec: AnySpec) => Promise<void> {
  const ready = new WeakMap<AnySpec, Promise<void>>()
  return (spec) => {
    const known = ready.get(spec) ?? complete(spec)
    ready.set(spec, known)
    known.catch(() => ready.delete(spec))
    return known
  }

  async function complete(spec: AnySpec): Promise<void> {
    if ((await missingIn(run, spec)).length === 0) return
    await within(async (run) => {
      // Another process may be doing the same.
      await run(`select pg_advisory_xact_lock(hashtext('content_orchestrator.tables'))`)
      const text = tableText(spec, types)
      const missing = await missingIn(run, spec)
      if (missing.includes('key')) await run(text.create())
      else
        for (const name of missing)
          await run(`alter table ${quote(spec.name)} add column ${text.column(name)}`)
      for (const index of text.indexes) await run(index)
    })
  }
}

const kinds: Readonly<Record<string, string>> = { text: 'text', bigint: 'integer' }

/** Returns the columns that the table of a collection lacks; a column of another type throws a TypeError. */
async function missingIn(run: Run, spec: AnySpec): Promise<readonly string[]> {
  const { rows } = await run(
    'select column_name, data_type from information_schema.columns where table_schema = current_schema() and table_name = $1',
    [spec.name],
  )
  const found = new Map(rows.map(([name, type]) => [String(name), kinds[String(type)] ?? String(type)]))
  for (const [column, type] of Object.entries(spec.columns)) {
    const kept = found.get(column)
    if (kept !== undefined && kept !== type)
      throw new TypeError(
        `Column '${column}' of collection '${spec.name}' is declared as ${type}, but the store keeps it as ` +
          `${kept}; give the new column another name.`,
      )
  }
  return ['key', ...Object.keys(spec.columns)].filter((name) => !found.has(name))
}

/** The documents of one collection, on the connection of `run`; `ready` creates its table. */
export function tableOf(spec: AnySpec, run: Run, ready: () => Promise<void>): Table {
  const columns = Object.keys(spec.columns)
  const text = tableText(spec, types)
  const statement = async (sql: string, values: readonly unknown[]) => {
    await ready()
    return run(numbered(sql), values)
  }
  const select = async (what: Parameters<typeof selectText>[2], query: Query): Promise<readonly SqlRow[]> => {
    const { sql, values } = selectText(spec, none, what, query)
    return (await statement(sql, values)).rows
  }
  const count = async (sql: keyof TableText & string, ...values: readonly unknown[]): Promise<number> =>
    (await statement(text[sql] as string, values)).rowCount ?? 0
  return {
    list: async (query) => (await select('documents', query)).map((row) => toDocument(columns, row)),
    rows: async (query) => (await select('rows', query)).map((row) => toRow(columns, row)),
    total: async (what, query) => Number((await select(what, query))[0]?.[0] ?? 0),
    async get(scope, key) {
      const [row] = (await statement(text.get, [scope, key])).rows
      return row && toDocument(columns, row)
    },
    async put(scope, key, { columns: given, json }, expect) {
      if (expect !== undefined && !isVersion(expect)) return undefined
      const body = typeof json === 'string' ? json : Buffer.from(json).toString()
      const values = [...columns.map((column) => given[column] ?? null), body]
      if (expect === 0) return (await count('add', scope, key, ...values)) > 0 ? 1 : undefined
      const { rows } =
        expect === undefined
          ? await statement(text.put, [scope, key, ...values])
          : await statement(text.replace, [...values, scope, key, expect])
      const [row] = rows
      return row && Number(row[0])
    },
    async remove(scope, key, expect) {
      if (expect === undefined) return (await count('remove', scope, key)) > 0
      return isVersion(expect) && (await count('removeVersion', scope, key, expect)) > 0
    },
    clear: (scope, before) =>
      before === undefined ? count('clear', scope) : count('clearBefore', scope, before),
  }
}
