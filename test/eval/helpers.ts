import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { main } from './command.ts'

/** What a command line left behind. */
export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

type Variables = Readonly<Record<string, string>>

/** Runs a command line in this process, with an environment of its own. */
export async function runEval(args: readonly string[], env: Variables = {}): Promise<Ran> {
  const out: string[] = []
  const err: string[] = []
  const code = await main(args, { env, line: (text) => void out.push(text), complain: (text) => void err.push(text) })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

/** Runs it as `npm run eval` does, in a process of its own. */
export function startEval(args: readonly string[], env: Variables = {}): Promise<Ran> {
  const script = fileURLToPath(new URL('run.ts', import.meta.url))
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [script, ...args], { env: { PATH: process.env['PATH'] ?? '', ...env } }, (error, out, err) => {
      const code = error?.code ?? 0
      if (typeof code === 'number') resolve({ code, out, err })
      else reject(error)
    })
  })
}
