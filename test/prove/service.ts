import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'

const programs = { sources: '../../config/cli/bin.ts', built: '../../dist/config/cli/bin.js' }

const Line = v.looseObject({ level: v.number(), msg: v.string(), address: v.optional(v.string()) })

/** `orchestrator serve` in a separate process. */
export interface Service {
  readonly pid: number | undefined
  /** Resolves when it listens; rejects if it exits before. */
  readonly ready: Promise<{ readonly port: number }>
  kill(signal: NodeJS.Signals): void
  /** Resolves when a line with this message is logged. */
  logged(phrase: string): Promise<void>
  /** The exit code or signal. */
  readonly gone: Promise<number | NodeJS.Signals | null>
  /** Logged errors, and lines of standard error. */
  faults(): readonly string[]
}

export interface ServiceOptions {
  /** Default: any free port. */
  readonly port?: number
  /** May hold a configuration. */
  readonly cwd?: string
  /** Flags of Node. */
  readonly flags?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Further arguments of `serve`. */
  readonly args?: readonly string[]
  /** What runs: the sources, or what `npm run build` has made of them. */
  readonly program?: keyof typeof programs
}

/** Starts the service with a data folder, which may not exist yet. */
export function startService(
  folder: string,
  { port = 0, cwd = '/', flags = [], env: more, args: last = [], program = 'sources' }: ServiceOptions = {},
): Service {
  const cli = fileURLToPath(new URL(programs[program], import.meta.url))
  // Node 22 warns about its SQLite module.
  const quiet = '--disable-warning=ExperimentalWarning'
  const args = [quiet, ...flags, cli, 'serve', '--port', String(port), '--data-dir', folder, ...last]
  // An origin that is not a site, so an empty draft is not fetched from one.
  const env = { ORCHESTRATOR_CORS_ORIGINS: 'http://editor.invalid', ...more }
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const faults: string[] = []
  const phrases = new Map<string, PromiseWithResolvers<void>>()
  const waiterFor = (phrase: string): PromiseWithResolvers<void> => {
    const known = phrases.get(phrase) ?? Promise.withResolvers<void>()
    phrases.set(phrase, known)
    return known
  }

  const { promise: ready, resolve, reject } = Promise.withResolvers<{ readonly port: number }>()
  createInterface(child.stdout).on('line', (text) => {
    // The last line may be incomplete.
    const line = v.safeParse(v.pipe(v.string(), v.parseJson(), Line), text)
    if (!line.success) return
    const { level, msg, address } = line.output
    if (level >= 50) faults.push(text)
    if (msg === 'listening') resolve({ port: Number(new URL(String(address)).port) })
    waiterFor(msg).resolve()
  })
  createInterface(child.stderr).on('line', (text) => void faults.push(text))
  const gone = once(child, 'close').then(
    ([code, signal]: (number | NodeJS.Signals | null)[]) => code ?? signal ?? null,
  )
  void gone.then((how) => reject(new Error(`the service exited with ${how}: ${faults.join('\n')}`)))
  // Not awaited by callers that kill it during its start.
  ready.catch(() => undefined)
  return {
    pid: child.pid,
    ready,
    kill: (signal) => void child.kill(signal),
    logged: (phrase) => waiterFor(phrase).promise,
    gone,
    faults: () => faults,
  }
}
