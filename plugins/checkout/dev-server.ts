/** Runs the development server of a website. */
import { once } from 'node:events'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { type CommandRequest, markTracker, runCommand } from '../processes/port.ts'

/** What starts a development server. */
export interface ServerStart extends Pick<CommandRequest, 'mark'> {
  /** The command for a shell; `{port}` stands for the port. */
  readonly command: string
  readonly folder: string
  /** Folders whose `node_modules` have the programs of the command. */
  readonly packages: readonly string[]
  readonly variables: Readonly<Record<string, string>>
  /** Default: a free one. */
  readonly port?: number | undefined
  /** How to install the packages, for the message of a failure. */
  readonly install: string
  readonly log: ServerLog
}

export interface DevServer {
  readonly origin: string
  /** The path of its home page, as its log names it. */
  readonly home: string
  /** Resolves when it has ended. */
  readonly ended: Promise<void>
  /** Ends it and all that it has started. */
  stop(): Promise<void>
}

/** The development server did not start; the message has the end of its log, and what usually helps. */
export class DevServerError extends Error {
  override readonly name = 'DevServerError'
}

const readyMs = 120_000
/** After this time a server that was given a port, and does not answer there, is looked for in its log. */
const ownPortMs = 10_000
const limits = { outputBytes: 1024, processes: 1_000, countEveryMs: 10_000, graceMs: 2_000 }

/** Another program may take a free port before the server listens there. */
const mostPorts = 3
const isTaken = /EADDRINUSE|port \d+ is (?:already )?in use/i

/** Starts a development server, and resolves once it answers. Rejects with a DevServerError if it does not. */
export async function startServer(start: ServerStart, signal: AbortSignal): Promise<DevServer> {
  for (let tries = 1; ; tries++) {
    const port = start.port ?? (await freePort())
    try {
      return await startOn(port, start, signal)
    } catch (error) {
      const { message } = error instanceof DevServerError ? error : { message: '' }
      const wasTaken = isTaken.test(message) && message.includes(String(port))
      if (!wasTaken || start.port !== undefined || tries === mostPorts) throw error
    }
  }
}

async function startOn(port: number, start: ServerStart, signal: AbortSignal): Promise<DevServer> {
  const { command, folder, packages, variables, mark, log } = start
  const stop = new AbortController()
  const over = new AbortController()
  const programs = packages.map((each) => join(each, 'node_modules', '.bin'))
  const line = command.replaceAll('{port}', String(port))
  log.add(`> ${line}\n`)
  const ended = runCommand({
    words: process.platform === 'win32' ? ['cmd.exe', '/d', '/s', '/c', line] : ['sh', '-c', line],
    cwd: folder,
    variables: {
      ...variables,
      PATH: [...programs, variables['PATH'] ?? ''].join(delimiter),
      PORT: String(port),
      BROWSER: 'none',
    },
    mark,
    tracker: markTracker,
    timeoutMs: 2 ** 31 - 1,
    signal: stop.signal,
    limits,
    onOutput: (bytes) => log.add(bytes.toString('utf8')),
  })
  void ended.finally(() => over.abort())
  const late = AbortSignal.timeout(readyMs)
  const found = await untilReady(
    { port, isGiven: command.includes('{port}'), log },
    AbortSignal.any([signal, over.signal, late]),
  )
  if (found)
    return {
      ...found,
      ended: ended.then(() => undefined),
      async stop() {
        stop.abort()
        await ended
      },
    }
  const why = late.aborted
    ? `has not answered in ${readyMs / 1_000} seconds`
    : `ended with code ${over.signal.aborted ? (await ended).exitCode : 'unknown'}`
  stop.abort()
  await ended
  signal.throwIfAborted()
  const lines = log.lines().slice(-30).join('\n')
  throw new DevServerError(`\`${line}\` ${why}. ${helpFor(lines, start)}\n${lines}`)
}

