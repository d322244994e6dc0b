import t from 'tap'
import { asyncQueue } from '../../kernel/index.ts'

/** Values that the test pushes and ends. */
function tap() {
  const ready: { readonly n: number }[] = []
  const state = { isOver: false, left: 0 }
  const values = asyncQueue({
    take: () => ready.shift(),
    isOver: () => state.isOver,
    leave: () => void state.left++,
  })
  return {
    state,
    values,
    push(n: number) {
      ready.push({ n })
      values.wake()
    },
    end() {
      state.isOver = true
      values.wake()
    },
  }
}

t.test('a reader receives buffered values, then later ones, then the end', async (t) => {
  const { values, push, end } = tap()
  push(1)
  push(2)
  const reader = values[Symbol.asyncIterator]()
  t.strictSame(
    [await reader.next(), await reader.next()],
    [
      { done: false, value: { n: 1 } },
      { done: false, value: { n: 2 } },
    ],
  )
  const next = reader.next()
  values.wake()
  await Promise.resolve()
  push(3)
  t.strictSame(await next, { done: false, value: { n: 3 } }, 'a wake without a value yields nothing')
  const last = reader.next()
  end()
  t.strictSame(await last, { done: true, value: undefined })
  t.strictSame(await reader.next(), { done: true, value: undefined }, 'stays done')
})

t.test('values pushed before the end are delivered', async (t) => {
  const { values, push, end } = tap()
  push(1)
  end()
  const got: number[] = []
  for await (const { n } of values) got.push(n)
  t.strictSame(got, [1])
})

t.test('leaving the loop calls leave', async (t) => {
  const { values, push, state } = tap()
  push(1)
  for await (const _ of values) break
  t.equal(state.left, 1)
})
