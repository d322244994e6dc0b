import t, { type Test } from 'tap'
import { capturedLog, stillClock } from '../../../kernel/testing.ts'
import {
  createQueue,
  type QueueContext,
  type Result,
  createTickets,
  scope,
  tickets as rows,
  type TicketRequest,
  type Running,
} from '../../../plugins/agents/jira/testing.ts'
import { createMemoryStore } from '../../../plugins/store/testing.ts'
import type { Store } from '../../../plugins/store/port.ts'
import { silentLog, startJobs } from '../../helpers/jobs.ts'
import { until } from '../../helpers/until.ts'

const result = (issueKey: string): Result => {
  return { issueKey, status: 'success', summary: '', changes: [], durationMs: 0 }
}
const asked: TicketRequest = { mode: 'review', trigger: 'created', at: '2026-01-01T12:00:00.000Z' }
const leaseMs = 30_000

/** The queue of one process. */
async function queueOn(
  t: Test,
  store: Store,
  {
    clock = stillClock(),
    ...more
  }: { readonly clock?: ReturnType<typeof stillClock> } & Partial<QueueContext> = {},
) {
  const tickets = createTickets({ store, clock })
  const interrupted: (readonly [string, Running])[] = []
  const worked: string[] = []
  const { jobs } = await startJobs(t, store, clock)
  const queue = createQueue({
    store,
    jobs,
    tickets,
    clock,
    log: silentLog,
    parallel: 2,
    work: async ({ key }) => {
      worked.push(key)
      return result(key)
    },
    interrupted: async (key, running) => void interrupted.push([key, running]),
    finished: () => undefined,
    ...more,
  })
  return { queue, jobs, tickets, interrupted, worked }
}

const startedAt = asked.at
const dead: Running = { run: 'dead', mode: 'execute', queuedAt: asked.at, startedAt }

t.test(
  'a live run is left alone by a reload in its process, also on a store that is not shared',
  async (t) => {
    const [memory, clock] = [createMemoryStore(), stillClock()]
    const { promise: open, resolve } = Promise.withResolvers<void>()
    const work = async ({ key }: { readonly key: string }) => (await open, result(key))
    const first = await queueOn(t, memory, { clock, work })
    const reloaded = await queueOn(t, memory, { clock })
    const run = first.queue.run('WEB-1', asked)
    await until(async () => (await first.tickets.get('WEB-1')).running !== undefined, 'the run')
    reloaded.queue.start()
    await reloaded.queue.add('WEB-1', asked)
    await reloaded.queue.add('WEB-2', asked)
    await until(() => reloaded.worked.length === 1, 'another ticket')
    await t.rejects(reloaded.queue.run('WEB-1', asked), { code: 'already_running' })
    t.strictSame([reloaded.interrupted, reloaded.worked], [[], ['WEB-2']])
    resolve()
    t.equal((await run).status, 'success')
    reloaded.queue.start()
    await until(async () => (await first.tickets.busy()).length === 0, 'the request that came meanwhile')
    t.strictSame(reloaded.interrupted, [])
  },
)

t.test('a run of another process is left alone until its lease ends, and then reported', async (t) => {
  const [memory, clock] = [createMemoryStore(), stillClock()]
  const { tickets, queue, jobs, interrupted, worked } = await queueOn(t, memory, { clock })
  const other = jobs.queue({
    name: 'other',
    rows,
    scope,
    parallel: 1,
    pollMs: 1,
    work: async () => undefined,
    log: silentLog,
  })
  await tickets.change('WEB-1', () => ({ running: dead, pending: [asked] }))
  await memory.transaction((tx) => other.claim(tx, 'WEB-1'))
  await queue.add('WEB-2', asked)
  await until(() => worked.length === 1, 'a free ticket')
  t.strictSame([worked, interrupted], [['WEB-2'], []])
  clock.advance(leaseMs)
  queue.start()
  await until(() => worked.length === 2, 'the ticket of the dead process')
  t.strictSame([worked[1], interrupted], ['WEB-1', [['WEB-1', dead]]])
  await until(async () => (await tickets.busy()).length === 0, 'the end')
})

t.test('a store failure is logged and loses nothing', async (t) => {
  const memory = createMemoryStore()
  const { log, lines } = capturedLog()
  const { queue, tickets, worked, interrupted } = await queueOn(t, memory, { log })
  await tickets.change('WEB-1', () => ({ pending: [asked] }))
  const { changeIn } = tickets
  let isFull = true
  const failing: typeof changeIn = (...parts) =>
    isFull ? Promise.reject(new Error('disk full')) : changeIn(...parts)
  const full = await queueOn(t, memory, { log, tickets: { ...tickets, changeIn: failing } })
  full.queue.start()
  await until(() => lines.some((line) => line.includes('has no known outcome')), 'a line')
  isFull = false
  t.strictSame([worked, (await tickets.get('WEB-1')).pending], [[], [asked]])
  await until(
    async () => (await memory.of(rows).get(scope, 'WEB-1'))?.columns.until === 0,
    'the end of the claim',
  )
  queue.start()
  await until(() => worked.length === 1, 'the pending run')
  t.strictSame([interrupted, full.interrupted], [[], []], 'a run that did not begin is not reported')
})
