import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { png } from '../helpers/media-files.ts'
import { planning, startModelServer } from '../helpers/model-server.ts'
import { prove } from './processes.ts'
import { startService } from './service.ts'

/** Memory may grow by this factor after the first minute; the event loop may be late by so many milliseconds. */
const most = { growth: 1.15, delayMs: 50 }
/** Shorter runs show that everything is answered, but neither a leak nor a percentile. */
const enoughSeconds = 300
/** As in `config/deploy`. */
const flags = ['--max-semi-space-size=4']
const openStreams = 50

interface Worker {
  readonly count: number
  readonly everyMs: number
  /** Works without a pause in the first minute: V8 has collected all garbage before memory is compared. */
  readonly warmsUp?: boolean
  work(origin: string, title: string, stop: AbortSignal): Promise<unknown>
}

const workers: Readonly<Record<string, Worker>> = {
  edits: {
    count: 8,
    everyMs: 50,
    warmsUp: true,
    work: (origin, title) => send(origin, '/ops', { ops: [titleOf(title)] }),
  },
  messages: {
    count: 2,
    everyMs: 500,
    work: (origin, title) =>
      send(origin, '/chat', {
        session: 'words',
        slug: '/',
        message: `Make the heading friendlier, ${title}`,
      }),
  },
  publishes: { count: 1, everyMs: 5_000, work: (origin) => send(origin, '/publish', {}) },
  uploads: {
    count: 1,
    everyMs: 1_000,
    async work(origin) {
      const form = new FormData()
      form.set('image', new File([new Uint8Array(png(300, 200))], 'harbor.png', { type: 'image/png' }))
      await accepted(await fetch(`${origin}/image/upload`, { method: 'POST', body: form }))
    },
  },
  reconnects: {
    count: 2,
    everyMs: 200,
    work: (origin, _, stop) => listen(origin, AbortSignal.any([stop, AbortSignal.timeout(100)])),
  },
}

const titleOf = (heading: string) => ({
  op: 'update_props',
  pageSlug: '/',
  blockId: 'b_hero_home',
  patch: { heading },
})

const planOf = (op: object) => ({
  intent: 'edit_plan',
  summary_for_user: 'I will make the heading friendlier.',
  change_log: ['Set the heading'],
  ops: [op],
})

/**
 * Works as on a busy day: edits, messages planned by a local model, event streams, publishes and uploads. Fails if
 * a request is refused or an error is logged, and in a long run if the memory grows or the event loop is held.
 */
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '600' } } })
const seconds = Number(values.seconds)
const warmUpSeconds = Math.min(60, seconds / 3)

await prove('soak', async (folder) => {
  const ends: (() => unknown)[] = []
  const model = await startModelServer({ teardown: (end) => void ends.push(end) })
  const service = startService(folder, {
    flags,
    args: ['--demo'],
    env: {
      DEMO_SITE_PORT: '0',
      ANTHROPIC_API_KEY: 'for-the-proof',
      ANTHROPIC_BASE_URL: model.origin,
      MEDIA_UPLOADS_PER_MIN: '0',
    },
  })
  ends.push(async () => (service.kill('SIGTERM'), service.gone))
  try {
    const origin = `http://127.0.0.1:${(await service.ready).port}`
    model.script(planning(planOf(titleOf('planned'))))
    const counts = new Map<string, number>()
    const stop = AbortSignal.timeout(seconds * 1000)
    const warm = performance.now() + warmUpSeconds * 1000
    const working = Object.entries(workers).flatMap(([name, { count, everyMs, warmsUp, work }]) =>
      Array.from({ length: count }, async (_, at) => {
        for (let round = 0; !stop.aborted; round++) {
          const now = performance.now()
          const due = warmsUp && now < warm ? now : now + everyMs
          await work(origin, `${at} ${round}`, stop)
          counts.set(name, (counts.get(name) ?? 0) + 1)
          await pause(Math.max(0, due - performance.now()))
        }
      }),
    )
    const watched = watch(origin, service.pid)
    await Promise.all([...working, ...Array.from({ length: openStreams }, () => listen(origin, stop))])
    const { growth, memory, delayMs } = await watched
    const faults = service.faults()
    if (faults.length > 0) throw new Error(`errors were logged: ${faults.slice(0, 5).join('\n')}`)
    const figures =
      `${[...counts].map(([name, count]) => `${count} ${name}`).join(', ')} with ${openStreams} open streams, none refused; ` +
      `memory ${memory.toFixed(0)} MiB at the end, ${growth.toFixed(2)} times that after the first minute; ` +
      `the event loop was late by ${delayMs.toFixed(0)} ms (p99)`
    if (seconds >= enoughSeconds && (growth > most.growth || delayMs > most.delayMs))
      throw new Error(`${figures}; at most ${most.growth} times and ${most.delayMs} ms`)
    return figures
  } finally {
    for (const end of ends.toReversed()) await end()
  }
})

async function send(origin: string, path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const text = JSON.stringify({ siteId: 'demo', ...body })
  await accepted(await fetch(origin + path, { method: 'POST', headers, body: text }))
}

async function accepted(answer: Response): Promise<void> {
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${text}`)
}

/** Reads the event stream of the draft until it is stopped. */
async function listen(origin: string, stop: AbortSignal): Promise<void> {
  try {
    const { body } = await fetch(`${origin}/events?siteId=demo`, { signal: stop })
    for await (const _ of body ?? []);
  } catch (error) {
    if (!stop.aborted) throw error
  }
}

/** Measures memory and event loop from the end of the first minute, or of the first third of a short run. */
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
