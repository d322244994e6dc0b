/** Collections as tables of PostgreSQL. */
import type { AnySpec, Query, Table } from '../access.ts'
import { toDocument, toRow } from '../documents.ts'
import { claimText, selectText, tableText, type TableText } from '../statements.ts'
import type { RunSql, SqlRow } from './connections.ts'
import { types } from './layout.ts'

const none: ReadonlySet<string> = new Set()

/** Returns the text of a statement with the placeholders of PostgreSQL; names have no `?`. */
export function numbered(sql: string): string {
  let count = 0
  return sql.replaceAll('?', () => `$${++count}`)
}

const isVersion = (expect: number): boolean => Number.isSafeInteger(expect) && expect >= 0

const texts = new WeakMap<AnySpec, TableText>()
function textOf(spec: AnySpec): TableText {
  const text = texts.get(spec) ?? tableText(spec, types)
  texts.set(spec, text)
  return text
}

/**
 * The documents of one collection, on the connection of `run`; `ready` creates its table. With `insert`, a
 * document that must be missing and is not fails the transaction of the connection.
 */
export function tableOf(
  spec: AnySpec,
  run: RunSql,
  ready: () => Promise<void> | undefined,
  adding: 'add' | 'insert' = 'add',
): Table {
  const columns = Object.keys(spec.columns)
  const text = textOf(spec)
  const statement = async (sql: string, values: readonly unknown[]) => {
    const completion = ready()
    if (completion) await completion
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
    count: async (query) => Number((await select('count', query))[0]?.[0] ?? 0),
    async get(scope, key) {
      const [row] = (await statement(text.get, [scope, key])).rows
      return row && toDocument(columns, row)
    },
    async put(scope, key, { columns: given, json }, expect) {
      if (expect !== undefined && !isVersion(expect)) return undefined
      const values = [...columns.map((column) => given[column] ?? null), json]
      if (expect === 0) return (await count(adding, scope, key, ...values)) > 0 ? 1 : undefined
      const { rows } =
        expect === undefined
          ? await statement(text.put, [scope, key, ...values])
          : await statement(text.replace, [...values, scope, key, expect])
      const [row] = rows
      return row && Number(row[0])
    },
    async claim(query) {
      const { sql, values } = claimText(spec, query, ' for update skip locked')
      return (await statement(sql, values)).rows.map((row) => toDocument(columns, row))
    },
    remove: async (scope, key) => (await count('remove', scope, key)) > 0,
    clear: (scope, before) =>
      before === undefined ? count('clear', scope) : count('clearBefore', scope, before),
  }
}
