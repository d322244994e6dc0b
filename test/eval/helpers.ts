import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { main } from './command.ts'

/** The result of a command line. */
export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

type Variables = Readonly<Record<string, string>>

/** Runs a command line in this process, with the given environment. */
export async function runEval(args: readonly string[], env: Variables = {}): Promise<Ran> {
  const out: string[] = []
  const err: string[] = []
  const code = await main(args, {
    env,
    line: (text) => void out.push(text),
    error: (text) => void err.push(text),
  })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

/** Runs it in a child process, as `npm run eval` does. */
export function startEval(args: readonly string[], env: Variables = {}): Promise<Ran> {
  const script = fileURLToPath(new URL('run.ts', import.meta.url))
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [script, ...args],
      { env: { PATH: process.env['PATH'] ?? '', ...env } },
      (error, out, err) => {
        const code = error?.code ?? 0
        if (typeof code === 'number') resolve({ code, out, err })
        else reject(error)
      },
    )
  })
}
