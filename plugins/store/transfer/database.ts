import type { AnySpec } from '../access.ts'
import { batchesOf } from '../batches.ts'
import { FileError } from '../files.ts'
import { namePattern } from '../collection.ts'
import type { Files } from '../port.ts'
import { quote, tableText, type Types } from '../statements.ts'

type SqlParameters = readonly (string | number)[]
type SqlRow = readonly unknown[]

/** A database as a whole: one state of it to read, or one transaction to write. */
export interface Database {
  readonly types: Types
  /** Present if the database keeps files. Writing them is outside of the transaction. */
  readonly files?: Files
  /** Runs a statement with `?` for its values. */
  run(sql: string, values?: SqlParameters): Promise<readonly SqlRow[]>
  /** The collections of its tables, also of those that no loaded plugin declares. */
  specs(): Promise<readonly AnySpec[]>
}

/** How much was copied. */
export interface Copied {
  readonly collections: number
  readonly documents: number
}

export interface Progress {
  readonly done: number
  readonly all: number
}

const own = ['scope', 'key', 'version', 'body']

/**
 * Returns the collections of tables with these columns and indexes; an index is named by its table and column.
 * Throws a FileError for a name that a collection cannot have: a file of a stranger would bring statements as names.
 */
export function toSpecs(columns: readonly SqlRow[], indexes: readonly SqlRow[]): readonly AnySpec[] {
  const wrong = columns.find((names) => !names.slice(0, 2).every((name) => namePattern.test(String(name))))
  if (wrong)
    throw new FileError(`its table '${String(wrong[0])}' is not of this service; name another database`)
  return [...Map.groupBy(columns, ([table]) => String(table))].map(([name, group]) => ({
    name,
    columns: Object.fromEntries(
      group
        .filter(([, column]) => !own.includes(String(column)))
        .map(([, column, type]) => [String(column), /int/i.test(String(type)) ? 'integer' : 'text']),
    ),
    indexes: indexes
      .filter(([table]) => table === name)
      .map(([, index]) => String(index).slice(name.length + 1))
      .filter((column) => column !== 'key' && namePattern.test(column)),
  }))
}

/** Throws a FileError if a database has documents. */
export async function checkEmpty(to: Database): Promise<void> {
  for (const { name } of await to.specs()) {
    const { documents } = await totalOf(to, name)
    if (documents === 0) continue
    throw new FileError(
      `the target is not empty: '${name}' has ${documents} documents; name an empty database`,
    )
  }
}

/**
 * Copies every document with its version into an empty database, and compares count and bytes of each collection.
 * Throws a FileError if they differ.
 */
export async function copyDocuments(
  from: Database,
  to: Database,
  onProgress: (progress: Progress) => void,
): Promise<Copied> {
  const specs = await from.specs()
  const totals = await Promise.all(specs.map(({ name }) => totalOf(from, name)))
  const all = totals.reduce((sum, { documents }) => sum + documents, 0)
  const existing = new Set((await to.specs()).map(({ name }) => name))
  let done = 0
  for (const [at, spec] of specs.entries()) {
    const text = tableText(spec, to.types)
    if (existing.has(spec.name)) await to.run(`drop table ${quote(spec.name)}`)
    await to.run(text.create())
    for (const index of text.indexes) await to.run(index)
    const columns = ['scope', 'key', 'version', ...Object.keys(spec.columns), 'body'].map(quote).join(', ')
    const marks = columns.replaceAll(/"[^"]+"/g, '?')
    const insert = `insert into ${quote(spec.name)} (${columns}) values (${marks})`
    for await (const rows of batchesOf(from.run, spec.name, columns)) {
      await Promise.all(rows.map((row) => to.run(insert, row.map(toValue))))
      done += rows.length
      onProgress({ done, all })
    }
    const [wanted, written] = [totals[at], await totalOf(to, spec.name)]
    if (wanted?.documents !== written.documents || wanted.bytes !== written.bytes)
      throw new FileError(
        `'${spec.name}' has ${wanted?.documents} documents of ${wanted?.bytes} bytes, but the copy ` +
          `${written.documents} of ${written.bytes}; nothing was kept`,
      )
  }
  return { collections: specs.length, documents: done }
}

async function totalOf({ run }: Database, name: string) {
  const [row] = await run(`select count(*), coalesce(sum(octet_length(body)), 0) from ${quote(name)}`)
  return { documents: Number(row?.[0]), bytes: Number(row?.[1]) }
}

/** SQLite keeps some bodies as bytes of the same text. */
const toValue = (value: unknown): string | number =>
  value instanceof Uint8Array
    ? Buffer.from(value).toString()
    : typeof value === 'number'
      ? value
      : String(value)
