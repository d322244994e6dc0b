import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { writeFileAtomically } from '../../site/port.ts'
import type { PublishEnvironment } from '../environment.ts'

const run = promisify(execFile)
const limits = { timeout: 120_000, maxBuffer: 64 * 1024 * 1024 }

/** Runs git in the folder of the content file; resolves with its output, and rejects if it fails. */
export type Git = (...args: readonly string[]) => Promise<string>

/** Returns git for a folder, without secrets of the service in its environment; a signal ends a run of it. */
export function gitIn(
  folder: string,
  { PATH, HOME, SSH_AUTH_SOCK }: Pick<PublishEnvironment, 'PATH' | 'HOME' | 'SSH_AUTH_SOCK'>,
  signal?: AbortSignal,
): Git {
  const agent = SSH_AUTH_SOCK !== undefined && { SSH_AUTH_SOCK }
  const env = { PATH, HOME, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C', ...agent }
  return async (...args) =>
    (await run('git', ['-C', folder, ...args], { ...limits, env, ...(signal && { signal }) })).stdout
}

/** Returns pathspecs that match exactly these paths. */
export const literally = (names: readonly string[]): readonly string[] =>
  names.map((name) => `:(literal)${name}`)

/**
 * Returns the function that undoes what was done since with some files, in the work tree and the index, and a commit of
 * them. Changes of other files stay.
 */
export async function undoing(git: Git, contentPath: string, names: readonly string[]) {
  const head = await headOf(git)
  const folder = dirname(contentPath)
  const before = new Map<string, Uint8Array | undefined>()
  for (const name of names) before.set(name, await readFile(join(folder, name)).catch(() => undefined))
  return async (commit?: string): Promise<void> => {
    for (const [name, bytes] of before) {
      if (bytes) await writeFileAtomically(join(folder, name), bytes)
      else await rm(join(folder, name), { force: true })
    }
    if (head === undefined) return
    // Refused if somebody else has committed since.
    if (commit !== undefined) await git('update-ref', 'HEAD', head, commit)
    await git('reset', '--quiet', head, '--', ...literally(names))
  }
}

/** A new repository has no commit. */
const headOf = async (git: Git): Promise<string | undefined> =>
  (await git('rev-parse', '--verify', '--quiet', 'HEAD').catch(() => '')).trim() || undefined
