import { Refusal, type Clock, type Ids } from '../../kernel/index.ts'
import type { Files, Store, StoredFile } from '../store/port.ts'
import { nameFor, typeOf } from './names.ts'
import type { Blobs, StoredBlob } from './port.ts'
import { blobsUnavailable } from './refusals.ts'

/** Stores bytes in the database of the store, so that all its processes serve them. */
export function createStoredBlobs({
  store,
  files,
  clock,
  ids,
}: {
  readonly store: Pick<Store, 'health'>
  readonly files: Files
  readonly clock: Clock
  readonly ids: Ids
}): Blobs {
  return {
    async put(bytes, details) {
      const key = nameFor(details, { clock, ids })
      return { key, type: details.type, size: await files.put(key, bytes, clock.now().getTime()) }
    },
    async open(key) {
      const file = typeOf(key) === undefined ? undefined : await files.find(key)
      if (!file) return undefined
      const part = (start: number, end: number) => readParts(files, file, { start, end })
      return { ...factsOf(file), bytes: part(0, file.size - 1), part }
    },
    async *list() {
      for await (const file of files.list()) yield factsOf(file)
    },
    remove: async (key) => typeOf(key) !== undefined && files.remove(key),
    health: () => store.health(),
  }
}

const factsOf = ({ key, size, changed }: StoredFile): StoredBlob => ({
  key,
  type: typeOf(key) ?? '',
  size,
  changed,
})

async function* readParts(
  files: Files,
  file: StoredFile,
  { start, end }: { readonly start: number; readonly end: number },
): AsyncGenerator<Uint8Array> {
  try {
    yield* files.read(file, start, end)
  } catch (error) {
    throw error instanceof Refusal ? error : blobsUnavailable(error)
  }
}
