import * as v from 'valibot'
import { clock, countVariable, definePlugin, systemClock, toSwitch } from '../../kernel/index.ts'
import { databasePath, databaseUrl } from './database-path.ts'
import { store } from './port.ts'

// For the command line.
export { backupOf, newestBackup } from './backups.ts'
export { databasePath, databaseUrl, nameOfDatabase } from './database-path.ts'
export { checkDatabase, FileError } from './files.ts'
export const loadBackups = () => import('./restore.ts')
export const loadSqlite = () => import('./sqlite.ts')
export type { DatabaseAddress } from './transfer/index.ts'
export const loadTransfer = () => import('./transfer/index.ts')
export const loadPostgres = () => import('./postgres/index.ts')

const hours = v.pipe(
  v.string(),
  v.transform(Number),
  v.number('must be a number'),
  v.minValue(1, 'must be at least 1'),
)
const switchedOn = v.pipe(
  v.string(),
  v.transform((text) => toSwitch(text) === true),
)

const notOfMount =
  'a mount does not use DATABASE_URL, which is often that of the website; for PostgreSQL, set the option url of store'

/** Storage as a service: documents in collections, in one SQLite file, in PostgreSQL, or in memory. */
export default definePlugin({
  name: 'store',
  tag: 'Health',
  options: v.object({
    /** Path of the SQLite file; `:memory:` stores nothing. */
    file: v.optional(v.string()),
    /** The address of a PostgreSQL database, instead of `DATABASE_URL`. */
    url: v.optional(v.pipe(v.string(), v.regex(/^postgres(?:ql)?:\/\//i, 'must begin with postgres://'))),
    /** `normal` is faster and loses the last changes in a power failure. */
    synchronous: v.optional(v.picklist(['full', 'normal']), 'full'),
    /** Set it if several processes use the file: all reads go to the file, not only after their commits. */
    shared: v.optional(v.boolean(), false),
  }),
  env: v.object({
    ORCHESTRATOR_DB_FILE: v.pipe(
      v.optional(v.string()),
      v.description('The SQLite file; `:memory:` keeps nothing.'),
      v.metadata({ otherwise: '`orchestrator.db` in the data directory' }),
    ),
    DATABASE_URL: v.pipe(
      v.optional(v.string()),
      v.description(
        'The address of a PostgreSQL database, `postgres://…`, for a server without ORCHESTRATOR_DB_FILE. A mount takes it as the option `url` of `store`: the variable is often that of the website.',
      ),
    ),
    ORCHESTRATOR_DATA_DIR: v.optional(v.string()),
    ORCHESTRATOR_DB_BACKUP_INTERVAL_HOURS: v.pipe(
      v.optional(hours),
      v.description('Hours between two copies of the SQLite file.'),
      v.metadata({ otherwise: '24' }),
    ),
    ORCHESTRATOR_DB_BACKUP_LIMIT: v.pipe(
      v.optional(countVariable(1)),
      v.description('How many copies of the SQLite file are kept.'),
      v.metadata({ otherwise: '14' }),
    ),
    DEMO_MODE: v.pipe(
      v.optional(switchedOn),
      v.description('A public demonstration keeps nothing unless a place for its data is set.'),
    ),
  }),
  needs: { clock },
  gives: { store },
}).setup(async ({ needs: { clock }, options, env, shape, log }) => {
  const own = shape === 'standalone' ? env : { ...env, DATABASE_URL: undefined }
  const url = databaseUrl({ options, env: own })
  if (url !== undefined) {
    const { createPostgresStore } = await import('./postgres/index.ts')
    const opened = await createPostgresStore({ url, clock: systemClock, log })
    clock.follow?.(opened.clock)
    return { gives: { store: opened }, close: () => opened.close() }
  }
  const file = databasePath({ options, env })
  const isChosen = (env.ORCHESTRATOR_DB_FILE ?? options.file) !== undefined
  if (env.DATABASE_URL !== undefined && !isChosen) log.info({ file }, notOfMount)
  if (file === ':memory:') {
    const { createMemoryStore } = await import('./memory.ts')
    return { gives: { store: createMemoryStore() } }
  }
  const { createSqliteStore } = await import('./sqlite.ts')
  const opened = createSqliteStore({
    ...options,
    file,
    clock,
    log,
    backups: {
      intervalHours: env.ORCHESTRATOR_DB_BACKUP_INTERVAL_HOURS,
      limit: env.ORCHESTRATOR_DB_BACKUP_LIMIT,
    },
  })
  // A website may be reloaded in one process, and its modules do not share state with earlier ones.
  if (shape === 'standalone' && !options.shared) {
    await opened.claim().catch(async (error: unknown) => {
      await opened.close()
      throw error
    })
  }
  return { gives: { store: opened }, close: () => opened.close() }
})
