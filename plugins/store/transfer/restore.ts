import { open } from 'node:fs/promises'
import { stampOf } from '../backups.ts'
import { FileError, findReadable } from '../files.ts'
import { restoringSchema, schema } from '../postgres/connections.ts'
import { isUsable, undump, type Environment } from './dump.ts'
import { checkUnused, connected } from './postgres.ts'

/**
 * Replaces the content of PostgreSQL with a backup: one of `pg_dump`, or an SQLite file, which `fill` copies. Keeps the
 * old content as a schema and returns its name; `undefined` if there was none. A failure changes nothing; if the process is
 * killed meanwhile, services refuse to start until the restore is repeated.
 *
 * Throws a FileError if a service uses the database, or if the file is no backup.
 */
export async function restorePostgres(
  url: string,
  backup: string,
  {
    now,
    env,
    fill,
  }: { readonly now: Date; readonly env: Environment; readonly fill: () => Promise<unknown> },
): Promise<string | undefined> {
  findReadable(backup, 'backup', 'name another file')
  const kind = await kindOf(backup)
  if (kind === undefined) throw new FileError(`${backup} is not a backup of this service`)
  if (kind === 'dump' && !(await isUsable('pg_restore', url, env)))
    throw new FileError(
      `${backup} is of pg_dump; put a pg_restore on the PATH that is not older than the server`,
    )
  return connected(url, async ({ run }) => {
    await checkUnused(run)
    const isThere = async (name: string) =>
      (await run('select to_regnamespace($1)', [name])).rows[0]?.[0] !== null
    const rename = (from: string, to: string) => run(`alter schema ${from} rename to ${to}`)
    const drop = () => run(`drop schema if exists ${schema} cascade`)
    // What a restore that was interrupted has left is incomplete, and the earlier content is still kept.
    if (await isThere(restoringSchema)) await drop()
    else if (await isThere(schema)) await rename(schema, restoringSchema)
    const hasKept = await isThere(restoringSchema)
    try {
      await (kind === 'dump' ? undump(url, backup, env) : fill())
    } catch (error) {
      await drop()
      if (hasKept) await rename(restoringSchema, schema)
      throw error
    }
    if (!hasKept) return undefined
    const kept = `${schema}_${stampOf(now).replaceAll(/\D/g, '')}`
    await rename(restoringSchema, kept)
    return kept
  })
}

async function kindOf(file: string): Promise<'dump' | 'sqlite' | undefined> {
  const opened = await open(file)
  try {
    const { buffer } = await opened.read(Buffer.alloc(16), { length: 16 })
    const head = buffer.toString('latin1')
    return head.startsWith('PGDMP') ? 'dump' : head.startsWith('SQLite format 3') ? 'sqlite' : undefined
  } finally {
    await opened.close()
  }
}
