import { type AnySpec, type Query, startValue } from './engine.ts'

/** Collections as tables: SQL texts with bound values. Differences between databases are in a dialect. */

export interface Dialect {
  readonly types: { readonly text: string; readonly integer: string }
  /** The placeholder of the value at a position, from 1. */
  readonly parameter: (position: number) => string
}

export const sqliteDialect: Dialect = { types: { text: 'text', integer: 'integer' }, parameter: () => '?' }

const ownColumns = ['scope', 'key', 'version']

export interface TableText {
  /** Makes a table with the body as the last column, so that reading columns skips the pages of a long body. */
  create(name?: string): string
  readonly indexes: readonly string[]
  /** Takes scope and key; returns the document like `selectText`, from a table with all its columns. */
  readonly get: string
  /** Takes scope, key, the columns, body; returns the version. */
  readonly put: string
  /** Takes the values of `put`; does nothing if the document exists. */
  readonly add: string
  /** Takes the columns, body, scope, key, version; returns the next version, or nothing for another version. */
  readonly replace: string
  /** Takes scope and key. */
  readonly remove: string
  /** Takes scope, key, version. */
  readonly removeVersion: string
  /** Takes scope. */
  readonly clear: string
  /** Takes scope and the first key to keep. */
  readonly clearBefore: string
}

/** Quotes a checked name; quoting keeps `order` and `index` usable as column names. */
export function quote(name: string): string {
  return `"${name}"`
}

/** Writes the statements of one collection. */
export function tableText(spec: AnySpec, { types, parameter }: Dialect): TableText {
  const table = quote(spec.name)
  const columns = Object.entries(spec.columns)
  const names = columns.map(([column]) => quote(column))
  const equal = (...parts: readonly string[]) =>
    parts.map((part, index) => `${part} = ${parameter(index + 1)}`)
  const changed = [...names, 'body']
  const bound = ['scope', 'key', ...changed].map((_, index) => parameter(index + 1))
  const insert =
    `insert into ${table} (version, scope, key, ${changed.join(', ')}) values (1, ${bound.join(', ')}) ` +
    'on conflict (scope, key) do '
  const sets = changed.map((name) => `${name} = excluded.${name}`)
  const replaced = equal(...changed, 'scope', 'key', 'version')
  return {
    create: (name = table) => {
      const declared = columns.map(
        ([column, type]) => `${quote(column)} ${types[type]} not null default ${literal(type)}`,
      )
      const own = [
        `scope ${types.text} not null`,
        `key ${types.text} not null`,
        `version ${types.integer} not null`,
      ]
      return `create table ${name} (${[...own, ...declared, `body ${types.text} not null`].join(', ')})`
    },
    indexes: [
      `create unique index if not exists ${quote(`${spec.name}.key`)} on ${table} (scope, key)`,
      ...spec.indexes.map((column) => {
        const name = quote(`${spec.name}.${column}`)
        return `create index if not exists ${name} on ${table} (scope, ${quote(column)}, key)`
      }),
    ],
    get: `select ${[...ownColumns, ...names, 'body'].join(', ')} from ${table} where ${equal('scope', 'key').join(' and ')}`,
    put: `${insert}update set version = ${table}.version + 1, ${sets.join(', ')} returning version`,
    add: `${insert}nothing`,
    replace:
      `update ${table} set version = version + 1, ${replaced.slice(0, changed.length).join(', ')} ` +
      `where ${replaced.slice(changed.length).join(' and ')} returning version`,
    remove: `delete from ${table} where ${equal('scope', 'key').join(' and ')}`,
    removeVersion: `delete from ${table} where ${equal('scope', 'key', 'version').join(' and ')}`,
    clear: `delete from ${table} where scope = ${parameter(1)}`,
    clearBefore: `delete from ${table} where scope = ${parameter(1)} and key < ${parameter(2)}`,
  }
}

/** The length of a body is stored before it, so that its pages are not read. */
const totals = { count: 'count(*)', bytes: 'coalesce(sum(octet_length(body)), 0)' } as const

/** A query, or the one document under a key. */
export type KeyQuery = Query & { readonly key?: string }

/**
 * The select of a query with its bound values.
 *
 * Its rows are scope, key, version, the columns in declared order and optionally the body; or only the count, or the bytes
 * of the bodies.
 * Columns that the table does not have yet read as their start value.
 */
export function selectText(
  spec: AnySpec,
  { parameter }: Dialect,
  missing: ReadonlySet<string>,
  what: 'rows' | 'documents' | keyof typeof totals,
  query: KeyQuery,
): { readonly sql: string; readonly values: readonly (string | number)[] } {
  const { scope, key, where, orderBy, descending, after, limit } = query
  const values: (string | number)[] = []
  const bind = (value: string | number) => parameter(values.push(value))
  const column = (name: string) => (missing.has(name) ? literal(spec.columns[name] ?? 'text') : quote(name))

  const names = [
    ...ownColumns,
    ...Object.keys(spec.columns).map(column),
    ...(what === 'documents' ? ['body'] : []),
  ]
  const conditions = [
    ...(scope === undefined ? [] : [`scope = ${bind(scope)}`]),
    ...(key === undefined ? [] : [`key = ${bind(key)}`]),
    ...where.map(([name, value]) => `${column(name)} = ${bind(value)}`),
    ...(after === undefined ? [] : [`key ${descending ? '<' : '>'} ${bind(after)}`]),
  ]
  const order = [
    ...(scope === undefined ? ['scope'] : []),
    ...(orderBy === undefined || missing.has(orderBy) ? [] : [quote(orderBy)]),
    'key',
  ].map((name) => (descending ? `${name} desc` : name))
  const sql = [
    `select ${what === 'rows' || what === 'documents' ? names.join(', ') : totals[what]} from ${quote(spec.name)}`,
    ...(conditions.length === 0 ? [] : [`where ${conditions.join(' and ')}`]),
    ...(what === 'rows' || what === 'documents' ? [`order by ${order.join(', ')}`] : []),
    ...(limit === undefined ? [] : [`limit ${bind(limit)}`]),
  ]
  return { sql: sql.join(' '), values }
}

function literal(type: 'text' | 'integer'): string {
  return type === 'text' ? `'${startValue.text}'` : String(startValue.integer)
}
