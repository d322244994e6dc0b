import type { Clock, Ids } from '../../kernel/index.ts'
import { nameFor, typeOf } from './names.ts'
import type { Blobs } from './port.ts'

/** Keeps bytes in memory, for tests and demonstrations. */
export function createMemoryBlobs({ clock, ids }: { readonly clock: Clock; readonly ids: Ids }): Blobs {
  const kept = new Map<string, Uint8Array>()
  return {
    async put(bytes, about) {
      const key = nameFor(about, { clock, ids })
      const parts = bytes instanceof Uint8Array ? [bytes] : await Array.fromAsync(bytes)
      const whole = new Uint8Array(Buffer.concat(parts))
      kept.set(key, whole)
      return { key, type: about.type, size: whole.length }
    },
    async open(key) {
      const [type, found] = [typeOf(key), kept.get(key)]
      if (type === undefined || !found) return undefined
      return { key, type, size: found.length, bytes: once(found) }
    },
    remove: async (key) => kept.delete(key),
    health: async () => 'ok',
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes.slice()
}
