import { join } from 'node:path'
import t from 'tap'
import { storeContract } from '../../config/contracts/store.ts'
import { createMemoryStore } from '../../plugins/store/testing.ts'
import { openSqlite } from '../helpers/sqlite.ts'

t.test('the store in memory fulfils the contract', (t) => storeContract(t, async () => createMemoryStore()))

t.test('the store in SQLite fulfils the contract', (t) =>
  storeContract(t, async (t) => openSqlite(t, join(t.testdir(), 'store.db'))),
)
