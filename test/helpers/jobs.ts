import { appendFileSync } from 'node:fs'
import {
  createLogger,
  give,
  mount,
  clock as clockRef,
  randomIds,
  systemClock,
  use,
  type Clock,
} from '../../kernel/index.ts'
import bus from '../../plugins/bus/index.ts'
import jobsPlugin from '../../plugins/jobs/index.ts'
import { jobColumns, jobs as jobsRef, unclaimed, type Jobs } from '../../plugins/jobs/port.ts'
import { defineCollection, store as storeRef, trusted, type Store } from '../../plugins/store/port.ts'

interface TestJob {
  readonly tries: number
}

/** Jobs of tests. */
export const Rows = defineCollection('test_jobs', trusted<TestJob>(), {
  columns: { ...jobColumns, lane: 'text', kind: 'integer' },
  indexes: ['due', 'lane'],
})
export const scope = 's'
export const silentLog = createLogger({ level: 'silent' })

/** A process with the plugin `jobs`, as far as a test can tell. */
export async function startJobs(
  t: { teardown(end: () => Promise<void>): void },
  store: Store,
  clock: Clock = systemClock,
): Promise<{ readonly jobs: Jobs; close(): Promise<void> }> {
  const seeds = [give(storeRef, store), give(clockRef, clock)]
  const mounted = mount({
    shape: 'standalone',
    log: silentLog,
    env: {},
    plugins: [use(bus), use(jobsPlugin)],
    seeds,
  })
  t.teardown(() => mounted.close())
  return { jobs: await mounted.get(jobsRef), close: () => mounted.close() }
}

interface Added {
  readonly due?: number
  readonly lane?: string
  readonly kind?: number
}

/** Adds jobs, in one transaction. */
export const addJobs = (store: Store, added: Readonly<Record<string, Added>>): Promise<void> =>
  store.transaction(async (tx) => {
    for (const [key, { due = 0, lane = key, kind = 0 }] of Object.entries(added))
      await tx.of(Rows).put(scope, key, { body: { tries: 0 }, columns: { ...unclaimed, due, lane, kind } })
  })

/** Where the process of `jobs-process.ts` stops itself. */
export const steps = ['claimed', 'prolonged', 'worked', 'noting', 'noted'] as const
export const leaseMs = 300

export interface Noted {
  readonly what: 'begin' | 'effect'
  readonly key: string
  readonly at: number
  readonly interrupted: number
}

/** Starts a queue that notes in a file when a job begins and has its effect; `stop` is called at each step. */
export function startNoting(
  { jobs }: { readonly jobs: Jobs },
  store: Store,
  file: string,
  stop: (step: (typeof steps)[number]) => Promise<void> = async () => undefined,
) {
  const note = (noted: Omit<Noted, 'at'>): void =>
    appendFileSync(file, `${JSON.stringify({ ...noted, at: systemClock.now().getTime() })}\n`)
  const about = { name: 'noting', rows: Rows, scope, lane: 'lane', parallel: 3, leaseMs, pollMs: 50 } as const
  const queue = jobs.queue({
    ...about,
    log: silentLog,
    async work(job) {
      const { key, interrupted } = job
      await stop('claimed')
      note({ what: 'begin', key, interrupted })
      await stop('prolonged')
      note({ what: 'effect', key, interrupted })
      await stop('worked')
      await store.transaction(async (tx) => {
        await queue.settle(tx, job, 'done')
        await stop('noting')
      })
      await stop('noted')
    },
  })
  queue.wake()
  return queue
}

export const ids = randomIds
