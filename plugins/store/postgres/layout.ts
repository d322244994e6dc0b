/** The tables that collections and files need: what a database lacks of them, as statements, and its completion. */
import type { AnySpec } from '../access.ts'
import { missingColumns, quote, tableText, type Types } from '../statements.ts'
import { layoutLock, schema, type Connections, type RunSql } from './connections.ts'
import { fileTables } from './files.ts'

/** Keys are sorted by code point, as every driver does. */
export const types: Types = { text: 'text collate "C"', integer: 'bigint' }
const kinds: Readonly<Record<string, string>> = { text: 'text', bigint: 'integer' }

type Missing = (run: RunSql) => Promise<readonly string[]>

/** Returns functions that complete the tables of a collection and of files; they return nothing once done. */
export function createLayout({ run, within }: Connections) {
  const ready = new WeakMap<object, Promise<void> | undefined>()
  function once(part: object, missing: Missing): Promise<void> | undefined {
    if (ready.has(part)) return ready.get(part)
    const completion = complete(missing)
    ready.set(part, completion)
    completion.then(
      () => ready.set(part, undefined),
      () => ready.delete(part),
    )
    return completion
  }
  async function complete(missing: Missing): Promise<void> {
    if ((await missing(run)).length === 0) return
    await within(async (run) => {
      await run(layoutLock)
      for (const statement of await missing(run)) await run(statement)
    })
  }
  return {
    table: (spec: AnySpec) => once(spec, (run) => missingOf(run, spec)),
    files: () => once(fileTables, missingFiles),
  }
}

/**
 * Completes the tables of these collections and of files in one transaction, and returns the statements that were
 * missing; with `check` it changes nothing.
 */
export function migrate(
  { within }: Connections,
  specs: readonly AnySpec[],
  { check }: { readonly check: boolean },
): Promise<readonly string[]> {
  return within(async (run) => {
    if (check) await run('set transaction read only')
    else await run(layoutLock)
    const { rows } = await run('select current_schema()')
    const statements = rows[0]?.[0] === null ? [`create schema ${schema}`] : []
    for (const spec of specs) statements.push(...(await missingOf(run, spec)))
    statements.push(...(await missingFiles(run)))
    if (!check) for (const statement of statements) await run(statement)
    return statements
  })
}

const missingFiles: Missing = async (run) =>
  (await run(`select to_regclass('_files')`)).rows[0]?.[0] === null ? fileTables : []

/** Returns what the table of a collection lacks; a column of another type throws a TypeError. */
async function missingOf(run: RunSql, spec: AnySpec): Promise<readonly string[]> {
  const { rows } = await run(
    `select column_name, data_type from information_schema.columns where table_schema = current_schema() and table_name = $1
     union all select indexname, 'index' from pg_indexes where schemaname = current_schema() and tablename = $1`,
    [spec.name],
  )
  const found = new Map(rows.map(([name, type]) => [String(name), kinds[String(type)] ?? String(type)]))
  const missing = missingColumns(spec, found)
  const text = tableText(spec, types)
  const columns = found.has('key')
    ? missing.map((name) => `alter table ${quote(spec.name)} add column ${text.column(name)}`)
    : [text.create()]
  const indexes = ['key', ...spec.indexes].flatMap((name, at) =>
    found.has(`${spec.name}.${name}`) ? [] : (text.indexes[at] ?? []),
  )
  return [...columns, ...indexes]
}
