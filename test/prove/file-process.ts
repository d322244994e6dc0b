/** Services in processes that are killed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface FileService {
  readonly port: number
  kill(signal?: NodeJS.Signals): void
  readonly gone: Promise<unknown>
}

/** Starts the service with a folder as its site; rejects if it ends before it listens. */
export const startFileService = (folder: string, dataDir: string): Promise<FileService> =>
  startService(new URL('file-service.ts', import.meta.url), [folder, dataDir])

/** Starts a program that prints its port; rejects if it ends before that. */
export async function startService(
  program: URL,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<FileService> {
  // Node 22 warns about its SQLite module.
  const all = ['--disable-warning=ExperimentalWarning', fileURLToPath(program), ...args]
  const child = spawn(process.execPath, all, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
  const end = (): void => void child.kill('SIGKILL')
  process.once('exit', end)
  const gone = once(child, 'exit').then(() => process.removeListener('exit', end))
  const ended = gone.then(() => {
    throw new Error('the service ended before it listened')
  })
  ended.catch(() => undefined)
  const line = once(createInterface(child.stdout), 'line') as Promise<[string]>
  const [port] = await Promise.race([line, ended])
  return { port: Number(port), kill: (signal = 'SIGKILL') => void child.kill(signal), gone }
}
