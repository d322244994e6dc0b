/** Reads of whole collections, whatever their size. */
import type { Awaitable } from './access.ts'
import type { Json } from './documents.ts'
import { quote } from './statements.ts'

type SqlRow = readonly unknown[]
/** Runs a statement with `?` for its values. */
type Read = (sql: string, values: readonly (string | number)[]) => Awaitable<readonly SqlRow[]>

/** The bytes of bodies that are held in memory, unless one of them is larger. */
const batchBytes = 4_000_000
const listed = 500

/** Yields the rows of a table in the order of their keys, as many at once as `batchBytes` allow. */
export async function* batchesOf(
  run: Read,
  name: string,
  columns = 'scope, key, body',
): AsyncGenerator<readonly SqlRow[]> {
  const table = quote(name)
  let last: readonly string[] = []
  for (;;) {
    const rest = `from ${table} ${last.length > 0 ? 'where (scope, key) > (?, ?)' : ''} order by scope, key limit ?`
    const sizes = await run(`select octet_length(body) ${rest}`, [...last, listed])
    let [count, bytes] = [0, 0]
    while (count < sizes.length && (count === 0 || bytes < batchBytes)) bytes += Number(sizes[count++]?.[0])
    const rows = count === 0 ? [] : await run(`select ${columns} ${rest}`, [...last, count])
    if (rows.length === 0) return
    yield rows
    last = rows.at(-1)?.slice(0, 2).map(String) ?? []
  }
}

/** Yields the body of every document in the tables that a statement names. */
export async function* bodiesOf(run: Read, tables: string): AsyncGenerator<Json> {
  for (const [name] of await run(tables, []))
    for await (const rows of batchesOf(run, String(name)))
      for (const [, , body] of rows) yield body instanceof Uint8Array ? body : String(body)
}
