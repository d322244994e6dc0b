import type { Clock, Ids } from '../../kernel/index.ts'
import { nameFor, typeOf } from './names.ts'
import type { Blobs } from './port.ts'

/** Keeps bytes in memory, for tests and demonstrations. */
export function createMemoryBlobs({ clock, ids }: { readonly clock: Clock; readonly ids: Ids }): Blobs {
  const kept = new Map<string, { readonly whole: Uint8Array; readonly changed: number }>()
  return {
    async put(bytes, about) {
      const key = nameFor(about, { clock, ids })
      const parts = bytes instanceof Uint8Array ? [bytes] : await Array.fromAsync(bytes)
      const whole = new Uint8Array(Buffer.concat(parts))
      kept.set(key, { whole, changed: clock.now().getTime() })
      return { key, type: about.type, size: whole.length }
    },
    async open(key) {
      const [type, found] = [typeOf(key), kept.get(key)]
      if (type === undefined || !found) return undefined
      const { whole, changed } = found
      return { key, type, size: whole.length, changed, bytes: once(whole), part: (start, end) => once(whole.subarray(start, end + 1)) }
    },
    async *list() {
      for (const [key, { whole, changed }] of kept) yield { key, type: typeOf(key) ?? '', size: whole.length, changed }
    },
    remove: async (key) => kept.delete(key),
    health: async () => 'ok',
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes.slice()
}
