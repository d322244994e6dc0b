/** What jobs do, whatever the store is made of. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { stillClock } from '../../kernel/testing.ts'
import { type Job, type Queue, type QueueOptions } from '../../plugins/jobs/port.ts'
import type { Store } from '../../plugins/store/port.ts'
import { addJobs, ids, type Noted, Rows, scope, silentLog, startJobs, startNoting, steps } from './jobs.ts'
import { until } from './until.ts'

/** Stores of one place, as several processes open them. */
export type OpenStores = (t: Test, count: number) => Promise<readonly Store[]>

type Body = { readonly tries: number }
type ContractOptions = Partial<QueueOptions<Body>>

/** Starts a queue whose work ends when the test says so. */
async function startQueue(
  t: Test,
  store: Store,
  options: ContractOptions & { readonly clock?: ReturnType<typeof stillClock> } = {},
) {
  const { clock, ...given } = options
  const { jobs, close } = await startJobs(t, store, clock)
  const begun: Job<Body>[] = []
  const signals = new Map<string, AbortSignal>()
  const open = new Map<string, (outcome: Parameters<Queue<Body>['settle']>[2] | Error) => void>()
  const queue: Queue<Body> = jobs.queue({
    name: 'test',
    rows: Rows,
    scope,
    parallel: 10,
    leaseMs: 60_000,
    pollMs: 10,
    log: silentLog,
    async work(job, signal) {
      begun.push(job)
      signals.set(job.key, signal)
      const { promise, resolve } = Promise.withResolvers<Parameters<typeof queue.settle>[2] | Error>()
      open.set(job.key, resolve)
      const outcome = await promise
      if (outcome instanceof Error) throw outcome
      settled.push(await store.transaction((tx) => queue.settle(tx, job, outcome)))
    },
    ...given,
  })
  const settled: boolean[] = []
  t.teardown(async () => {
    for (const end of open.values()) end('done')
    await queue.close()
  })
  return {
    jobs,
    queue,
    close,
    begun,
    settled,
    signals,
    keys: () => begun.map(({ key }) => key),
    /** Ends the work on a job. */
    end: (key: string, outcome: Parameters<typeof queue.settle>[2] | Error = 'done') =>
      open.get(key)?.(outcome),
    has: (count: number) => until(() => begun.length >= count, `${count} jobs`),
  }
}

const rowOf = async (store: Store, key: string) => (await store.of(Rows).get(scope, key))?.columns
/** Time in which a wrong queue would begin a job. */
const moment = () => pause(100)

