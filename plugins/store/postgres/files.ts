import { pieces } from '../../../kernel/index.ts'
import type { Files, StoredFile } from '../port.ts'
import type { Connections, RunSql, SqlRow } from './connections.ts'

/** The bytes of a row: a reader of any range loads no more than this at once. */
const pieceBytes = 256 * 1024
/** Milliseconds after which an upload without an end has lost its process. */
const unfinishedMs = 24 * 3_600_000
const listed = 500

/**
 * The tables of files. Without a key, a file is unfinished. The names begin with `_`, as no collection does, and no
 * column is called `body`, so `texts` never reads them. The bytes are pictures, which the database cannot compress.
 */
export const fileTables: readonly string[] = [
  'create table _files (id uuid primary key default gen_random_uuid(), key text collate "C" unique, size bigint not null, changed bigint not null)',
  'create index "_files.unfinished" on _files (changed) where key is null',
  'create table _pieces (file uuid not null references _files on delete cascade, at integer not null, bytes bytea not null, primary key (file, at))',
  'alter table _pieces alter column bytes set storage external',
]

const toFile = ([id, key, size, changed]: SqlRow): StoredFile => ({
  id: String(id),
  key: String(key),
  size: Number(size),
  changed: Number(changed),
})

/** Keeps bytes in rows of `pieceBytes`. A write holds no connection while its source is slow. */
export function createFiles({ run, within }: Connections, ready: () => Promise<void> | undefined): Files {
  return {
    async put(key, bytes, changed) {
      await ready()
      await run('delete from _files where key is null and changed < $1', [changed - unfinishedMs])
      const { rows } = await run('insert into _files (size, changed) values (0, $1) returning id', [changed])
      const id = String(rows[0]?.[0])
      try {
        const size = await writePieces(run, id, bytes)
        await within(async (run) => {
          // Two writers of one key: the later one replaces the earlier.
          await run('select pg_advisory_xact_lock(hashtext($1))', [`content_orchestrator.file ${key}`])
          await run('delete from _files where key = $1', [key])
          await run('update _files set key = $1, size = $2 where id = $3', [key, size, id])
        })
        return size
      } catch (error) {
        await run('delete from _files where id = $1', [id]).catch(() => undefined)
        throw error
      }
    },
    async find(key) {
      await ready()
      const { rows } = await run('select id, key, size, changed from _files where key = $1', [key])
      return rows[0] && toFile(rows[0])
    },
    async *list() {
      await ready()
      const next = `select id, key, size, changed from _files where key > $1 order by key limit ${listed}`
      let { rows } = await run(next, [''])
      while (rows.length > 0) {
        yield* rows.map(toFile)
        rows = (await run(next, [rows.at(-1)?.[1]])).rows
      }
    },
    read: (file, start, end) => readPieces(run, file, { start, end }),
    async remove(key) {
      await ready()
      return ((await run('delete from _files where key = $1', [key])).rowCount ?? 0) > 0
    },
  }
}

async function writePieces(run: RunSql, id: string, bytes: Parameters<Files['put']>[1]): Promise<number> {
  let [at, size] = [0, 0]
  for await (const piece of pieces(bytes, pieceBytes)) {
    await run('insert into _pieces values ($1, $2, $3)', [id, at++, piece])
    size += piece.length
  }
  return size
}

async function* readPieces(
  run: RunSql,
  { id, size }: StoredFile,
  { start, end }: { readonly start: number; readonly end: number },
): AsyncGenerator<Uint8Array> {
  const last = Math.min(end, size - 1)
  for (let from = start; from <= last;) {
    const at = Math.floor(from / pieceBytes)
    const { rows } = await run('select bytes from _pieces where file = $1 and at = $2', [id, at])
    const [bytes] = rows[0] ?? []
    if (!(bytes instanceof Uint8Array))
      throw Object.assign(new Error('The file was replaced before it was read.'), { code: 'REPLACED' })
    const cut = bytes.subarray(from - at * pieceBytes, last + 1 - at * pieceBytes)
    yield cut
    from += cut.length
  }
}
