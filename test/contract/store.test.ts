import { join } from 'node:path'
import t from 'tap'
import { systemClock } from '../../kernel/index.ts'
import { storeContract } from '../../config/contracts/store.ts'
import { createMemoryStore } from '../../plugins/store/memory.ts'
import { createSqliteStore } from '../../plugins/store/sqlite.ts'

const silent = { warn() {}, error() {} }

t.test('the store in memory fulfils the contract', (t) => storeContract(t, async () => createMemoryStore()))

t.test('the store in SQLite fulfils the contract', (t) =>
  storeContract(t, async (t) => {
    const file = join(t.testdir(), 'store.db')
    const store = createSqliteStore({ file, clock: systemClock, log: silent, backups: false })
    t.teardown(() => store.close())
    return store
  }),
)
