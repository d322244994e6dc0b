import t from 'tap'
import { busContract } from '../../config/contracts/bus.ts'
import { createMemoryBus } from '../../plugins/bus/memory.ts'
import { defineEvent } from '../../plugins/bus/port.ts'
import * as v from 'valibot'

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
  bus.subscribe(
    Tick,
    () => {
      throw now
    },
    { signal },
  )
  bus.subscribe(Tick, () => Promise.reject(later), { signal })
  await bus.publish(Tick, { n: 1 })
  t.same(
    logged,
    [now, later].map((err) => ['event listener failed', { err, event: 'test.tick' }]),
  )
})

t.test('changes to the listeners during an event apply from the next event', async (t) => {
  const bus = createMemoryBus({ log: { warn() {}, error() {} } })
  const leaving = new AbortController()
  const calls: string[] = []
  bus.subscribe(
    Tick,
    () => {
      calls.push('first')
      leaving.abort()
      bus.subscribe(Tick, () => void calls.push('new'), { signal: AbortSignal.timeout(10_000) })
    },
    { signal: AbortSignal.timeout(10_000) },
  )
  bus.subscribe(Tick, () => void calls.push('leaving'), { signal: leaving.signal })
  await bus.publish(Tick, { n: 1 })
  t.same(calls, ['first'])
  await bus.publish(Tick, { n: 2 })
  t.same(calls, ['first', 'first', 'new'])
})

t.test('the error for an invalid payload names the event and the field', async (t) => {
  const bus = createMemoryBus({ log: { warn() {}, error() {} } })
  const wrong = JSON.parse('{"n":"1"}')
  await t.rejects(bus.publish(Tick, wrong), { name: 'TypeError', message: /'test.tick'.*n: / })
})
