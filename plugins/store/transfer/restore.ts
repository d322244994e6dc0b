import { stampOf } from '../backups.ts'
import { checkBackup } from '../files.ts'
import { restoringSchema, schema } from '../postgres/connections.ts'
import { checkUnused, connected } from './postgres.ts'

/**
 * Replaces the content of PostgreSQL with a backup, which `fill` copies. Keeps the old content as a schema and returns
 * its name; `undefined` if there was none. A failure changes nothing; if the process is killed meanwhile, services refuse
 * to start until the restore is repeated.
 *
 * Throws a FileError if a service uses the database, or if the file cannot be a backup.
 */
export async function restorePostgres(
  url: string,
  backup: string,
  { now, fill }: { readonly now: Date; readonly fill: () => Promise<unknown> },
): Promise<string | undefined> {
  checkBackup(backup)
  return connected(url, async ({ run }) => {
    await checkUnused(run)
    const isThere = async (name: string) =>
      (await run('select to_regnamespace($1)', [name])).rows[0]?.[0] !== null
    const rename = (from: string, to: string) => run(`alter schema ${from} rename to ${to}`)
    const drop = () => run(`drop schema if exists ${schema} cascade`)
    // What a restore that was interrupted has left is incomplete, and the earlier content is still stored.
    if (await isThere(restoringSchema)) await drop()
    else if (await isThere(schema)) await rename(schema, restoringSchema)
    const hasFormer = await isThere(restoringSchema)
    try {
      await fill()
    } catch (error) {
      await drop()
      if (hasFormer) await rename(restoringSchema, schema)
      throw error
    }
    if (!hasFormer) return undefined
    const formerSchema = `${schema}_${stampOf(now).replaceAll(/\D/g, '')}`
    await rename(restoringSchema, formerSchema)
    return formerSchema
  })
}
