import { systemClock } from '../../kernel/index.ts'
import { createSqliteStore, type SqliteOptions, type SqliteStore } from '../../plugins/store/testing.ts'
import type { TeardownTest } from './raw.ts'

/** A log that keeps nothing. */
export const silent = { warn() {}, error() {} }

/** Opens a database file without backups; closed with the test. */
export function openSqlite(t: TeardownTest, file: string, options: Partial<SqliteOptions> = {}): SqliteStore {
  const store = createSqliteStore({ file, clock: systemClock, log: silent, backups: false, ...options })
  t.teardown(() => store.close())
  return store
}
