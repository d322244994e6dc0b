import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'

const cli = fileURLToPath(new URL('../../config/cli/bin.ts', import.meta.url))

const Line = v.looseObject({ level: v.number(), msg: v.string(), address: v.optional(v.string()) })

/** `orchestrator serve` in a process of its own. */
export interface Service {
  readonly pid: number | undefined
  /** Resolves when it listens; rejects when it ends before that. */
  readonly ready: Promise<{ readonly port: number }>
  kill(signal: NodeJS.Signals): void
  /** Resolves when the log has a line with this phrase; never, when that does not come. */
  logged(phrase: string): Promise<void>
  /** The exit code, or the signal that ended it. */
  readonly gone: Promise<number | NodeJS.Signals | null>
  /** What it logged as an error, and what it wrote on standard error. */
  faults(): readonly string[]
}

export interface ServiceOptions {
  /** Any free one without it. */
  readonly port?: number
  /** May hold a configuration. */
  readonly cwd?: string
  /** For its Node. */
  readonly flags?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** Starts the service on a folder that need not exist yet, as somebody at a shell would. */
export function startService(folder: string, { port = 0, cwd = '/', flags = [], env: more }: ServiceOptions = {}): Service {
  // Node 22 warns of its SQLite, which is no fault of the service.
  const quiet = '--disable-warning=ExperimentalWarning'
  const args = [quiet, ...flags, cli, 'serve', '--port', String(port), '--data-dir', folder]
  // An editor is no site, so an empty draft is not looked for anywhere.
  const env = { ORCHESTRATOR_CORS_ORIGINS: 'http://editor.invalid', ...more }
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const faults: string[] = []
  const phrases = new Map<string, PromiseWithResolvers<void>>()
  const said = (phrase: string): PromiseWithResolvers<void> => {
    const known = phrases.get(phrase) ?? Promise.withResolvers<void>()
    phrases.set(phrase, known)
    return known
  }

  const { promise: ready, resolve, reject } = Promise.withResolvers<{ readonly port: number }>()
  createInterface(child.stdout).on('line', (text) => {
    // A line that the end of the process cut off is none.
    const line = v.safeParse(v.pipe(v.string(), v.parseJson(), Line), text)
    if (!line.success) return
    const { level, msg, address } = line.output
    if (level >= 50) faults.push(text)
    if (msg === 'listening') resolve({ port: Number(new URL(String(address)).port) })
    said(msg).resolve()
  })
  createInterface(child.stderr).on('line', (text) => void faults.push(text))
  const gone = once(child, 'close').then(
    ([code, signal]: (number | NodeJS.Signals | null)[]) => code ?? signal ?? null,
  )
  void gone.then((how) => reject(new Error(`the service ended with ${how}: ${faults.join('\n')}`)))
  // Whoever kills it while it starts does not ask whether it listens.
  ready.catch(() => undefined)
  return {
    pid: child.pid,
    ready,
    kill: (signal) => void child.kill(signal),
    logged: (phrase) => said(phrase).promise,
    gone,
    faults: () => faults,
  }
}
