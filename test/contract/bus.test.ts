import { mock } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { busContract } from '../../config/contracts/bus.ts'
import { createMemoryBus, createSharedBus } from '../../plugins/bus/testing.ts'
import { defineEvent } from '../../plugins/bus/port.ts'
import * as v from 'valibot'
import { randomIds } from '../../kernel/index.ts'
import { createMemoryStore } from '../../plugins/store/testing.ts'
import type { Channel } from '../../plugins/store/port.ts'
import { collectGarbage } from '../helpers/memory.ts'

const Tick = defineEvent('test.tick', v.object({ n: v.number() }))

t.test('the bus in memory fulfils the contract', (t) =>
  busContract(t, async () => createMemoryBus({ log: { warn() {}, error() {} } })),
)

t.test('a failing listener is logged with the event, whether it throws or rejects', async (t) => {
  const logged: unknown[] = []
  const bus = createMemoryBus({
    log: { warn() {}, error: (details, message) => void logged.push([message, details]) },
  })
  const { signal } = new AbortController()
  const [now, later] = [new Error('now'), new Error('later')]
  const fail = () => {
    throw now
  }
  bus.subscribe(Tick, fail, { signal })
  bus.subscribe(Tick, () => Promise.reject(later), { signal })
  await bus.publish(Tick, { n: 1 })
  t.same(
    logged,
    [now, later].map((err) => ['event listener failed', { err, event: 'test.tick' }]),
  )
})

t.test('an event of a transaction arrives once it is published, and an invalid one is refused', async (t) => {
  const bus = createMemoryBus({ log: { warn() {}, error() {} } })
  const got: number[] = []
  bus.subscribe(Tick, ({ n }) => void got.push(n), { signal: new AbortController().signal })
  const prepared = await createMemoryStore().transaction(async (tx) => {
    t.throws(() => bus.prepare(tx, Tick, JSON.parse('{"n":"1"}')), TypeError)
    return bus.prepare(tx, Tick, { n: 1 })
  })
  await bus.publish(Tick, { n: 2 })
  await prepared.publish()
  t.strictSame(got, [2, 1])
})

t.test('the error for an invalid payload names the event and the field', async (t) => {
  const bus = createMemoryBus({ log: { warn() {}, error() {} } })
  const wrong = JSON.parse('{"n":"1"}')
  await t.rejects(bus.publish(Tick, wrong), { name: 'TypeError', message: /'test.tick'.*n: / })
})

t.test('of the events of other processes only the last seconds are remembered', async (t) => {
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  const store = createMemoryStore()
  let arrive: (key: string) => void = () => undefined
  const channel: Channel = {
    send: async (key) => arrive(key),
    listen: (onMessage) => void (arrive = onMessage),
    health: async () => undefined,
  }
  let now = Date.parse('2026-01-01T12:00:00Z')
  const clock = { now: () => new Date(now) }
  const log = { warn() {}, error() {} }
  const { signal } = new AbortController()
  const shared = { store, channel, clock, ids: randomIds, log, signal }
  const other = createSharedBus(shared)
  const bus = createSharedBus(shared)
  const heard: number[] = []
  bus.subscribe(Tick, ({ n }) => void heard.push(n), { signal })
  const send = async (count: number): Promise<void> => {
    const before = heard.length
    for (let n = 0; n < count; n++) await other.publish(Tick, { n })
    while (heard.length < before + count) await setImmediate()
  }
  const heapUsed = async (): Promise<number> => {
    mock.timers.tick(60_000)
    let least = Infinity
    for (let turn = 0; turn < 5; turn++) {
      await setImmediate()
      collectGarbage()
      least = Math.min(least, process.memoryUsage().heapUsed)
    }
    return least
  }
  await send(100)
  const before = await heapUsed()
  const count = 10_000
  await send(count)
  now += 60_000
  await send(1)
  t.ok(((await heapUsed()) - before) / count < 100, 'bytes for each event')
})
