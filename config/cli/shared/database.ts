import { resolve } from 'node:path'
import * as v from 'valibot'
import { BootError, Refusal, systemClock, toSwitch } from '../../../kernel/index.ts'
import {
  checkDatabase,
  databasePath,
  databaseUrl,
  FileError,
  loadPostgres,
  loadSqlite,
  nameOfDatabase,
  type DatabaseAddress,
} from '../../../plugins/store/index.ts'
import { store as storeRef, type Store } from '../../../plugins/store/port.ts'
import type { Assembly } from '../../assemble.ts'
import { messageOf } from '../../explain.ts'
import { CommandError, type Io } from './command.ts'
import { assembleFor, type SharedGiven } from './installation.ts'

const StoreOptions = v.fallback(v.object({ file: v.optional(v.string()), url: v.optional(v.string()) }), {})

/**
 * Locates the data of the service: `inHouse` is the entry of a plugin that replaces the store, `url` the address of
 * a PostgreSQL database, `file` the file of the built-in store or `:memory:`, `place` the location as text. Throws a
 * BootError for a mistyped DATABASE_URL of a server; a mount does not read it.
 */
export function databaseOf({
  settings: { dataDir },
  env,
  plugins,
  loaded,
}: Pick<Assembly, 'settings' | 'env' | 'plugins'> & Partial<Pick<Assembly, 'loaded'>>) {
  const store = plugins.find(({ plugin }) => Object.values(plugin.gives).some(({ id }) => id === storeRef.id))
  const options = v.parse(StoreOptions, store?.options)
  const variables = {
    ORCHESTRATOR_DB_FILE: env['ORCHESTRATOR_DB_FILE'],
    ORCHESTRATOR_DATA_DIR: dataDir.source === 'default' ? undefined : dataDir.value,
    DATABASE_URL: loaded?.config.shape === 'library' ? undefined : env['DATABASE_URL'],
    DEMO_MODE: toSwitch(env['DEMO_MODE'] ?? ''),
  }
  const inHouse = store?.isBuiltin === false ? store.entry : undefined
  const url = inHouse === undefined ? databaseUrl({ options, env: variables }) : undefined
  const file = databasePath({ options, env: variables })
  const onDisk = env['ORCHESTRATOR_DB_FILE'] ?? options.file ?? dataDir.value
  const local = file === ':memory:' ? 'in memory, until the process ends' : onDisk
  const builtIn = url === undefined ? local : nameOfDatabase(url)
  return { inHouse, url, file, place: inHouse === undefined ? builtIn : `kept by ${inHouse}` }
}

/**
 * Finds the database of an installation. Throws a CommandError without one, and for a data folder that would have no
 * effect, unless the command writes to it as well: the caller expects a file in it to be used.
 */
export function addressOf(assembly: Assembly, io: Io, { usesFolder = false } = {}): DatabaseAddress {
  const { inHouse, url, file } = databaseOf(assembly)
  if (inHouse !== undefined)
    throw new CommandError(`${inHouse} stores the content; this command works on the built-in store only`)
  if (url !== undefined && !usesFolder && assembly.settings.dataDir.source === 'flag')
    throw new CommandError(
      `--data-dir has no effect on ${nameOfDatabase(url)}: leave it out, or unset DATABASE_URL to use the file in that folder`,
    )
  return url === undefined ? { file: fileIn(file, io) } : { url }
}

/** Names a database for people, without its password. */
export const databaseName = (place: DatabaseAddress): string =>
  'url' in place ? nameOfDatabase(place.url) : place.file

function fileIn(file: string, io: Io): string {
  if (file !== ':memory:') return resolve(io.cwd, file)
  throw new CommandError(
    'the service keeps everything in memory; name a database file in ORCHESTRATOR_DB_FILE',
  )
}

const silent = { warn() {}, error() {} }

/**
 * Runs a job on the store of an installation, even while its service runs. Refuses a missing file, whose folder is
 * probably mistyped.
 */
export async function withStore<T>(
  given: SharedGiven,
  io: Io,
  job: (store: Store, place: string) => Promise<T>,
): Promise<T> {
  const place = addressOf(await assembleFor(given, io), io)
  const open = async () => {
    if ('url' in place) {
      const { createPostgresStore } = await loadPostgres()
      return createPostgresStore({ ...place, clock: systemClock, log: silent })
    }
    checkDatabase(place.file)
    const { createSqliteStore } = await loadSqlite()
    return createSqliteStore({ ...place, clock: systemClock, log: silent, backups: false })
  }
  return onDatabase(async () => {
    const store = await open()
    try {
      return await job(store, databaseName(place))
    } finally {
      await store.close()
    }
  })
}

/** Runs work on the database; converts expected failures to a CommandError. */
export async function onDatabase<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof BootError) throw new CommandError(error.problems.join('\n'))
    if (error instanceof Refusal) throw new CommandError(error.reason)
    const isExpected = error instanceof FileError || (error instanceof Error && 'code' in error)
    throw isExpected ? new CommandError(messageOf(error)) : error
  }
}