/** Asks until a server answers: on its port, or on one that its log names. */
async function untilReady(
  { port, isGiven, log }: { readonly port: number; readonly isGiven: boolean; readonly log: ServerLog },
  over: AbortSignal,
): Promise<Pick<DevServer, 'origin' | 'home'> | undefined> {
  const started = performance.now()
  while (!over.aborted) {
    const named = addressesIn(log.lines())
    const own = `http://localhost:${port}`
    const readsLog = !isGiven || performance.now() - started > ownPortMs
    for (const origin of [own, ...(readsLog ? named.map((each) => each.origin) : [])])
      if (await answers(origin, over))
        return { origin, home: named.find((each) => each.origin === origin)?.pathname ?? '/' }
    await wait(100, undefined, { signal: over }).catch(() => undefined)
  }
  return undefined
}

/** Returns the addresses of this machine that a log names, the latest first. */
function addressesIn(lines: readonly string[]): readonly URL[] {
  const found = lines.flatMap((line) => [
    ...line.matchAll(/\bhttp:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]):(\d+)(\/[^\s"'<>]*)?/g),
  ])
  return found
    .flatMap(([, port, path = '/']) => URL.parse(path, `http://localhost:${port}`) ?? [])
    .toReversed()
}

/** True if a server answers with a page or without an error of its own. */
async function answers(origin: string, signal: AbortSignal): Promise<boolean> {
  try {
    const asked = get(origin, { agent: false, signal, headers: { accept: 'text/html' }, timeout: 60_000 })
    asked.on('timeout', () => asked.destroy())
    const [answer] = await once(asked, 'response')
    asked.on('error', () => undefined).destroy()
    return answer.statusCode < 500 || /html/.test(answer.headers['content-type'] ?? '')
  } catch {
    return false
  }
}

export async function freePort(): Promise<number> {
  const server = createServer()
  // On the address of all interfaces, as the servers of some frameworks.
  await once(server.listen(0), 'listening')
  const address = server.address()
  await new Promise((resolve) => void server.close(resolve))
  return address !== null && typeof address === 'object' ? address.port : 0
}

const helps: readonly (readonly [problem: RegExp, help: (start: ServerStart) => string])[] = [
  [isTaken, () => 'Its port is taken: end the program that listens there.'],
  [
    /ENOSPC.*watch|EMFILE/i,
    () => 'The system lets it watch too few files: raise fs.inotify.max_user_watches.',
  ],
  [
    /unsupported engine|requires? (?:at least )?node|node\.js version/i,
    () => 'It needs another version of Node.js.',
  ],
  [
    /^\S+: (?:\d+: |line \d+: )?(?:\S+: (?:command )?not found|command not found: \S+)$|is not recognized as/m,
    ({ install }) =>
      `The program is not on this machine: install it, or run \`${install}\` if it is a package of the website.`,
  ],
  [
    /cannot find (?:module|package)|module not found|MODULE_NOT_FOUND|not found|ENOENT/i,
    ({ install }) => `If packages are missing, run \`${install}\` in the website.`,
  ],
]

const helpFor = (log: string, start: ServerStart): string =>
  helps.find(([problem]) => problem.test(log))?.[1](start) ??
  'Start it in the website by itself to see what it needs, or name another command with --command.'

export type ServerLog = ReturnType<typeof createServerLog>

const mostLines = 500
const longestLine = 2_000

/** Holds the last lines of output, without colours. */
export function createServerLog() {
  let all: string[] = []
  let open = ''
  return {
    add(text: string): void {
      const parts = (open + text).split('\n')
      open = (parts.pop() ?? '').slice(-longestLine)
      all = [...all, ...parts.map((line) => line.slice(0, longestLine))].slice(-mostLines)
    },
    lines: (): readonly string[] =>
      [...all, ...(open === '' ? [] : [open])].map((line) => stripVTControlCharacters(line).trimEnd()),
  }
}