export async function jobsContract(t: Test, stores: OpenStores): Promise<void> {
  const one = async (t: Test) => {
    const [store] = await stores(t, 1)
    if (!store) throw new Error('no store')
    return store
  }
  const two = async (t: Test) => {
    const [here, there] = await stores(t, 2)
    if (!here || !there) throw new Error('no stores')
    return [here, there] as const
  }

  await t.test('a job is claimed at its time, not before', async (t) => {
    const [store, clock] = [await one(t), stillClock()]
    const { queue, keys, has } = await startQueue(t, store, { clock })
    const now = clock.now().getTime()
    await addJobs(store, { now: { due: now }, later: { due: now + 1_000 } })
    queue.wake()
    await has(1)
    await moment()
    t.strictSame(keys(), ['now'])
    clock.advance(1_000)
    await has(2)
    t.strictSame(keys(), ['now', 'later'])
  })

  await t.test(
    'of a lane one runs at a time, the earliest first, and lanes do not wait for others',
    async (t) => {
      const store = await one(t)
      const { queue, keys, has, end } = await startQueue(t, store, { lane: 'lane' })
      await addJobs(store, {
        third: { due: 3, lane: 'a' },
        first: { due: 1, lane: 'a' },
        other: { due: 4, lane: 'b' },
        second: { due: 2, lane: 'a' },
      })
      queue.wake()
      await has(2)
      await addJobs(store, { earliest: { due: 0, lane: 'a' } })
      queue.wake()
      await moment()
      t.strictSame(keys(), ['first', 'other'])
      for (const key of ['first', 'earliest', 'second', 'third']) {
        const before = keys().length
        end(key)
        if (key !== 'third') await has(before + 1)
      }
      t.strictSame(keys(), ['first', 'other', 'earliest', 'second', 'third'])
    },
  )

  await t.test('a failed job of a lane waits for a person, and the next one runs', async (t) => {
    const store = await one(t)
    const { queue, keys, has, end } = await startQueue(t, store, { lane: 'lane' })
    await addJobs(store, { first: { due: 1, lane: 'a' }, second: { due: 2, lane: 'a' } })
    queue.wake()
    await has(1)
    end('first', { body: { tries: 1 }, columns: { failed: 1 } })
    await has(2)
    t.strictSame(keys(), ['first', 'second'])
    t.match(await store.of(Rows).get(scope, 'first'), {
      body: { tries: 1 },
      columns: { failed: 1, until: 0, claim: '' },
    })
  })

  await t.test(
    'no more run at a time than the process allows, and only rows that are asked for',
    async (t) => {
      const store = await one(t)
      const { queue, begun, has, keys, end } = await startQueue(t, store, { parallel: 2, where: { kind: 1 } })
      const kinds = (kind: number) => (name: string, at: number) =>
        [`${name}${at}`, { due: at, kind }] as const
      const names = Array.from({ length: 5 }, () => 'x')
      await addJobs(
        store,
        Object.fromEntries([...names.map(kinds(1)), ...names.map((_, at) => kinds(0)('y', at))]),
      )
      queue.wake()
      await has(2)
      await moment()
      t.strictSame(keys(), ['x0', 'x1'])
      for (let at = 0; at < 5; at++) {
        end(`x${at}`)
        await has(Math.min(at + 3, 5))
      }
      await until(async () => (await store.of(Rows).count(scope)) === 5, 'the end of all')
      t.equal(begun.length, 5)
    },
  )

  await t.test('a job that is to be repeated waits for its new time, with what was noted', async (t) => {
    const [store, clock] = [await one(t), stillClock()]
    const { queue, begun, has, end } = await startQueue(t, store, { clock })
    await addJobs(store, { a: {} })
    queue.wake()
    await has(1)
    end('a', { body: { tries: 1 }, columns: { due: clock.now().getTime() + 500 } })
    await until(async () => (await rowOf(store, 'a'))?.until === 0, 'the end of the claim')
    await moment()
    t.equal(begun.length, 1)
    clock.advance(500)
    await has(2)
    t.match(begun[1], { body: { tries: 1 }, interrupted: 0 })
  })

  await t.test(
    'work that throws has no known outcome: its job says so, and is looked at again',
    async (t) => {
      const store = await one(t)
      const { queue, begun, has, end } = await startQueue(t, store)
      await addJobs(store, { a: {} })
      queue.wake()
      await has(1)
      end('a', new Error('canary'))
      await has(2)
      t.match(begun[1], { key: 'a', interrupted: 1 })
    },
  )

  await t.test('a claim of a live process is prolonged, and no other process begins its job', async (t) => {
    const [here, there] = await two(t)
    const given = { clock: stillClock(), leaseMs: 3_000 }
    const [first, second] = [await startQueue(t, here, given), await startQueue(t, there, given)]
    const isFresh = async () =>
      (await rowOf(there, 'a'))?.until === given.clock.now().getTime() + given.leaseMs
    await addJobs(here, { a: {} })
    first.queue.wake()
    await first.has(1)
    second.queue.wake()
    given.clock.advance(2_000)
    await until(isFresh, 'the claim to be prolonged')
    given.clock.advance(2_000)
    await moment()
    t.strictSame(second.keys(), [])
    first.end('a')
    await until(async () => (await rowOf(there, 'a')) === undefined, 'the end')
    t.strictSame([first.settled, second.keys()], [[true], []])
  })

  await t.test(
    'what a dead process has claimed is taken over at the end of its lease, first of its lane',
    async (t) => {
      const [here, there] = await two(t)
      const clock = stillClock()
      const dead = await startQueue(t, here, { clock, leaseMs: 1_000 })
      const live = await startQueue(t, there, { clock, lane: 'lane' })
      await addJobs(here, { a: { due: 5, lane: 'x' } })
      t.match(await here.transaction((tx) => dead.queue.claim(tx, 'a')), { key: 'a', interrupted: 0 })
      t.equal(await here.transaction((tx) => dead.queue.claim(tx, 'a')), undefined, 'it is claimed once')
      t.equal(await here.transaction((tx) => dead.queue.claim(tx, 'none')), undefined)
      await addJobs(here, { b: { due: 1, lane: 'x' } })
      live.queue.wake()
      await moment()
      t.strictSame(live.keys(), [])
      clock.advance(1_000)
      await live.has(1)
      t.match(live.begun, [{ key: 'a', interrupted: 1 }])
      live.end('a')
      await live.has(2)
      t.match(live.begun[1], { key: 'b', interrupted: 0 })
    },
  )

  await t.test('a claim that was lost changes nothing, and its work is aborted', async (t) => {
    const [here, there] = await two(t)
    const [slow, now] = [stillClock(), stillClock()]
    const lost = await startQueue(t, here, { clock: slow, leaseMs: 150 })
    const taker = await startQueue(t, there, { clock: now })
    await addJobs(here, { a: {} })
    lost.queue.wake()
    await lost.has(1)
    now.advance(1_000)
    taker.queue.wake()
    await taker.has(1)
    t.match(taker.begun, [{ key: 'a', interrupted: 1 }])
    await until(() => lost.signals.get('a')?.aborted === true, 'the signal')
    const before = await rowOf(there, 'a')
    for (const outcome of ['done', 'unknown', { columns: { due: 9 } }] as const) {
      const [job] = lost.begun
      if (!job) throw new Error('no job')
      t.equal(await here.transaction((tx) => lost.queue.settle(tx, job, outcome)), false)
      t.equal(await here.transaction((tx) => lost.queue.holds(tx, job)), false)
    }
    t.strictSame(await rowOf(there, 'a'), before)
    lost.end('a')
    taker.end('a')
    await until(() => taker.settled.length + lost.settled.length === 2, 'both ends')
    t.strictSame([lost.settled, taker.settled], [[false], [true]])
  })

  await t.test(
    'a process that stood still does not take over its own work, but another one does',
    async (t) => {
      const [here, there] = await two(t)
      const clock = stillClock()
      const [still, other] = [await startQueue(t, here, { clock }), await startQueue(t, there, { clock })]
      await addJobs(here, { a: {} })
      still.queue.wake()
      await still.has(1)
      clock.advance(60_000)
      still.queue.wake()
      await moment()
      t.equal(still.begun.length, 1)
      other.queue.wake()
      await other.has(1)
      t.match(other.begun, [{ key: 'a', interrupted: 1 }])
    },
  )

  await t.test('a job that its owner removes while it runs is over, and is not begun again', async (t) => {
    const store = await one(t)
    const { queue, has, end, settled, begun } = await startQueue(t, store)
    await addJobs(store, { a: {} })
    queue.wake()
    await has(1)
    await store.transaction((tx) => tx.of(Rows).remove(scope, 'a'))
    end('a', { columns: { due: 0 } })
    await until(() => settled.length === 1, 'the end')
    await moment()
    t.strictSame([settled, begun.length, await store.of(Rows).count(scope)], [[false], 1, 0])
  })

  await t.test(
    'claims and changes of owners at once: each row is claimed by one, or changed first',
    async (t) => {
      const [here, there] = await two(t)
      for (let round = 0; round < 20; round++) {
        const keys = Array.from({ length: 6 }, (_, at) => `${round}-${at}`)
        await addJobs(here, Object.fromEntries(keys.map((key) => [key, { lane: 'x' }])))
        const claim = (store: Store, limit: number) => {
          const asked = { scope, limit, now: 1_000, until: 2_000, claim: ids.uuid() }
          return store.claimRows
            ? store.claimRows(Rows, asked)
            : store.transaction((tx) => tx.of(Rows).claim(asked))
        }
        const cancel = (store: Store, key: string) =>
          store.transaction(async (tx) => {
            const found = await tx.of(Rows).get(scope, key)
            return found?.columns.until === 0 ? tx.of(Rows).remove(scope, key) : false
          })
        const [canceled, ...claimed] = await Promise.all([
          Promise.all(keys.slice(0, 3).map((key, at) => cancel(at % 2 ? here : there, key))),
          claim(here, 3),
          claim(there, 3),
        ])
        const gone = keys.filter((_, at) => canceled[at])
        const taken = claimed.flatMap((rows) => rows.map(({ key }) => key))
        t.equal(new Set([...gone, ...taken]).size, gone.length + taken.length, 'none is both, and none twice')
        await here.transaction((tx) => tx.of(Rows).clear(scope))
      }
    },
  )

  await t.test('of a lane one is claimed, however many processes claim and add earlier ones', async (t) => {
    const several = await stores(t, 3)
    const [first] = several
    if (!first) return
    let [next, most] = [1_000, 0]
    const add = (store: Store) => addJobs(store, { [`k${--next}`]: { due: next, lane: 'x' } })
    const claim = async (store: Store) => {
      await pause(Math.random() * 6)
      const asked = { scope, lane: 'lane', limit: 3, now: 2_000, until: 3_000, claim: ids.uuid() }
      return store.claimRows
        ? store.claimRows(Rows, asked)
        : store.transaction((tx) => tx.of(Rows).claim(asked))
    }
    for (let round = 0; round < 40; round++) {
      await Promise.all(several.flatMap((store) => [add(store), ...[1, 2, 3].map(() => claim(store))]))
      const claimed = (await first.of(Rows).rows(scope)).filter(({ columns }) => columns.claim !== '')
      most = Math.max(most, claimed.length)
      for (const { key } of claimed) await first.transaction((tx) => tx.of(Rows).remove(scope, key))
    }
    t.equal(most, 1)
  })

  await t.test('a lock lets work of a key run one at a time, in all processes', async (t) => {
    const [here, there] = await two(t)
    const clock = stillClock()
    const locks = [await startJobs(t, here, clock), await startJobs(t, there, clock)].map(({ jobs }) =>
      jobs.lock('l'),
    )
    let [running, most] = [0, 0]
    const work = async () => {
      most = Math.max(most, ++running)
      await pause(20)
      return running--
    }
    await Promise.all([...locks, ...locks].map((lock) => lock.run('k', work)))
    t.equal(most, 1)
    await Promise.all(locks.map((lock) => lock.idle()))
    await t.rejects(
      locks[0]?.run('k', () => Promise.reject(new Error('canary'))) ?? Promise.resolve(),
      /canary/,
    )
    t.equal(await locks[1]?.run('k', async () => 'free after a failure'), 'free after a failure')
  })

  await t.test('jobs are counted by state', async (t) => {
    const store = await one(t)
    const { jobs, queue, has, end } = await startQueue(t, store, { where: { kind: 0 } })
    await addJobs(store, { a: {}, b: {}, later: { due: Number.MAX_SAFE_INTEGER }, other: { kind: 1 } })
    queue.wake()
    await has(2)
    t.strictSame(await jobs.counts(), [{ queue: 'test', waiting: 1, running: 2, failed: 0 }])
    end('a', { columns: { failed: 1 } })
    end('b')
    const counted = { queue: 'test', waiting: 1, running: 0, failed: 1 }
    await until(async () => JSON.stringify(await jobs.counts()) === JSON.stringify([counted]), 'the ends')
  })
}

