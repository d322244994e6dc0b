import { resolve } from 'node:path'
import * as v from 'valibot'
import { BootError, Refusal, toSwitch } from '../../../kernel/index.ts'
import { databasePath, FileError } from '../../../plugins/store/index.ts'
import { store as storeRef } from '../../../plugins/store/port.ts'
import type { Assembly } from '../../assemble.ts'
import { messageOf } from '../../explain.ts'
import { CommandError, type Io } from './command.ts'
import { assembleFor, type SharedGiven } from './installation.ts'

const StoreOptions = v.fallback(
  v.object({ driver: v.optional(v.string()), file: v.optional(v.string()) }),
  {},
)

/**
 * Locates the data of the service: `inHouse` is the entry of a plugin that replaces the store, `file` the
 * file of the built-in store or `:memory:`, `place` the location as text.
 */
export function databaseOf({
  settings: { dataDir },
  env,
  plugins,
}: Pick<Assembly, 'settings' | 'env' | 'plugins'>) {
  const store = plugins.find(({ plugin }) => Object.values(plugin.gives).some(({ id }) => id === storeRef.id))
  const options = v.parse(StoreOptions, store?.options)
  const variables = {
    ORCHESTRATOR_DB_FILE: env['ORCHESTRATOR_DB_FILE'],
    ORCHESTRATOR_DATA_DIR: dataDir.source === 'default' ? undefined : dataDir.value,
    DEMO_MODE: toSwitch(env['DEMO_MODE'] ?? ''),
  }
  const inHouse = store?.isBuiltin === false ? store.entry : undefined
  const file = databasePath({ options, env: variables })
  const onDisk = env['ORCHESTRATOR_DB_FILE'] ?? options.file ?? dataDir.value
  const builtIn = file === ':memory:' ? 'in memory, until the process ends' : onDisk
  return { inHouse, file, place: inHouse === undefined ? builtIn : `kept by ${inHouse}` }
}

/** Finds the database file. Throws a CommandError without one: with `remedy` if a plugin stores the data. */
export async function findDatabase(given: SharedGiven, io: Io, remedy = 'back it up and restore it there') {
  const { inHouse, file } = databaseOf(await assembleFor(given, io))
  if (inHouse !== undefined) throw new CommandError(`${inHouse} stores the content; ${remedy}`)
  if (file !== ':memory:') return resolve(io.cwd, file)
  throw new CommandError(
    'the service keeps everything in memory; name a database file in ORCHESTRATOR_DB_FILE',
  )
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
