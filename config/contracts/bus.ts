import { setTimeout as pause } from 'node:timers/promises'
import * as v from 'valibot'
import { failureOf, type ContractTest } from '../../kernel/testing.ts'
import { defineEvent, type Bus } from '../../plugins/bus/port.ts'
import { type Contract, proveContract } from './contract.ts'

const Changed = defineEvent('contract.changed', v.object({ slug: v.string(), version: v.number() }))
const Removed = defineEvent('contract.removed', v.object({ slug: v.string() }))

/** The contract of every bus; the suite waits up to two seconds for events, because delivery may be remote. */
export const busContract = <T extends ContractTest>(t: T, open: (t: T) => Promise<Bus>): Promise<void> =>
  proveContract(t, open, contract)

const contract: Contract<Bus> = {
  'every listener of an event gets it, in order, and no listener of another event': async (t, bus) => {
    const [first, second, other] = [listen(bus, Changed), listen(bus, Changed), listen(bus, Removed)]
    for (const version of [1, 2, 3]) await bus.publish(Changed, { slug: '/', version })
    await bus.publish(Removed, { slug: '/gone' })
    await until(() => first.got.length + second.got.length + other.got.length >= 7)
    t.same(
      first.got,
      [1, 2, 3].map((version) => ({ slug: '/', version })),
    )
    t.same(second.got, first.got)
    t.same(other.got, [{ slug: '/gone' }])
  },

  'an event without listeners is dropped': async (t, bus) => {
    await bus.publish(Changed, { slug: '/', version: 1 })
    const late = listen(bus, Changed)
    await bus.publish(Changed, { slug: '/', version: 2 })
    await until(() => late.got.length > 0)
    t.same(late.got, [{ slug: '/', version: 2 }])
  },

  'a payload arrives as parsed by its schema, and an invalid one reaches no listener': async (t, bus) => {
    const { got } = listen(bus, Changed)
    const surplus = { slug: '/', version: 1, secret: 'not declared' }
    await bus.publish(Changed, surplus)
    for (const wrong of ['{"slug":1}', '{"slug":"/","version":"1"}', '{}', 'null', '"text"', '[]']) {
      t.equal(await failureOf(bus.publish(Changed, JSON.parse(wrong))), 'TypeError', wrong)
    }
    await bus.publish(Changed, { slug: '/last', version: 9 })
    await until(() => got.length >= 2)
    t.same(got, [
      { slug: '/', version: 1 },
      { slug: '/last', version: 9 },
    ])
  },

  'a listener that fails, synchronously or later, does not affect others or the publisher': async (
    t,
    bus,
  ) => {
    const signal = new AbortController().signal
    bus.subscribe(
      Changed,
      () => {
        throw new Error('now')
      },
      { signal },
    )
    bus.subscribe(Changed, () => Promise.reject(new Error('later')), { signal })
    const { got } = listen(bus, Changed)
    await bus.publish(Changed, { slug: '/', version: 1 })
    await bus.publish(Changed, { slug: '/', version: 2 })
    await until(() => got.length >= 2)
    t.equal(got.length, 2)
  },

  'an unsubscribed listener gets no more events, and one that was aborted before gets none': async (
    t,
    bus,
  ) => {
    const [leaving, staying] = [listen(bus, Changed), listen(bus, Changed)]
    const never: unknown[] = []
    bus.subscribe(Changed, (payload) => never.push(payload), { signal: AbortSignal.abort() })
    await bus.publish(Changed, { slug: '/', version: 1 })
    await until(() => staying.got.length >= 1 && leaving.got.length >= 1)
    leaving.leave()
    await bus.publish(Changed, { slug: '/', version: 2 })
    await until(() => staying.got.length >= 2)
    t.same([leaving.got.length, staying.got.length, never.length], [1, 2, 0])
  },

  'the same function can listen twice and leave once': async (t, bus) => {
    const [one, two] = [new AbortController(), new AbortController()]
    let calls = 0
    const count = () => void calls++
    bus.subscribe(Removed, count, { signal: one.signal })
    bus.subscribe(Removed, count, { signal: two.signal })
    await bus.publish(Removed, { slug: '/' })
    await until(() => calls >= 2)
    one.abort()
    await bus.publish(Removed, { slug: '/' })
    await until(() => calls >= 3)
    t.equal(calls, 3)
    t.equal(await bus.health(), 'ok')
  },
}

function listen<P>(
  bus: Bus,
  event: { readonly id: string; readonly schema: v.GenericSchema<unknown, P> },
): { readonly got: readonly P[]; leave(): void } {
  const got: P[] = []
  const controller = new AbortController()
  bus.subscribe(event, (payload) => void got.push(payload), { signal: controller.signal })
  return { got, leave: () => controller.abort() }
}

async function until(condition: () => boolean): Promise<void> {
  for (let turns = 200; turns > 0 && !condition(); turns--) await pause(10)
}
