import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { mapValues } from '../../content/plain-object.ts'
import type { PublishEnvironment } from '../environment.ts'

const run = promisify(execFile)
const limits = { timeout: 120_000, maxBuffer: 64 * 1024 * 1024 }

/** Runs git in a folder; resolves with its output, and rejects if it fails. */
export type Git = (...args: readonly string[]) => Promise<string>

export type GitVariables = Pick<PublishEnvironment, 'PATH' | 'HOME' | 'SSH_AUTH_SOCK'>

/** Returns git for a folder, without secrets of the service in its environment; a signal ends a run of it. */
export function gitIn(
  folder: string,
  { PATH, HOME, SSH_AUTH_SOCK }: GitVariables,
  {
    signal,
    config = [],
  }: { readonly signal?: AbortSignal | undefined; readonly config?: readonly string[] } = {},
): Git {
  const agent = SSH_AUTH_SOCK !== undefined && { SSH_AUTH_SOCK }
  const env = { PATH, HOME, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C', ...agent }
  const before = ['-C', folder, ...config.flatMap((each) => ['-c', each])]
  return async (...args) => {
    const running = run('git', [...before, ...args], { ...limits, env, ...(signal && { signal }) })
    return (await running.catch((error: unknown) => Promise.reject(withoutLogins(error)))).stdout
  }
}

/** The address of a remote may have a password, which git prints. */
const withoutLogin = (text: unknown): string => String(text ?? '').replace(/\/\/[^\s/@]+@/g, '//')

/** Removes logins from all that is logged of an error. */
function withoutLogins(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { message, stack, stdout, stderr }: RunError = error
  const texts = { message, stack, stdout, stderr }
  return Object.assign(error, mapValues(texts, withoutLogin))
}

interface RunError extends Error {
  readonly stdout?: string
  readonly stderr?: string
}

export const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )

/** Returns pathspecs that match exactly these paths. */
export const literally = (names: readonly string[]): readonly string[] =>
  names.map((name) => `:(literal)${name}`)
