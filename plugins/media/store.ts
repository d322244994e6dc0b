import { createHash } from 'node:crypto'
import type { Blobs } from '../blobs/port.ts'
import { identify, type Identified } from './identify.ts'
import { createInspector } from './inspector.ts'
import type { Arriving, Intake } from './intake.ts'
import { refusals } from './refusals.ts'

/** A stored file. */
export interface Stored extends Identified {
  readonly key: string
  readonly bytes: number
  /** The digest of the stored bytes, in hexadecimal. */
  readonly sha256: string
  readonly warnings: string[]
}

/** Stores an image or PDF as it arrives; checks its head before writing. A refused file leaves nothing. */
export async function store(
  { declared, head, bytes, size }: Arriving,
  { prefix }: Intake,
  { blobs, quota }: { readonly blobs: Blobs; readonly quota: Quota },
): Promise<Stored> {
  const identified = await identify(head, declared)
  const { type, extension } = identified.kind
  const [inspector, hash, reservation] = [
    createInspector(identified.kind),
    createHash('sha256'),
    await quota.reserve(),
  ]
  let warnings: string[] = []
  async function* inspected(): AsyncGenerator<Buffer> {
    for await (const part of bytes) {
      reservation.add(part.length)
      inspector.add(part)
      hash.update(part)
      yield part
    }
    warnings = inspector.end()
  }
  try {
    const { key } = await blobs.put(inspected(), { type, extension, prefix })
    return { ...identified, key, bytes: size(), sha256: hash.digest('hex'), warnings }
  } catch (error) {
    reservation.release()
    throw error
  }
}

/** The used and the maximum storage of files. */
export type Quota = ReturnType<typeof createQuota>

/** Creates the quota. Counts the stored files on the first new one. */
export function createQuota({ blobs, maxBytes }: { readonly blobs: Blobs; readonly maxBytes: number }) {
  let counting: Promise<void> | undefined
  let used = 0
  const countAll = async (): Promise<void> => {
    for await (const { size } of blobs.list()) used += size
  }
  return {
    /** Reserves storage for one file to be written. */
    async reserve() {
      counting ??= countAll()
      await counting.catch((error: unknown) => {
        counting = undefined
        used = 0
        throw error
      })
      let own = 0
      return {
        /** Adds bytes that have arrived. Refuses with 507 `storage_full` those that do not fit. */
        add(bytes: number): void {
          if (used + bytes > maxBytes) throw refusals.storageFull(maxBytes)
          used += bytes
          own += bytes
        },
        /** Returns all of it, because the file was not stored. */
        release: () => void (used -= own),
      }
    },
    /** Returns the storage of a removed file. */
    free(bytes: number): void {
      // A file removed before the count was never included.
      if (counting) used -= bytes
    },
  }
}
