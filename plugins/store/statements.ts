import type { AnySpec, ClaimQuery, Query } from './access.ts'

/** Collections as tables: SQL texts with bound values. */

const ownColumns = ['scope', 'key', 'version']

/** Quotes a checked name; quoting keeps `order` and `index` usable as column names. */
export const quote = (name: string): string => `"${name}"`

const equal = (...names: readonly string[]): string => names.map((name) => `${name} = ?`).join(' and ')

export type TableText = ReturnType<typeof tableText>

/** The types of columns, by their declaration. */
export type Types = Readonly<Record<'text' | 'integer', string>>
export const sqliteTypes: Types = { text: 'text', integer: 'integer' }

/** Builds the statements of one collection. */
export function tableText(spec: AnySpec, types = sqliteTypes) {
  const table = quote(spec.name)
  const columns = Object.entries(spec.columns)
  const names = columns.map(([column]) => quote(column))
  const changed = [...names, 'body']
  const insert =
    `insert into ${table} (version, scope, key, ${changed.join(', ')}) ` +
    `values (1, ?, ?${', ?'.repeat(changed.length)})`
  return {
    /** Creates a table with the body as its last column: reads of other columns skip a long body. */
    create(name = table): string {
      const { text, integer } = types
      const own = [`scope ${text} not null`, `key ${text} not null`, `version ${integer} not null`]
      const declared = columns.map(([column]) => this.column(column))
      return `create table ${name} (${[...own, ...declared, 'body text not null'].join(', ')})`
    },
    /** Declares a column; documents that were written before it have its start value. */
    column(name: string): string {
      const type = spec.columns[name] ?? 'text'
      return `${quote(name)} ${types[type]} not null default ${literal(type)}`
    },
    indexes: [
      `create unique index if not exists ${quote(`${spec.name}.key`)} on ${table} (scope, key)`,
      ...spec.indexes.map((column) => {
        const name = quote(`${spec.name}.${column}`)
        return `create index if not exists ${name} on ${table} (scope, ${quote(column)}, key)`
      }),
    ],
    /** Takes scope and key; returns the document like `selectText`, from a table with all its columns. */
    get: `select ${[...ownColumns, ...changed].join(', ')} from ${table} where ${equal('scope', 'key')}`,
    /** Takes scope, key, the columns, body; returns the version. */
    put:
      `${insert} on conflict (scope, key) do update set version = ${table}.version + 1, ` +
      `${changed.map((name) => `${name} = excluded.${name}`).join(', ')} returning version`,
    /** Takes the values of `put`; does nothing if the document exists. */
    add: `${insert} on conflict (scope, key) do nothing`,
    /** Takes the values of `put`; fails if the document exists. */
    insert,
    /** Takes the columns, body, scope, key, version; returns the next version, or nothing on a mismatch. */
    replace:
      `update ${table} set version = version + 1, ${changed.map((name) => `${name} = ?`).join(', ')} ` +
      `where ${equal('scope', 'key', 'version')} returning version`,
    /** Takes scope and key. */
    remove: `delete from ${table} where ${equal('scope', 'key')}`,
    /** Takes scope. */
    clear: `delete from ${table} where ${equal('scope')}`,
    /** Takes scope and the first key to keep. */
    clearBefore: `delete from ${table} where scope = ? and key < ?`,
  }
}

/**
 * Returns the declared columns that a table lacks, by the types of those that it has. Throws a TypeError if one of them
 * has another type.
 */
export function missingColumns(
  { name, columns }: AnySpec,
  found: ReadonlyMap<string, string>,
): readonly string[] {
  return Object.entries(columns).flatMap(([column, type]) => {
    const present = found.get(column) ?? type
    if (present === type) return found.has(column) ? [] : [column]
    throw new TypeError(
      `Column '${column}' of collection '${name}' is declared as ${type}, but the store keeps it as ` +
        `${present}; give the new column another name.`,
    )
  })
}

/**
 * Builds the select of a query with its bound values.
 *
 * A row has scope, key, version, the columns in declared order and optionally the body; or only the count.
 * Columns that the table lacks read as their start values.
 */
export function selectText(
  spec: AnySpec,
  missing: ReadonlySet<string>,
  what: 'rows' | 'documents' | 'count',
  { scope, key, where, orderBy, descending, after, limit }: Query,
): { readonly sql: string; readonly values: readonly (string | number)[] } {
  const column = (name: string) => (missing.has(name) ? literal(spec.columns[name] ?? 'text') : quote(name))
  const conditions: readonly (readonly [test: string, value: string | number])[] = [
    ...(scope === undefined ? [] : [['scope = ?', scope] as const]),
    ...(key === undefined ? [] : [['key = ?', key] as const]),
    ...where.map(([name, value]) => [`${column(name)} = ?`, value] as const),
    ...(after === undefined ? [] : [[`key ${descending ? '<' : '>'} ?`, after] as const]),
  ]

  const isRows = what !== 'count'
  const body = what === 'documents' ? ['body'] : []
  const names = [...ownColumns, ...Object.keys(spec.columns).map(column), ...body]
  const order = [
    ...(scope === undefined ? ['scope'] : []),
    ...(orderBy === undefined || missing.has(orderBy) ? [] : [quote(orderBy)]),
    'key',
  ].map((name) => (descending ? `${name} desc` : name))
  const sql = [
    `select ${isRows ? names.join(', ') : 'count(*)'} from ${quote(spec.name)}`,
    ...(conditions.length === 0 ? [] : [`where ${conditions.map(([test]) => test).join(' and ')}`]),
    ...(isRows ? [`order by ${order.join(', ')}`] : []),
    ...(limit === undefined ? [] : ['limit ?']),
  ]
  const values = conditions.map(([, value]) => value)
  return { sql: sql.join(' '), values: limit === undefined ? values : [...values, limit] }
}

/**
 * Builds the statement that claims rows, and returns them like `get`. In a lane a row whose process has died goes first.
 *
 * The rows are chosen once, in an expression of their own: as a plain subquery they could be chosen several times.
 */
export function claimText(
  spec: AnySpec,
  { scope, where, lane, now, until, claim, limit }: ClaimQuery,
  locking = '',
): { readonly sql: string; readonly values: readonly (string | number)[] } {
  const table = quote(spec.name)
  const earlier = 'other.due < one.due or (other.due = one.due and other.key < one.key)'
  const beside =
    lane === undefined
      ? ''
      : ` and (claim <> '' or not exists (select 1 from ${table} other where other.scope = one.scope ` +
        `and other.${quote(lane)} = one.${quote(lane)} and other.key <> one.key and other.failed = 0 ` +
        `and (other.claim <> '' or ${earlier})))`
  const conditions = where.map(([name]) => ` and ${quote(name)} = ?`).join('')
  const sql =
    `with chosen as materialized (select scope, key from ${table} one ` +
    `where scope = ? and failed = 0 and due <= ? and until <= ?${conditions}${beside} ` +
    `order by due, key limit ?${locking}) ` +
    `update ${table} set version = version + 1, interrupted = interrupted + case until when 0 then 0 else 1 end, ` +
    `claim = ?, until = ? where (scope, key) in (select scope, key from chosen) ` +
    `returning ${[...ownColumns, ...Object.keys(spec.columns).map(quote), 'body'].join(', ')}`
  return { sql, values: [scope, now, now, ...where.map(([, value]) => value), limit, claim, until] }
}

/** The value of a column in documents written before the column was declared. */
const literal = (type: 'text' | 'integer'): string => (type === 'text' ? `''` : '0')
