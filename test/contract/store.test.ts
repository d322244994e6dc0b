import { join } from 'node:path'
import t from 'tap'
import { storeContract } from '../../config/contracts/store.ts'
import { createMemoryStore } from '../../plugins/store/testing.ts'
import { openSqlite } from '../helpers/sqlite.ts'
import { proveLeftWrites } from './left-writes.ts'

t.test('the store in memory fulfils the contract', (t) => storeContract(t, async () => createMemoryStore()))

t.test('the store in SQLite fulfils the contract', (t) =>
  storeContract(t, async (t) => openSqlite(t, join(t.testdir(), 'store.db'))),
)

t.test('a write that is left to the store in SQLite fails its transaction alone', (t) =>
  proveLeftWrites(t, openSqlite(t, join(t.testdir(), 'store.db'))),
)
