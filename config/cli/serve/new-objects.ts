/**
 * The megabytes of each half of the space for new objects: less costs time for edits, more costs memory only,
 * see `config/README.md`.
 */
const flag = '--max-semi-space-size=16'
const isLimit = (text: string): boolean => /--max[-_]semi[-_]space[-_]size/.test(text)

type Running = Pick<NodeJS.Process, 'execArgv' | 'execPath' | 'argv' | 'env' | 'connected' | 'execve'>

/**
 * Replaces this process by one with a limit for new objects, which V8 reads only at its start; the process id
 * stays.
 *
 * Returns where a limit is set already, where a parent process has a channel to this one, which would break,
 * and where the system cannot replace a process, as on Windows.
 */
export function limitNewObjects({ execArgv, execPath, argv, env, connected, execve }: Running): void {
  if (connected || [...execArgv, env['NODE_OPTIONS'] ?? ''].some(isLimit)) return
  try {
    execve?.(execPath, [execPath, flag, ...execArgv, ...argv.slice(1)])
  } catch {
    // The service runs without the limit, and takes more memory.
  }
}
