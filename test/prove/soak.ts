import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { planning, startModelServer } from '../helpers/model-server.ts'
import { startPostgres } from '../helpers/postgres.ts'
import { freePort } from '../helpers/raw.ts'
import { prove } from './processes.ts'
import { startService, type Service } from './service.ts'
import { drafts, fillDrafts, listen, titleOf, workers } from './soak-work.ts'

/**
 * Memory may grow by this factor after three minutes; the event loop of one process may be late by so many
 * milliseconds.
 */
const most = { growth: 1.1, delayMs: 50 }
/** Shorter runs show that everything is answered, but neither a leak nor a percentile. */
const enoughSeconds = 420

const plan = {
  intent: 'edit_plan',
  summary_for_user: 'I will make the heading friendlier.',
  change_log: ['Set the heading'],
  ops: [titleOf('planned')],
}

/**
 * Works as on a busy day in fifty drafts of twenty pages: edits, reads, checks, messages planned by a local
 * model, event streams, publishes and uploads. Fails if a request is refused or an error is logged, and in a
 * long run if the memory of a process grows or, with one process, the event loop is held.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    /** Three processes on one PostgreSQL, in place of one with SQLite. */
    replicas: { type: 'boolean', default: false },
  },
})
const seconds = Number(values.seconds)
const warmUpSeconds = Math.min(180, seconds / 3)

await prove('soak', async (folder) => {
  const ends: (() => unknown)[] = []
  const later = { teardown: (end: () => unknown) => void ends.push(end) }
  try {
    const model = await startModelServer(later)
    const env = {
      ANTHROPIC_API_KEY: 'for-the-proof',
      ANTHROPIC_BASE_URL: model.origin,
      MEDIA_UPLOADS_PER_MIN: '0',
      // Limits of V8 can be compared.
      NODE_OPTIONS: process.env['NODE_OPTIONS'] ?? '',
    }
    const services = values.replicas ? await startThree(folder, env, later) : [startOne(folder, env)]
    ends.push(() => Promise.all(services.map((each) => (each.kill('SIGTERM'), each.gone))))
    const origins: string[] = []
    for (const { ready } of services) origins.push(`http://127.0.0.1:${(await ready).port}`)
    const any = (): string => origins[Math.floor(Math.random() * origins.length)] ?? ''
    await fillDrafts(any())
    model.script(planning(plan))
    const counts = new Map<string, number>()
    const stop = AbortSignal.timeout(seconds * 1000)
    const warm = performance.now() + warmUpSeconds * 1000
    const working = Object.entries(workers).flatMap(([name, { count, everyMs, warmsUp, work }]) =>
      Array.from({ length: count }, async (_, at) => {
        for (let round = 0; !stop.aborted; round++) {
          const now = performance.now()
          const due = warmsUp && now < warm ? now : now + everyMs
          await work(any(), at, round, stop)
          counts.set(name, (counts.get(name) ?? 0) + 1)
          await pause(Math.max(0, due - performance.now()))
        }
      }),
    )
    const watched = Promise.all(services.map(({ pid }, at) => watch(origins[at] ?? '', pid)))
    const streams = Array.from({ length: drafts }, (_, number) => listen(any(), number, stop))
    const [seen] = await Promise.all([watched, ...working, ...streams])
    const faults = services.flatMap((each) => each.faults())
    if (faults.length > 0) throw new Error(`errors were logged: ${faults.slice(0, 5).join('\n')}`)
    const figures =
      `${[...counts].map(([name, count]) => `${count} ${name}`).join(', ')} with ${drafts} open streams, none refused; ` +
      `resident memory ${listOf(seen, ({ memory }) => memory.toFixed(0))} MiB at the end, ` +
      `${listOf(seen, ({ growth }) => growth.toFixed(2))} times that after ${warmUpSeconds} s; ` +
      `the event loop was late by ${listOf(seen, ({ delayMs }) => delayMs.toFixed(0))} ms (p99)`
    const isHeld = services.length === 1 && seen.some(({ delayMs }) => delayMs > most.delayMs)
    if (seconds >= enoughSeconds && (isHeld || seen.some(({ growth }) => growth > most.growth)))
      throw new Error(`${figures}; at most ${most.growth} times and ${most.delayMs} ms`)
    return figures
  } finally {
    for (const end of ends.toReversed()) await end()
  }
})

type Environment = Readonly<Record<string, string>>

function startOne(folder: string, env: Environment): Service {
  return startService(folder, { args: ['--demo'], env: { ...env, DEMO_SITE_PORT: '0' } })
}

/** Starts three processes on one database, the first with the demo site. */
async function startThree(
  folder: string,
  common: Environment,
  later: Parameters<typeof startPostgres>[0],
): Promise<readonly Service[]> {
  const database = await startPostgres(later)
  const port = await freePort()
  const site = `http://127.0.0.1:${port}`
  const env = {
    ...common,
    DATABASE_URL: await database.database(),
    DRAFT_MODE_SECRET: 'for-the-proof-of-soak',
  }
  const first = startService(join(folder, 'a'), {
    args: ['--demo'],
    env: { ...env, DEMO_SITE_PORT: String(port) },
  })
  await first.ready
  const known = { SITE_PUBLIC_ORIGIN: site, ORCHESTRATOR_CORS_ORIGINS: site, FETCH_ALLOWED_ORIGINS: site }
  const others = ['b', 'c'].map((name) =>
    startService(join(folder, name), { env: { ...env, ...known, AUTO_BOOTSTRAP_SITE_ORIGIN: site } }),
  )
  return [first, ...others]
}

function listOf<T>(of: readonly T[], text: (each: T) => string): string {
  return of.map(text).join(', ')
}

/**
 * Measures memory and event loop from the end of the first three minutes, or of the first third of a short
 * run.
 */
async function watch(origin: string, pid: number | undefined) {
  const resident = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
  /** The delay since the last call. */
  const delay = async () => {
    const text = await (await fetch(`${origin}/metrics`)).text()
    return 1000 * Number(/^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(text)?.[1])
  }
  await pause(warmUpSeconds * 1000)
  await delay()
  const sizes: number[] = []
  for (let second = warmUpSeconds; second < seconds - 2; second++) {
    sizes.push(resident())
    await pause(1000)
  }
  const tenth = Math.ceil(sizes.length / 10)
  const middle = (some: readonly number[]) => some.toSorted((a, b) => a - b)[some.length >> 1] ?? Number.NaN
  const memory = middle(sizes.slice(-tenth))
  return { memory, growth: memory / middle(sizes.slice(0, tenth)), delayMs: await delay() }
}
