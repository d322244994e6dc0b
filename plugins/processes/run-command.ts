import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { withTimeout } from '../../kernel/index.ts'
import { markName, signalTo, writeMark, type Mark } from './processes.ts'
import type { Tracked, Tracker } from './tracker.ts'

export interface CommandRequest {
  /** The program and its arguments. */
  readonly words: readonly string[]
  readonly cwd: string
  readonly variables: Readonly<Record<string, string>>
  /** Unique to this command. */
  readonly mark: Mark
  /** Finds the processes of the command, which are killed when it ends. */
  readonly tracker: Tracker
  readonly timeoutMs: number
  /** Ends the command and everything it started. */
  readonly signal: AbortSignal
  readonly limits: CommandLimits
  /** Receives each line of standard output, which is then not collected; a line over 1 MiB is dropped. */
  readonly onLine?: (line: string) => void
  /** Receives all output as it arrives. */
  readonly onOutput?: (bytes: Buffer) => void
}

export interface CommandLimits {
  readonly outputBytes: number
  readonly processes: number
  /** The interval in milliseconds at which processes are counted. */
  readonly countEveryMs: number
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly graceMs: number
}

export interface CommandResult {
  /** For a signal 128 and its number, as in a shell; `null` if the command did not start. */
  readonly exitCode: number | null
  /** The start and the end of standard output and standard error, in the order of arrival. */
  readonly output: string
  readonly ended: 'exit' | 'timeout' | 'canceled' | 'too_many_processes' | 'not_started'
}

const longestLine = 1024 * 1024

/** Runs a program in its own process group, within limits. Never rejects: every end is a result. */
export async function runCommand(request: CommandRequest): Promise<CommandResult> {
  const { words, cwd, variables, mark, tracker, signal, limits, onLine, onOutput } = request
  if (signal.aborted) return { exitCode: null, output: '', ended: 'canceled' }
  const env = { ...variables, [markName]: writeMark(mark) }
  const tracked = await tracker.track(mark)
  const [file = '', ...args] = tracked.words(words)
  const child = spawn(file, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const pipes = [child.stdout, child.stderr]
  const output = createOutput(limits.outputBytes)
  if (onLine) eachLine(child.stdout, onLine)
  else child.stdout.on('data', output.add)
  child.stderr.on('data', output.add)
  if (onOutput) for (const pipe of pipes) pipe.on('data', onOutput)
  const { pid } = child
  if (pid === undefined) {
    await once(child, 'error').catch(() => undefined)
    await tracked.end()
    return { exitCode: null, output: '', ended: 'not_started' }
  }
  const { exitCode, ended } = await untilExit(child, pid, tracked, request)
  await tracked.end(pid)
  // The pipes are free now, except on systems that cannot find leftover processes.
  const closed = Promise.all(pipes.map((pipe) => (pipe.closed ? undefined : once(pipe, 'close'))))
  await withTimeout(500, closed, () => 'late').catch(() => undefined)
  for (const pipe of pipes) pipe.destroy()
  return { exitCode, output: output.text(), ended }
}

/** Waits for the end of a command, and ends it at its limits. */
async function untilExit(
  child: ChildProcess,
  pid: number,
  tracked: Tracked,
  { timeoutMs, signal, limits }: CommandRequest,
): Promise<Pick<CommandResult, 'exitCode' | 'ended'>> {
  let ended: CommandResult['ended'] = 'exit'
  const over = new AbortController()
  const exit = once(child, 'exit').finally(() => over.abort())
  const pause = (ms: number) => wait(ms, undefined, { signal: over.signal }).catch(() => undefined)
  const stop = async (why: CommandResult['ended'], graceMs = limits.graceMs): Promise<void> => {
    if (ended !== 'exit') return
    ended = why
    if (graceMs > 0) {
      for (const each of await tracked.list(pid)) signalTo(each, 'SIGTERM')
      await pause(graceMs)
    }
    // The first tries may come before the command.
    while (!over.signal.aborted) {
      await tracked.end(pid)
      await pause(20)
    }
  }
  const watch = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await pause(limits.countEveryMs)
      if (!over.signal.aborted && (await tracked.list(pid)).length > limits.processes)
        await stop('too_many_processes', 0)
    }
  }
  const late = setTimeout(() => void stop('timeout'), timeoutMs)
  const cancel = (): void => void stop('canceled')
  signal.addEventListener('abort', cancel, { once: true })
  if (signal.aborted) cancel()
  const watching = watch()
  await exit
  clearTimeout(late)
  signal.removeEventListener('abort', cancel)
  await watching
  const { exitCode, signalCode } = child
  return { exitCode: signalCode ? 128 + constants.signals[signalCode] : exitCode, ended }
}

/** Keeps the first quarter and the last three quarters of the allowed output: errors are usually at the end. */
function createOutput(most: number) {
  const headBytes = Math.floor(most / 4)
  let head = Buffer.alloc(0)
  let tail = Buffer.alloc(0)
  let omitted = 0
  return {
    add(chunk: Buffer): void {
      const forHead = chunk.subarray(0, headBytes - head.length)
      if (forHead.length > 0) head = Buffer.concat([head, forHead])
      const rest = chunk.subarray(forHead.length)
      const joined = Buffer.concat([tail, rest.subarray(-(most - headBytes))])
      tail = joined.subarray(-(most - headBytes))
      omitted += joined.length - tail.length + Math.max(0, rest.length - (most - headBytes))
    },
    text: (): string =>
      head.toString('utf8') +
      (omitted > 0 ? `\n… ${omitted} bytes left out …\n` : '') +
      tail.toString('utf8'),
  }
}

function eachLine(stream: NodeJS.ReadableStream, receive: (line: string) => void): void {
  let open = ''
  let isDropped = false
  stream.setEncoding('utf8')
  stream.on('data', (text: string) => {
    const [first = '', ...more] = text.split('\n')
    open += first
    for (const next of more) {
      if (!isDropped && open.length <= longestLine) receive(open)
      isDropped = false
      open = next
    }
    if (open.length > longestLine) {
      isDropped = true
      open = ''
    }
  })
  stream.on('end', () => {
    if (!isDropped && open !== '') receive(open)
  })
}
