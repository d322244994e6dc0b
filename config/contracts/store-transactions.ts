import { failureOf } from '../../kernel/testing.ts'
import type { Columns, Store, Transaction } from '../../plugins/store/port.ts'
import type { Contract } from './contract.ts'
import { Counters, note, Notes, put, write } from './store-documents.ts'

/** Atomicity, order, visibility and concurrency. */
export const transactions: Contract<Store> = {
  'a transaction resolves with its return value once its writes are visible': async (t, store) => {
    const given = await store.transaction(async (tx) => {
      await tx.of(Notes).put('s', 'a', note('one'))
      await tx.of(Counters).put('s', 'c', { body: { count: 1 }, columns: {} })
      return (await tx.of(Notes).get('s', 'a'))?.body.text
    })
    t.equal(given, 'one')
    t.same([await store.of(Notes).count('s'), await store.of(Counters).count('s')], [1, 1])
  },

  'a transaction that throws leaves nothing in any collection': async (t, store) => {
    await write(store, 's', { kept: note('before'), removed: note('before'), cleared: note('before') })
    const failing = store.transaction(async (transaction) => {
      const notes = transaction.of(Notes)
      await notes.put('s', 'kept', note('after'))
      await notes.put('s', 'new', note('after'))
      await notes.remove('s', 'removed')
      await notes.clear('s', { before: 'd' })
      await transaction.of(Counters).put('s', 'c', { body: { count: 1 }, columns: {} })
      t.same(
        (await notes.rows('s')).map(({ key }) => key),
        ['kept', 'new'],
        'it saw its own writes',
      )
      throw new Error('thought better of it')
    })
    t.equal(await failureOf(failing), 'thought better of it')
    t.same(
      (await store.of(Notes).list('s')).map(({ key, body }) => [key, body.text]),
      [
        ['cleared', 'before'],
        ['kept', 'before'],
        ['removed', 'before'],
      ],
    )
    t.equal(await store.of(Counters).count('s'), 0)
  },

  'transactions of one tick run in order, and a failing one is rolled back separately': async (t, store) => {
    const add = (fail = false) =>
      store.transaction(async (transaction) => {
        const count = ((await transaction.of(Counters).get('s', 'c'))?.body.count ?? 0) + 1
        await transaction.of(Counters).put('s', 'c', { body: { count }, columns: {} })
        if (fail) throw new Error(`failed at ${count}`)
        return count
      })
    const results = await Promise.allSettled([add(), add(), add(true), add(), add(true), add()])
    t.same(
      results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.message)),
      [1, 2, 'failed at 3', 3, 'failed at 4', 4],
    )
    t.equal((await store.of(Counters).get('s', 'c'))?.version, 4)
  },

  'a write that is left to the store, and fails, fails its transaction alone': async (t, store) => {
    await write(store, 's', { taken: note('before') })
    const leave = (count: number, key: string, expect = 0) =>
      store.transaction(async (transaction) => {
        await transaction.of(Counters).put('s', `${count}`, { body: { count }, columns: {} })
        transaction.leave([transaction.of(Notes).put('s', key, note('left'), { expect })])
      })
    const late = (count: number) =>
      store.transaction(async (transaction) => {
        const begin = async () => {
          await transaction.of(Notes).get('s', 'taken')
          await transaction.of(Counters).put('s', `${count}`, { body: { count }, columns: {} })
        }
        transaction.leave([begin()])
      })
    const group = [leave(1, 'a'), leave(2, 'taken'), leave(3, 'unstorable \0'), late(4), leave(5, 'taken', 7)]
    t.same(
      (await Promise.allSettled([...group, leave(6, 'b')])).map(({ status }) => status),
      ['fulfilled', 'rejected', 'rejected', 'fulfilled', 'rejected', 'fulfilled'],
    )
    const failures = [leave(7, 'taken'), leave(8, 'taken', 7)].map(failureOf)
    t.same(await Promise.all(failures), ['409 version_mismatch 1', '409 version_mismatch 1'])
    await Promise.all([late(9), leave(10, 'c')])
    const keysOf = async (spec: typeof Notes | typeof Counters) =>
      (await store.of<unknown, Columns>(spec).rows('s')).map(({ key }) => key)
    t.same(await keysOf(Counters), ['1', '10', '4', '6', '9'])
    t.same(await keysOf(Notes), ['a', 'b', 'c', 'taken'])
    t.equal((await store.of(Notes).get('s', 'taken'))?.body.text, 'before')
  },

  'a plain read never sees what is not committed': async (t, store) => {
    await write(store, 's', { a: note('old') })
    const seen: (string | undefined)[] = []
    await store.transaction(async (transaction) => {
      await transaction.of(Notes).put('s', 'a', note('new'))
      await transaction.of(Notes).put('s', 'b', note('new'))
      for (const key of ['a', 'b']) seen.push((await store.of(Notes).get('s', key))?.body.text)
      seen.push((await transaction.of(Notes).get('s', 'a'))?.body.text)
    })
    t.same(seen, ['old', undefined, 'new'])
    t.equal((await store.of(Notes).get('s', 'a'))?.body.text, 'new')
  },

  'a finished transaction has no access': async (t, store) => {
    let leaked: Transaction | undefined
    await store.transaction(async (transaction) => void (leaked = transaction))
    const notes = leaked?.of(Notes)
    const over = 'This transaction is over; await everything that it does inside it.'
    if (!notes) return
    t.equal(await failureOf(notes.put('s', 'a', note('late'))), over)
    t.equal(await failureOf(notes.get('s', 'a')), over)
    t.equal(
      await failureOf(store.transaction(async () => notes.remove('s', 'a'))),
      over,
      'not even inside a later one',
    )
    t.equal(await store.of(Notes).count('s'), 0)
  },

  'the caller gets the thrown error, also from a synchronous throw': async (t, store) => {
    const thrown = new Error('thrown')
    const throwing = (): never => {
      throw thrown
    }
    for (const run of [throwing, () => Promise.reject(thrown)])
      t.equal(await failureOf(store.transaction(run)), 'thrown')
    t.equal(await store.transaction(async () => 'still works'), 'still works')
    t.equal(await store.health(), 'ok')
  },

  'two counters, incremented a thousand times by four concurrent writers with `expect`, lose no update':
    async (t, store) => {
      const raised = ['one', 'two'].flatMap((key) => Array.from({ length: 4 }, () => raise(store, key, 250)))
      const steps = (await Promise.all(raised)).flat()
      t.same(
        steps.toSorted((a, b) => a - b),
        Array.from({ length: 2000 }, (_, index) => 1 + Math.floor(index / 2)),
      )
      for (const key of ['one', 'two']) {
        const counter = await store.of(Counters).get('s', key)
        t.same([counter?.version, counter?.body.count], [1000, 1000])
      }
    },
}

/** Increments a counter as an editor would: reads, then writes unless another writer was first. */
async function raise(store: Store, key: string, times: number): Promise<readonly number[]> {
  const steps: number[] = []
  while (steps.length < times) {
    const before = await store.of(Counters).get('s', key)
    const count = (before?.body.count ?? 0) + 1
    const writing = put(
      store,
      Counters,
      's',
      key,
      { body: { count }, columns: {} },
      { expect: before?.version ?? 0 },
    )
    await writing.then(() => steps.push(count), unlessMismatch)
  }
  return steps
}

function unlessMismatch(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'version_mismatch')) throw error
}
