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

t.test('the error for an invalid payload names the event and the field', async (t) => {
  const bus = createMemoryBus({ log: { warn() {}, error() {} } })
  const wrong = JSON.parse('{"n":"1"}')
  await t.rejects(bus.publish(Tick, wrong), { name: 'TypeError', message: /'test.tick'.*n: / })
})
