import type { Clock, Ids } from '../../kernel/index.ts'
import { nameFor } from '../../plugins/blobs/testing.ts'
import { type Blobs, typeOf } from '../../plugins/blobs/port.ts'

/** Stores bytes in memory. */
export function createMemoryBlobs({ clock, ids }: { readonly clock: Clock; readonly ids: Ids }): Blobs {
  const kept = new Map<string, { readonly joined: Uint8Array; readonly changed: number }>()
  return {
    async put(bytes, about) {
      const key = nameFor(about, { clock, ids })
      const parts = bytes instanceof Uint8Array ? [bytes] : await Array.fromAsync(bytes)
      const joined = new Uint8Array(Buffer.concat(parts))
      kept.set(key, { joined, changed: clock.now().getTime() })
      return { key, type: about.type, size: joined.length }
    },
    async open(key) {
      const [type, found] = [typeOf(key), kept.get(key)]
      if (type === undefined || !found) return undefined
      const { joined, changed } = found
      return {
        key,
        type,
        size: joined.length,
        changed,
        bytes: once(joined),
        part: (start, end) => once(joined.subarray(start, end + 1)),
      }
    },
    async *list() {
      for (const [key, { joined, changed }] of kept)
        yield { key, type: typeOf(key) ?? '', size: joined.length, changed }
    },
    remove: async (key) => kept.delete(key),
    health: async () => 'ok',
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes.slice()
}
