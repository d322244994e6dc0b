import { execFile } from 'node:child_process'
import { basename, dirname } from 'node:path'
import { promisify } from 'node:util'
import type { Environment } from '../../env.ts'

const run = promisify(execFile)
/** All that git may see of the environment: where it is, and what its user ignores everywhere. */
const handedOn = ['PATH', 'HOME'] as const
const timeout = 5_000

/** True when git would take this file into a commit; without git or outside of a work tree it would not. */
export async function isSeenByGit(file: string, env: Environment): Promise<boolean> {
  const bare = Object.fromEntries(handedOn.flatMap((name) => (env[name] ? [[name, env[name]]] : [])))
  // A work tree may name a program that watches its files, which must not be run unasked.
  const args = ['-c', 'core.fsmonitor=false', 'check-ignore', '--quiet', '--', basename(file)]
  try {
    await run('git', args, { cwd: dirname(file), env: bare, timeout })
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 1
  }
}
