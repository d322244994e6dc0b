import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createPool } from '../../plugins/checkout/port.ts'
import { checkoutOf, website } from '../helpers/checkouts.ts'
import { until } from '../helpers/until.ts'

const minute = 60_000

/** A pool whose time is that of the test, with checkouts that count their starts. */
function pooled(t: Test) {
  let time = 0
  const pool = createPool({ clock: { now: () => new Date(time) } })
  t.teardown(() => pool.close())
  const add = (fails: () => boolean = () => false) => {
    const places: number[] = []
    let isUp = false
    let end = (): void => undefined
    const watched = pool.add(async (place) => {
      places.push(place)
      if (fails()) throw new Error('the lake is frozen')
      isUp = true
      const ended = new Promise<void>((resolve) => {
        end = () => {
          isUp = false
          resolve()
        }
      })
      return {
        get origin() {
          return isUp ? `http://localhost:${place}` : undefined
        },
        ended: () => ended,
        close: async () => end(),
      }
    })
    return { watched, places, crash: () => end() }
  }
  return { pool, add, pass: (ms: number) => (time += ms) }
}

t.test('a checkout runs while it is looked at, and ten minutes after that', async (t) => {
  const { pool, add, pass } = pooled(t)
  const { watched, places } = add()
  t.equal(watched.origin, undefined)
  const leave = watched.look()
  await watched.start()
  pass(60 * minute)
  await pool.sweep()
  t.ok(watched.origin, 'a page is open')
  leave()
  pass(9 * minute)
  await pool.sweep()
  t.ok(watched.origin)
  pass(minute)
  await pool.sweep()
  t.equal(watched.origin, undefined)
  watched.look()
  await until(() => watched.origin !== undefined)
  t.strictSame(places, [0, 0])
})

t.test('three run at once; a fourth takes the place of the longest unwatched', async (t) => {
  const { add, pass } = pooled(t)
  const [first, second, third, fourth] = [add(), add(), add(), add()].map(({ watched }) => watched)
  if (!first || !second || !third || !fourth) return
  const ends = [first, second, third].map((each) => each.look())
  await Promise.all([first, second, third].map((each) => each.start()))
  await t.rejects(fourth.start(), { message: /^3 versions of this website are shown already/ })
  t.match(fourth.problem, /Close a tab that shows one/)
  for (const end of ends.toReversed()) {
    pass(minute)
    end()
  }
  const leave = fourth.look()
  await until(() => fourth.origin !== undefined)
  t.equal(third.origin, undefined, 'it was left first')
  t.equal(fourth.problem, undefined)
  t.ok(first.origin && second.origin)
  leave()
  third.look()
  await until(() => third.origin !== undefined)
  t.equal(second.origin, undefined)
})

t.test('one that does not start says why, and is not started again at once', async (t) => {
  const { add, pass } = pooled(t)
  let isFrozen = true
  const { watched, places, crash } = add(() => isFrozen)
  await t.rejects(watched.start(), { message: 'the lake is frozen' })
  t.equal(watched.problem, 'the lake is frozen')
  watched.look()()
  t.equal(places.length, 1)
  isFrozen = false
  pass(10_000)
  watched.look()()
  await until(() => watched.origin !== undefined)
  crash()
  t.equal(watched.origin, undefined)
  watched.look()()
  await until(() => watched.origin !== undefined, 'one that has ended by itself')
  t.equal(places.length, 3)
})

t.test('one whose server ends while it is looked at is started again', async (t) => {
  const { add } = pooled(t)
  const { watched, places, crash } = add()
  const leave = watched.look()
  await watched.start()
  crash()
  t.equal(watched.origin, undefined)
  await until(() => watched.origin !== undefined)
  leave()
  crash()
  await pause(50)
  t.equal(watched.origin, undefined, 'one that is not looked at stays')
  t.equal(places.length, 2)
})

t.test(
  'a development server ends with its checkout, which has the files of now when it starts again',
  async (t) => {
    let time = 0
    const pool = createPool({ clock: { now: () => new Date(time) } })
    const site = website(t)
    let text = 'An oak'
    const watched = pool.add(async () => {
      const checkout = await checkoutOf(t, site)
      await checkout.write([{ path: 'page.txt', text }])
      await checkout.start(AbortSignal.timeout(60_000))
      return checkout
    })
    const leave = watched.look()
    await watched.start()
    const { origin = '' } = watched
    t.match(await (await fetch(origin)).text(), 'An oak')
    leave()
    time += 10 * minute
    await pool.sweep()
    await t.rejects(fetch(origin))
    text = 'An elm'
    watched.look()()
    await until(() => watched.origin !== undefined)
    t.match(await (await fetch(watched.origin ?? '')).text(), 'An elm')
    await pool.close()
    t.equal(watched.origin, undefined)
    await t.rejects(watched.start(), { message: /have ended/ })
  },
)
