import type { Blobs } from '../blobs/port.ts'
import { refusals } from './refusals.ts'

/** How much room stored files take, and how much they may. */
export interface Room {
  /** Takes room for one file that is about to be stored. */
  open(): Promise<Share>
  /** Gives back the room of a file that was removed. */
  free(bytes: number): void
}

/** The room of one file, as far as it has arrived. */
export interface Share {
  /** Refuses with 507 `storage_full` what does not fit. */
  add(bytes: number): void
  /** Gives all of it back, because the file was not stored. */
  drop(): void
}

/** Makes the counter of room. What is there already is counted when the first file comes. */
export function createRoom({ blobs, maxBytes }: { readonly blobs: Blobs; readonly maxBytes: number }): Room {
  let counting: Promise<void> | undefined
  let used = 0
  const countAll = async (): Promise<void> => {
    for await (const { size } of blobs.list()) used += size
  }
  return {
    async open() {
      counting ??= countAll()
      await counting.catch((error: unknown) => {
        counting = undefined
        used = 0
        throw error
      })
      let own = 0
      return {
        add(bytes) {
          if (used + bytes > maxBytes) throw refusals.storageFull(maxBytes)
          used += bytes
          own += bytes
        },
        drop() {
          used -= own
        },
      }
    },
    free(bytes) {
      // What is gone before the count is not in it.
      if (counting) used -= bytes
    },
  }
}
