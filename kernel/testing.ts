import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Clock } from './clock.ts'
import { Refusal } from './errors.ts'
import { gates, publicGate } from './gate.ts'
import type { Injected, Injection } from './http/inject.ts'
import type { KernelOptions } from './kernel.ts'
import { createLogger, type Logger } from './log.ts'
import { mount, type Mount } from './mount.ts'
import { give, type Seed } from './service.ts'

/** The required part of a test runner; tap's `Test` has it. */
export interface Test {
  readonly name: string
  test(name: string, body: (t: this) => Promise<void>): unknown
  teardown(run: () => unknown): void
}

/** All built-in gates, open, for tests of other things. */
export const openGates: readonly Seed[] = [gates.access, gates.publish, gates.agent].map((ref) =>
  give(ref, publicGate),
)

/** A clock that only moves by `advance`. */
export function stillClock(
  start = '2026-01-01T12:00:00.000Z',
): Clock & { advance(milliseconds: number): void } {
  let now = Date.parse(start)
  return { now: () => new Date(now), advance: (milliseconds) => void (now += milliseconds) }
}

/** A logger that collects its lines. */
export function capturedLog(level = 'trace'): { readonly log: Logger; readonly lines: readonly string[] } {
  const lines: string[] = []
  return { log: createLogger({ level, destination: { write: (line) => void lines.push(line) } }), lines }
}

export type TestSetting = Pick<KernelOptions, 'plugins'> & Partial<KernelOptions>

/** Mounts a silent kernel that rethrows unexpected errors, closed at the end of the test. */
export function mountForTest(t: Pick<Test, 'teardown'>, setting: TestSetting): Mount {
  const mounted = mount({
    shape: 'standalone',
    env: {},
    log: createLogger({ level: 'silent' }),
    faults: 'throw',
    ...setting,
  })
  t.teardown(() => mounted.close())
  return mounted
}

export type Ask = (injection: Injection) => Promise<Injected>

const ways = ['inject', 'node', 'web'] as const

/** Runs the same assertions over every transport, each time with a new kernel. */
export async function everyWayIn<T extends Test>(
  t: T,
  setting: () => TestSetting,
  body: (t: T, ask: Ask) => Promise<void>,
): Promise<void> {
  for (const way of ways)
    await t.test(way, async (t) => body(t, await askThrough(t, way, mountForTest(t, setting()))))
}

/**
 * Runs assertions over one transport, which depends on the name of the test: for routes that another test of the file
 * runs over every transport.
 */
export async function oneWayIn<T extends Test>(
  t: T,
  setting: () => TestSetting,
  body: (t: T, ask: Ask) => Promise<void>,
): Promise<void> {
  const way = ways[t.name.length % ways.length] ?? 'inject'
  await body(t, await askThrough(t, way, mountForTest(t, setting())))
}

async function askThrough(t: Test, way: (typeof ways)[number], mounted: Mount): Promise<Ask> {
  if (way === 'inject') return (injection) => mounted.inject(injection)
  if (way === 'web') {
    return async (injection) =>
      readResponse(
        await mounted.fetch(new Request(new URL(injection.url, 'http://localhost'), toInit(injection))),
      )
  }
  const server = createServer((request, response) => void mounted.node(request, response)).listen(
    0,
    '127.0.0.1',
  )
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return async (injection) =>
    readResponse(
      await fetch(new URL(injection.url, `http://127.0.0.1:${port}`), {
        redirect: 'manual',
        ...toInit(injection),
      }),
    )
}

function toInit({ method = 'GET', headers, json, body, signal }: Injection): RequestInit {
  return {
    method,
    headers: { ...(json !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(json !== undefined && { body: JSON.stringify(json) }),
    ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    ...(signal && { signal }),
  }
}

async function readResponse(response: Response): Promise<Injected> {
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) as unknown }
}

/** The part of a test runner that contract suites of drivers require; tap's `Test` has it. */
export interface ContractTest {
  test(name: string, body: (t: this) => Promise<void>): unknown
  equal(found: unknown, wanted: unknown, ...message: [] | [string]): unknown
  /** Compares by value. */
  same(found: unknown, wanted: unknown, ...message: [] | [string]): unknown
}

/**
 * Waits for a promise and describes its failure in one line: a refusal by its code, a TypeError by its type,
 * other errors by message.
 */
export async function failureOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
    return 'did not fail'
  } catch (error) {
    if (error instanceof Refusal) return [error.status, error.code, ...Object.values(error.extra)].join(' ')
    if (error instanceof TypeError) return 'TypeError'
    return error instanceof Error ? error.message : String(error)
  }
}
