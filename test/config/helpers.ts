import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { PassThrough, Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { readEnvironment } from '../../config/env.ts'
import { BootError } from '../../kernel/index.ts'
import type { Input, Io } from '../../config/cli/shared/command.ts'
import { runCommandLine } from '../../config/cli/main.ts'
import type { TeardownTest } from '../helpers/raw.ts'

/** A temporary folder with these files, removed after the test. */
export function folderWith(t: TeardownTest, files: Readonly<Record<string, string>> = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'orchestrator-test-')))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

/** The problems of the BootError that `run` throws, or an empty list. Other errors are rethrown. */
export async function problemsOf(run: () => unknown): Promise<readonly string[]> {
  try {
    await run()
    return []
  } catch (error) {
    if (error instanceof BootError) return error.problems
    throw error
  }
}

/** The path of an in-house plugin in the fixtures. */
export const inHouse = (name: string): string =>
  fileURLToPath(new URL(`../fixtures/inhouse/${name}`, import.meta.url))

/** A minimal configuration with storage, gates and health, as JSON text. */
export function smallConfig(more: Readonly<Record<string, unknown>> = {}): string {
  const without = ['scope', 'blobs', 'bus', 'outbound', 'sites', 'draft', 'draft-ops']
  return JSON.stringify({ shape: 'standalone', preset: 'minimal', without, ...more })
}

/** The exit code and output of a command. */
export interface CommandResult {
  readonly code: number
  readonly out: string
  readonly err: string
}

export interface Circumstances {
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: Input | string
  readonly isTerminal?: boolean
  readonly patience?: number
}

/** Runs a command line in this process, with a separate working directory and environment. */
export async function orchestrator(
  cwd: string,
  args: readonly string[],
  { env = {}, stdin = '', isTerminal = false, patience }: Circumstances = {},
): Promise<CommandResult> {
  let out = ''
  let err = ''
  const io: Io = {
    cwd,
    environment: () => readEnvironment(cwd, { ...env }),
    write: (text) => void (out += text),
    print: (text) => void (out += `${text}\n`),
    printError: (text) => void (err += `${text}\n`),
    isTerminal,
    paint: (style, text) => (isTerminal ? `<${style}>${text}</>` : text),
    stdin: typeof stdin === 'string' ? Readable.from(stdin === '' ? [] : [Buffer.from(stdin)]) : stdin,
    timeoutMs: patience,
  }
  const code = await runCommandLine(args, io)
  return { code, out, err }
}

/** Runs a server of a website in a process of its own; returns the first line that it prints. */
export async function firstLine(
  t: TeardownTest,
  cwd: string,
  file: string,
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const child = spawn(process.execPath, [file], {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  for await (const line of createInterface(child.stdout)) return line
  throw new Error(`${file} did not start`)
}

/** A terminal on which these keys are typed; `wasShown` reports whether they were echoed. */
export function terminal(keys: readonly string[]): {
  readonly stdin: Input
  readonly wasShown: () => boolean
} {
  let isRaw = false
  let wasShown = false
  const stream = new PassThrough()
  const stdin = Object.assign(stream, { isTTY: true, setRawMode: (mode: boolean) => void (isRaw = mode) })
  void (async () => {
    for (const key of keys) {
      await new Promise((resolve) => setTimeout(resolve, 5))
      wasShown ||= !isRaw
      stream.write(key)
    }
  })()
  return { stdin, wasShown: () => wasShown }
}