/** Starts a process that works on the jobs of a place, and stops at a step. */
export function startProcess(
  place: readonly [flag: '--file' | '--url', value: string],
  out: string,
  step = '',
) {
  const script = fileURLToPath(new URL('jobs-process.ts', import.meta.url))
  const child = spawn(process.execPath, [script, ...place, '--out', out, '--step', step], {
    stdio: 'inherit',
  })
  return {
    gone: once(child, 'exit').then(([code, signal]) => String(signal ?? code)),
    kill: () => child.kill('SIGKILL'),
  }
}

/** What processes have noted so far. */
export const notedIn = (file: string): readonly Noted[] =>
  (existsSync(file) ? readFileSync(file, 'utf8') : '')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

/** Kills a process at each step of a job, and lets this process take over. */
export async function killAtEachStep(
  t: Test,
  open: (t: Test) => Promise<{ readonly store: Store; readonly place: Parameters<typeof startProcess>[0] }>,
): Promise<void> {
  const kill = async (t: Test, step: (typeof steps)[number]) => {
    const { store, place } = await open(t)
    const out = join(t.testdirName, `noted-${step}`)
    await addJobs(store, { a: { due: 1, lane: 'x' }, b: { due: 2, lane: 'x' } })
    t.equal(await startProcess(place, out, step).gone, 'SIGKILL')
    const before = notedIn(out)
    const left = await rowOf(store, 'a')
    const queue = startNoting(await startJobs(t, store), store, out)
    await until(async () => (await store.of(Rows).count(scope)) === 0, `all jobs after a kill at ${step}`)
    await queue.close()
    const [after, isNoted] = [notedIn(out).slice(before.length), step === 'noted']
    const wanted = (key: string, interrupted: number) =>
      ['begin', 'effect'].map((what) => ({ what, key, interrupted }))
    const shown = after.map(({ what, key, interrupted }) => ({ what, key, interrupted }))
    t.strictSame(shown, [...(isNoted ? [] : wanted('a', 1)), ...wanted('b', 0)], `after a kill at ${step}`)
    const effects = before.filter(({ what }) => what === 'effect').length
    t.equal(effects, ['claimed', 'prolonged'].includes(step) ? 0 : 1)
    t.equal(left === undefined, isNoted, 'what ended with its process is claimed, until its lease ends')
    t.ok((after[0]?.at ?? 0) >= (left?.until ?? 0), 'and is not begun before that')
  }
  for (const step of steps) await t.test(step, (t) => kill(t, step))
}
