import type { Test } from 'tap'
import { Counters, note, Notes, write } from '../../config/contracts/store-documents.ts'
import { failureOf } from '../../kernel/testing.ts'
import type { Columns, Store } from '../../plugins/store/port.ts'

/** A write that a transaction leaves to the store, and that fails, fails this transaction alone. */
export async function proveLeftWrites(t: Test, store: Store): Promise<void> {
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
}
