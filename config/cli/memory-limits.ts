/**
 * The flags of V8 by which it takes less memory, see `config/README.md` for what they cost: the megabytes of
 * each half of the space for new objects, and by how many percent the space for old ones grows between two
 * collections.
 */
const limits = { '--max-semi-space-size': 16, '--heap-growing-percent': 35 }

type Running = Pick<NodeJS.Process, 'execArgv' | 'execPath' | 'argv' | 'env' | 'connected' | 'execve'>

/**
 * Replaces this process by one with limits for memory, which V8 reads only at its start; the process id stays.
 *
 * Returns where each limit is set already, where a parent process has a channel to this one, which would break,
 * and where the system cannot replace a process, as on Windows.
 */
export function limitMemory({ execArgv, execPath, argv, env, connected, execve }: Running): void {
  const given = [...execArgv, env['NODE_OPTIONS'] ?? ''].join(' ').replaceAll('_', '-')
  const missing = Object.entries(limits).filter(([flag]) => !given.includes(flag))
  if (connected || missing.length === 0) return
  try {
    execve?.(execPath, [
      execPath,
      ...missing.map(([flag, to]) => `${flag}=${to}`),
      ...execArgv,
      ...argv.slice(1),
    ])
  } catch {
    // The service runs without the limits, and takes more memory.
  }
}
