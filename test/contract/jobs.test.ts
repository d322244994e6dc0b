import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createMemoryStore } from '../../plugins/store/testing.ts'
import { jobsContract, killAtEachStep } from '../helpers/jobs-contract.ts'
import { openSqlite } from '../helpers/sqlite.ts'

const shared = { shared: true, synchronous: 'normal' } as const

t.test('jobs in memory fulfil the contract', (t) =>
  jobsContract(t, async (_, count) => {
    const memory = createMemoryStore()
    return Array.from(
      { length: count },
      () => new Proxy(memory, { get: (target, name) => name === 'shared' || Reflect.get(target, name) }),
    )
  }),
)

const openFile = (t: Test, count: number) => {
  const file = join(t.testdir({}), 'store.db')
  return { file, stores: Array.from({ length: count }, () => openSqlite(t, file, shared)) }
}

t.test('jobs in SQLite fulfil the contract', (t) =>
  jobsContract(t, async (t, count) => openFile(t, count).stores),
)

t.test('jobs in SQLite lose nothing, and run nothing twice at a time, wherever a process is killed', (t) =>
  killAtEachStep(t, async (t) => {
    const { file, stores } = openFile(t, 1)
    const [store] = stores
    if (!store) throw new Error('no store')
    return { store, place: ['--file', file] }
  }),
)
