import { systemClock } from '../../../kernel/index.ts'
import type { ScopedTokens } from '../../../plugins/auth/port.ts'
import { createScopedTokens } from '../../../plugins/auth/scoped/tokens.ts'
import type { Given, Io } from '../shared/command.ts'
import { findDatabase, onDatabase } from '../shared/database.ts'
import { assembleFor, type sharedFlags } from '../shared/flags.ts'

/** Runs a job on the scoped tokens of an installation, also while its service runs; a missing database is created. */
export async function withTokens<T>(given: Given<keyof typeof sharedFlags>, io: Io, job: (tokens: ScopedTokens, file: string) => Promise<T>): Promise<T> {
  const assembly = await assembleFor(given, io)
  const file = findDatabase(assembly, io.cwd, 'this command works on the built-in store only')
  const { createSqliteStore } = await import('../../../plugins/store/sqlite.ts')
  const run = async (): Promise<T> => {
    const store = await createSqliteStore({ file, clock: systemClock, log: { warn() {}, error() {} }, backups: false })
    try {
      return await job(createScopedTokens({ store, clock: systemClock }), file)
    } finally {
      await store.close()
    }
  }
  return onDatabase(run())
}
