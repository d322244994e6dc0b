import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import type { Profiler } from 'node:inspector'
import { fileURLToPath } from 'node:url'
import type { Page } from '../../plugins/content/page.ts'
import { send, type Load } from './load.ts'

/** A server in a separate process that reports its CPU time and memory. */
export interface BenchServer {
  readonly url: string
  /** Facts that the server reported at its start. */
  readonly facts: Readonly<Record<string, unknown>>
  /** CPU microseconds since its start. */
  cpu(): Promise<number>
  /** Resident bytes, after a collection. */
  memory(): Promise<number>
  /** Bytes of objects and buffers that are in use, after a collection. */
  live(): Promise<number>
  /** Bytes handed to the file system since its start. */
  written(): Promise<number>
  /** The most resident bytes while `work` runs. */
  peak(work: () => Promise<void>): Promise<number>
  /** Milliseconds of CPU of the programs that it has started, once they have ended. */
  children(): Promise<number>
  /** Milliseconds of the longest turn of its event loop while `work` runs. */
  longestTurn(work: () => Promise<void>): Promise<number>
  /** Profiles the main thread while `work` runs. */
  profile(work: () => Promise<void>): Promise<Profiler.Profile>
  stop(): Promise<void>
}

/** Starts one of the servers of `servers.ts` by name; `flags` are for its Node. */
export async function startServer(
  name: string,
  options: Readonly<Record<string, unknown>> = {},
  flags: readonly string[] = [],
): Promise<BenchServer> {
  const child = fork(fileURLToPath(new URL('servers.ts', import.meta.url)), [name, JSON.stringify(options)], {
    execArgv: ['--expose-gc', '--disable-warning=ExperimentalWarning', ...flags],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit').then(([code]) =>
    Promise.reject(new Error(`a server of the bench exited with ${code}`)),
  )
  exited.catch(() => undefined)
  const reply = async (): Promise<Record<string, unknown>> => {
    const [message] = (await Promise.race([once(child, 'message'), exited])) as [Record<string, unknown>]
    return message
  }
  const { port, ...facts } = await reply()
  // A database takes the core that is free.
  if (!('database' in options)) [child.pid, process.pid].forEach((pid, core) => pin(pid, core))
  const ask = async (question: string): Promise<number> => {
    child.send(question)
    return Number((await reply())['value'])
  }
  return {
    url: `http://127.0.0.1:${String(port)}`,
    facts,
    cpu: () => ask('cpu'),
    memory: () => ask('memory'),
    live: () => ask('live'),
    written: () => ask('written'),
    children: () => ask('children'),
    async peak(work) {
      await ask('rest')
      await work()
      return ask('peak')
    },
    async longestTurn(work) {
      await ask('watch')
      await work()
      return ask('held')
    },
    async profile(work) {
      await ask('profile')
      await work()
      child.send('profiled')
      return (await reply())['profile'] as Profiler.Profile
    },
    async stop() {
      child.send('stop')
      await once(child, 'exit')
    },
  }
}

export const json = { 'content-type': 'application/json' }

/** Posts of JSON, of which `body` makes each by its number. */
export const posted = (
  path: string,
  body: (at: number) => object,
  amount: number,
  connections: number,
): Load => ({
  path,
  method: 'POST',
  headers: json,
  body: (at) => JSON.stringify(body(at)),
  amount,
  connections,
})

/** Posts JSON and returns the JSON of the answer; throws if it is not 2xx. */
export async function post(server: BenchServer, path: string, body: object): Promise<unknown> {
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return response.json()
}

/** Makes a draft of these pages. */
export async function fill(server: BenchServer, pages: readonly Page[]): Promise<void> {
  for (let at = 0; at < pages.length; at += 1_000)
    await post(server, '/draft/bootstrap', { pages: pages.slice(at, at + 1_000), overwrite: true })
}

/** Pins a process to a core, where the system supports it. */
function pin(pid: number | undefined, core: number): void {
  spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', String(core), String(pid)], { stdio: 'ignore' })
}

/** The headers and body of a response, for a baseline server that sends the same. */
export async function linesOf(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly headers: readonly string[]; readonly body: string }> {
  const answer = await fetch(url, { headers })
  const lines = [...answer.headers].filter(
    ([name]) => !['date', 'connection', 'keep-alive', 'x-powered-by'].includes(name),
  )
  return { headers: lines.flat(), body: await answer.text() }
}

/** Sends requests, and returns the CPU microseconds per request and the requests per second. */
export async function measure(
  server: BenchServer,
  load: Load,
): Promise<{ readonly cpu: number; readonly perSecond: number }> {
  const before = await server.cpu()
  const perSecond = await send(server.url, load)
  return { cpu: ((await server.cpu()) - before) / load.amount, perSecond }
}

export interface Goal {
  readonly atLeast?: number
  readonly atMost?: number
}

/**
 * Prints a metric as `metric min/median/max n`, with its goal, if any; returns whether the median meets it.
 */
export function report(metric: string, values: readonly number[], goal: Goal, unit = ''): boolean {
  const sorted = values.toSorted((a, b) => a - b)
  const median = sorted[values.length >> 1] ?? Number.NaN
  const passed = median >= (goal.atLeast ?? -Infinity) && median <= (goal.atMost ?? Infinity)
  const limit = goal.atLeast === undefined ? `<= ${goal.atMost}` : `>= ${goal.atLeast}`
  const verdict = Object.keys(goal).length === 0 ? '' : `  (limit ${limit}: ${passed ? 'met' : 'MISSED'})`
  console.log(
    `${metric} ${[sorted[0], median, sorted.at(-1)].map((value) => toText(value ?? Number.NaN)).join('/')}${unit} n=${values.length}${verdict}`,
  )
  return passed
}

/** The median, with the range. */
export function ranged(values: readonly number[], text: (value: number) => string = toText): string {
  const sorted = values.toSorted((a, b) => a - b)
  const [low, middle, high] = [sorted[0], sorted[sorted.length >> 1], sorted.at(-1)].map((value) =>
    text(value ?? Number.NaN),
  )
  return `${middle} (${low} to ${high})`
}

const toText = (value: number): string => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3))

/** Runs two variants in turn and returns the ratio of each pair; the first pair is a warm-up. */
export async function inTurn(
  rounds: number,
  first: () => Promise<number>,
  second: () => Promise<number>,
): Promise<readonly number[]> {
  const ratios: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const [a, b] = round % 2 === 0 ? [await first(), await second()] : await swapped(first, second)
    if (round > 0) ratios.push(a / b)
  }
  return ratios
}

async function swapped(
  first: () => Promise<number>,
  second: () => Promise<number>,
): Promise<readonly [number, number]> {
  const b = await second()
  return [await first(), b]
}
