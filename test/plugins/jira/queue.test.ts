import t from 'tap'
import { createLogger } from '../../../kernel/index.ts'
import { capturedLog, stillClock } from '../../../kernel/testing.ts'
import { createQueue, type QueueContext } from '../../../plugins/agents/jira/queue.ts'
import type { Result } from '../../../plugins/agents/jira/schemas.ts'
import { createTickets, type Asked, type Running } from '../../../plugins/agents/jira/tickets.ts'
import { createMemoryStore } from '../../../plugins/store/memory.ts'
import { until } from '../../helpers/until.ts'

const result = (issueKey: string): Result => {
  return { issueKey, status: 'success', summary: '', changes: [], durationMs: 0 }
}
const asked: Asked = { mode: 'review', trigger: 'created', at: '2026-01-01T12:00:00.000Z' }

/** A queue over a store that may be shared. */
function queueOn(
  memory: ReturnType<typeof createMemoryStore>,
  {
    shared = false,
    clock = stillClock(),
    ...more
  }: { readonly shared?: boolean } & Partial<QueueContext> = {},
) {
  const store = new Proxy(memory, {
    get: (target, name) => (name === 'shared' ? shared : Reflect.get(target, name)),
  })
  const tickets = createTickets({ store, clock })
  const interrupted: (readonly [string, Running])[] = []
  const worked: string[] = []
  let ids = 0
  const queue = createQueue({
    store,
    tickets,
    clock,
    ids: { uuid: () => `run ${++ids} of ${Math.random()}` },
    log: createLogger({ level: 'silent' }),
    parallel: 2,
    signal: new AbortController().signal,
    work: async ({ key }) => {
      worked.push(key)
      return result(key)
    },
    interrupted: async (key, running) => void interrupted.push([key, running]),
    finished: () => undefined,
    ...more,
  })
  return { queue, tickets, interrupted, worked }
}

const leaseMs = 30

t.test('a run of another process is left alone until its lease ends', async (t) => {
  const [memory, clock] = [createMemoryStore(), stillClock()]
  const { promise: open, resolve } = Promise.withResolvers<void>()
  const work = async ({ key }: { readonly key: string }) => (await open, result(key))
  const first = queueOn(memory, { shared: true, leaseMs, clock, work })
  const second = queueOn(memory, { shared: true, leaseMs, clock })
  t.teardown(() => Promise.all([first.queue.close(), second.queue.close()]))
  const dead = {
    run: 'dead',
    mode: 'execute',
    queuedAt: asked.at,
    startedAt: asked.at,
    until: clock.now().getTime() + 100,
  } as const
  await second.tickets.change('WEB-2', () => ({ running: dead, pending: [asked] }))
  second.queue.start()
  const run = first.queue.run('WEB-1', asked)
  await t.rejects(second.queue.run('WEB-2', asked), { code: 'already_running' })
  const isExtended = async () =>
    (await first.tickets.get('WEB-1')).running?.until === clock.now().getTime() + leaseMs
  for (let step = 1; step < 5; step++) {
    clock.advance(20)
    await until(isExtended, 'the run to be extended')
  }
  t.strictSame([second.interrupted, second.worked], [[], []])
  clock.advance(20)
  await until(() => second.worked.length === 1, 'the pending run')
  t.strictSame(second.interrupted, [['WEB-2', dead]])
  resolve()
  t.equal((await run).status, 'success')
  await until(async () => (await second.tickets.busy()).length === 0, 'the end')
})

t.test('a store failure is logged and loses nothing', async (t) => {
  const memory = createMemoryStore()
  const { log, lines } = capturedLog()
  const { queue, tickets, worked } = queueOn(memory, { log, leaseMs: 30 })
  await tickets.change('WEB-1', () => ({ pending: [asked] }))
  const change = tickets.change
  Object.assign(tickets, { change: () => Promise.reject(new Error('disk full')) })
  queue.start()
  await until(() => lines.some((line) => line.includes('could not be resumed')), 'a line')
  let calls = 0
  Object.assign(tickets, {
    change: (...parts: Parameters<typeof change>) =>
      ++calls === 2 ? Promise.reject(new Error('disk full')) : change(...parts),
  })
  await until(() => lines.some((line) => line.includes('failed to start')), 'another line')
  Object.assign(tickets, { change })
  await queue.close()
  t.strictSame(worked, [])
  const again = queueOn(memory)
  again.queue.start()
  await until(() => again.worked.length === 1, 'the pending run')
  await again.queue.close()
})
