import { join } from 'node:path'
import * as v from 'valibot'
import { clock, definePlugin } from '../../kernel/index.ts'
import { store } from './port.ts'

const hours = v.pipe(v.string(), v.transform(Number), v.number('must be a number'), v.minValue(1, 'must be at least 1'))
const copies = v.pipe(hours, v.integer('must be a whole number'))
const switchedOn = v.pipe(v.string(), v.transform((text) => ['1', 'true', 'yes', 'on'].includes(text.trim().toLowerCase())))

/** Storage as a service: documents in collections, in one SQLite file, or in memory. */
export default definePlugin({
  name: 'store',
  tag: 'Health',
  options: v.object({
    driver: v.optional(v.picklist(['sqlite', 'memory']), 'sqlite'),
    /** Path of the SQLite file; `:memory:` keeps nothing. */
    file: v.optional(v.string()),
    /** `normal` is faster and loses the last changes when the power fails. */
    synchronous: v.optional(v.picklist(['full', 'normal']), 'full'),
    /** To be set where several processes use the file; then every read asks the file anew. */
    shared: v.optional(v.boolean(), false),
  }),
  env: v.object({
    ORCHESTRATOR_DB_FILE: v.optional(v.string()),
    ORCHESTRATOR_DATA_DIR: v.optional(v.string()),
    ORCHESTRATOR_DB_BACKUP_INTERVAL_HOURS: v.optional(hours),
    ORCHESTRATOR_DB_BACKUP_LIMIT: v.optional(copies),
    DEMO_MODE: v.optional(switchedOn),
  }),
  needs: { clock },
  gives: { store },
}).setup(async ({ needs: { clock }, options, env, log }) => {
  // A public demo forgets: it is kept only where somebody said where.
  const forgets = env.DEMO_MODE === true && env.ORCHESTRATOR_DB_FILE === undefined && env.ORCHESTRATOR_DATA_DIR === undefined && options.file === undefined
  if (options.driver === 'memory' || forgets) {
    const { createMemoryStore } = await import('./memory.ts')
    return { gives: { store: createMemoryStore() } }
  }
  const { createSqliteStore } = await import('./sqlite.ts')
  const opened = createSqliteStore({
    file: env.ORCHESTRATOR_DB_FILE ?? options.file ?? join(env.ORCHESTRATOR_DATA_DIR ?? '.orchestrator', 'orchestrator.db'),
    synchronous: options.synchronous,
    shared: options.shared,
    clock,
    log,
    backups: {
      ...(env.ORCHESTRATOR_DB_BACKUP_INTERVAL_HOURS !== undefined && { intervalHours: env.ORCHESTRATOR_DB_BACKUP_INTERVAL_HOURS }),
      ...(env.ORCHESTRATOR_DB_BACKUP_LIMIT !== undefined && { limit: env.ORCHESTRATOR_DB_BACKUP_LIMIT }),
    },
  })
  return { gives: { store: opened }, close: () => opened.close() }
})
