/** The command in a process of its own. */
import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { TeardownTest } from '../helpers/raw.ts'
import { folderWith } from './helpers.ts'

export const cli = fileURLToPath(new URL('../../config/cli/bin.ts', import.meta.url))

export interface Line {
  readonly msg: string
  readonly level: number
  readonly [fact: string]: unknown
}

type ExitStatus = number | NodeJS.Signals

/** A service in a separate process. */
interface Child {
  readonly folder: string
  readonly port: number
  readonly pid: number | undefined
  kill(signal: NodeJS.Signals): void
  /** The output so far. */
  lines(): readonly Line[]
  /** Resolves when so many lines with this phrase were written. */
  logged(phrase: string, times?: number): Promise<Line>
  /** The exit code or signal, when the output has ended too. */
  readonly ended: Promise<ExitStatus>
  stderr(): string
}

/** Runs `orchestrator serve` with these files in its folder; with port 0, until it listens. */
export async function start(
  t: TeardownTest,
  files: Readonly<Record<string, string>>,
  args: readonly string[] = ['--port', '0'],
  [program, ...before]: readonly [string, ...string[]] = [process.execPath, cli, 'serve'],
): Promise<Child> {
  const folder = folderWith(t, files)
  const child = spawn(program, [...before, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', SLOW_SECRET: 'canary' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  let out = ''
  let err = ''
  const changed = new EventEmitter()
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
    changed.emit('line')
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (err += text))
  const lines = (): readonly Line[] =>
    out
      .split('\n')
      .slice(0, -1)
      .map((line): Line => JSON.parse(line))
  const ended = once(child, 'close').then(([code, signal]): ExitStatus => {
    changed.emit('line')
    return code ?? signal
  })
  const logged = async (phrase: string, times = 1): Promise<Line> => {
    for (;;) {
      const found = lines().filter(({ msg }) => msg === phrase)[times - 1]
      if (found) return found
      if (child.exitCode !== null)
        throw new Error(`ended with ${child.exitCode} without '${phrase}': ${out}${err}`)
      await once(changed, 'line')
    }
  }
  const port = args.includes('0') ? Number(new URL(String((await logged('listening'))['address'])).port) : 0
  const { pid } = child
  return {
    folder,
    port,
    pid,
    kill: (signal) => void child.kill(signal),
    lines,
    logged,
    ended,
    stderr: () => err,
  }
}
