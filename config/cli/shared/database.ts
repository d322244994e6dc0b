import { resolve } from 'node:path'
import * as v from 'valibot'
import { BootError, Refusal, toSwitch } from '../../../kernel/index.ts'
import { FileError } from '../../../plugins/store/files.ts'
import { placeOf } from '../../../plugins/store/place.ts'
import { store as storeRef } from '../../../plugins/store/port.ts'
import type { Assembly } from '../../assemble.ts'
import { CommandError } from './command.ts'
import { messageOf } from '../../explain.ts'
import type { Resolved } from '../../resolve.ts'

const StoreOptions = v.fallback(
  v.object({ driver: v.optional(v.string()), file: v.optional(v.string()) }),
  {},
)

interface ChosenStore {
  /** Of the built-in store. */
  readonly options: v.InferOutput<typeof StoreOptions>
  /** The entry of the plugin that stands in its place. */
  readonly inHouse?: string
}

/** Looks up which plugin gives the store. */
export function readStore(plugins: readonly Resolved[]): ChosenStore {
  const store = plugins.find(({ plugin }) => Object.values(plugin.gives).some(({ id }) => id === storeRef.id))
  const inHouse = store && !store.isBuiltin ? store.entry : undefined
  return { options: v.parse(StoreOptions, store?.options), ...(inHouse !== undefined && { inHouse }) }
}

/** The database that the service opens. Throws a CommandError where it opens none, with what is done instead where a plugin keeps the content. */
export function findDatabase({ settings: { dataDir }, env, plugins }: Assembly, cwd: string, otherwise = 'back it up and restore it there'): string {
  const { options, inHouse } = readStore(plugins)
  if (inHouse !== undefined) {
    throw new CommandError(`${inHouse} keeps the content; ${otherwise}`)
  }
  const file = placeOf({
    options,
    env: {
      ORCHESTRATOR_DB_FILE: env['ORCHESTRATOR_DB_FILE'],
      ORCHESTRATOR_DATA_DIR: dataDir.source === 'default' ? undefined : dataDir.value,
      DEMO_MODE: toSwitch(env['DEMO_MODE'] ?? ''),
    },
  })
  if (file !== ':memory:') return resolve(cwd, file)
  throw new CommandError('the service keeps everything in memory; name a database in ORCHESTRATOR_DB_FILE')
}

/** What work on the database gives, with a CommandError for whatever stands in its way. */
export async function inSentences<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof BootError) throw new CommandError(error.problems.join('\n'))
    if (error instanceof Refusal) throw new CommandError(error.reason)
    const isInTheWay = error instanceof FileError || (error instanceof Error && 'code' in error)
    throw isInTheWay ? new CommandError(messageOf(error)) : error
  }
}
