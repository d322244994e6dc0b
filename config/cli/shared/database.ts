import { resolve } from 'node:path'
import * as v from 'valibot'
import { BootError, Refusal, toSwitch } from '../../../kernel/index.ts'
import { FileError } from '../../../plugins/store/files.ts'
import { placeOf } from '../../../plugins/store/place.ts'
import { store as storeRef } from '../../../plugins/store/port.ts'
import type { Assembly } from '../../assemble.ts'
import { messageOf } from '../../explain.ts'
import { CommandError, type Given, type Io } from './command.ts'
import { assembleFor, type sharedFlags } from './installation.ts'

const StoreOptions = v.fallback(v.object({ driver: v.optional(v.string()), file: v.optional(v.string()) }), {})

/**
 * Where the service keeps its data: `inHouse` is the entry of a plugin that replaces the store, `file` the file of the
 * built-in one or `:memory:`, `chosen` that file if a variable or an option names it.
 */
export function databaseOf({ settings: { dataDir }, env, plugins }: Pick<Assembly, 'settings' | 'env' | 'plugins'>) {
  const store = plugins.find(({ plugin }) => Object.values(plugin.gives).some(({ id }) => id === storeRef.id))
  const options = v.parse(StoreOptions, store?.options)
  const variables = {
    ORCHESTRATOR_DB_FILE: env['ORCHESTRATOR_DB_FILE'],
    ORCHESTRATOR_DATA_DIR: dataDir.source === 'default' ? undefined : dataDir.value,
    DEMO_MODE: toSwitch(env['DEMO_MODE'] ?? ''),
  }
  return {
    inHouse: store?.isBuiltin === false ? store.entry : undefined,
    file: placeOf({ options, env: variables }),
    chosen: env['ORCHESTRATOR_DB_FILE'] ?? options.file,
  }
}

type Shared = Given<keyof typeof sharedFlags>

/**
 * The path of the database file of an installation. Throws a CommandError without one; `otherwise` is the remedy if a plugin
 * stores the data.
 */
export async function findDatabase(given: Shared, io: Io, otherwise = 'back it up and restore it there'): Promise<string> {
  const { inHouse, file } = databaseOf(await assembleFor(given, io))
  if (inHouse !== undefined) throw new CommandError(`${inHouse} stores the content; ${otherwise}`)
  if (file !== ':memory:') return resolve(io.cwd, file)
  throw new CommandError('the service keeps everything in memory; name a database file in ORCHESTRATOR_DB_FILE')
}

/** The result of work on the database; expected failures become a CommandError. */
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
