/** Backups by the programs of PostgreSQL, which run as a child with the password in its environment. */
import { execFile } from 'node:child_process'
import { rename, rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { createPrivately, FileError, syncFile, syncFolder } from '../files.ts'
import { schema } from '../postgres/connections.ts'
import { connected } from './postgres.ts'

export type Environment = Readonly<Record<string, string | undefined>>

const execute = promisify(execFile)
/** What libpq knows of the settings in an address; `pg` has some of its own. */
const settings = ['user', 'sslcert', 'sslkey', 'sslrootcert', 'host', 'port', 'options', 'connect_timeout']

/** Splits an address into one without a password, for the arguments, and the variables of libpq. */
export function toLibpq(address: string): { readonly dbname: string; readonly env: Environment } {
  const [base = '', query = ''] = address.split('?')
  const given = Object.fromEntries(new URLSearchParams(query))
  // Like `pg`, which accepts a bare `@` or `%` in a password.
  const [whole = '', user = '', password = ''] = /^(\w+:\/\/[^:@/]*):([^/]*)@/.exec(base) ?? []
  const secret = given['password'] ?? password.replaceAll(/(?:%[\da-f]{2})+/gi, decodeURIComponent)
  const kept = Object.entries(given).filter(([name]) => settings.includes(name))
  const sslmode = given['sslmode'] ?? (/^(?:true|1)$/.test(given['ssl'] ?? '') ? 'verify-full' : undefined)
  // `pg` verifies the server by each mode but these two.
  if (sslmode === 'disable') kept.push(['sslmode', 'disable'])
  else if (sslmode === 'no-verify') kept.push(['sslmode', 'require'])
  else if (sslmode !== undefined) {
    kept.push(['sslmode', 'verify-full'])
    if (given['sslrootcert'] === undefined) kept.push(['sslrootcert', 'system'])
  }
  const dbname = user === '' ? base : `${user}@${base.slice(whole.length)}`
  return {
    dbname: kept.length === 0 ? dbname : `${dbname}?${new URLSearchParams(kept)}`,
    env: secret === '' ? {} : { PGPASSWORD: secret },
  }
}

/** Whether a program of PostgreSQL is there and not older than the server. */
export async function isUsable(
  program: 'pg_dump' | 'pg_restore',
  url: string,
  env: Environment,
): Promise<boolean> {
  const found = await execute(program, ['--version'], { env }).catch(() => undefined)
  const version = Number(/ (\d+)/.exec(found?.stdout ?? '')?.[1] ?? 0)
  const { rows } = await connected(url, ({ run }) =>
    run(`select current_setting('server_version_num')::int / 10000`),
  )
  return version >= Number(rows[0]?.[0])
}

/** Runs a program, and returns what it prints. */
async function run(program: string, args: readonly string[], env: Environment): Promise<string> {
  try {
    return (await execute(program, args, { env, maxBuffer: 64 * 1024 * 1024 })).stdout
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error)
    throw new FileError(`${program} failed: ${said.split('\n').slice(0, 3).join(' ')}`)
  }
}

/** Writes a backup of the schema of this service to a new file, and lets `pg_restore` read it. */
export async function dump(url: string, file: string, environment: Environment): Promise<void> {
  const { dbname, env } = toLibpq(url)
  const partial = `${file}.partial`
  try {
    createPrivately(partial)
    const what = ['--format=custom', `--schema=${schema}`, '--no-owner', '--no-privileges']
    await run('pg_dump', [...what, `--file=${partial}`, `--dbname=${dbname}`], { ...environment, ...env })
    await run('pg_restore', ['--list', partial], environment)
    syncFile(partial)
    await rename(partial, file)
    syncFolder(file)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

/** Restores a backup of `dump` in one transaction. Throws a FileError for a backup of another database. */
export async function undump(url: string, file: string, environment: Environment): Promise<void> {
  const { dbname, env } = toLibpq(url)
  if (!(await run('pg_restore', ['--list', file], environment)).includes(` SCHEMA - ${schema} `))
    throw new FileError(`${file} is not a backup of this service; name another file`)
  const how = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges']
  await run('pg_restore', [...how, `--dbname=${dbname}`, file], { ...environment, ...env })
}
