import { createHash } from 'node:crypto'
import type { Blobs } from '../blobs/port.ts'
import { identify, type Identified } from './identify.ts'
import { createInspector } from './inspector.ts'
import type { Arriving, Intake } from './intake.ts'
import { refusals } from './refusals.ts'
import { isWholeJpeg } from './whole-jpeg.ts'

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
  const [inspector, hash] = [createInspector(identified.kind), createHash('sha256')]
  let [warnings, isOpen]: [string[], boolean] = [[], false]
  async function* inspected(add: (bytes: number) => void): AsyncGenerator<Buffer> {
    for await (const part of bytes) {
      add(part.length)
      inspector.add(part)
      hash.update(part)
      yield part
    }
    ;({ warnings, isOpen } = inspector.end())
  }
  const { key } = await quota.storing(async (add) => {
    const put = await blobs.put(inspected(add), { type, extension, prefix })
    if (isOpen) await requireWhole(put.key, blobs)
    return put
  })
  return { ...identified, key, bytes: size(), sha256: hash.digest('hex'), warnings }
}

/** Removes a stored JPEG without its end, and refuses it, unless it has all its pixels. */
async function requireWhole(key: string, blobs: Blobs): Promise<void> {
  const blob = await blobs.open(key)
  if (blob && (await isWholeJpeg(Buffer.concat(await Array.fromAsync(blob.bytes))))) return
  await blobs.remove(key)
  throw refusals.fileDamaged()
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
    /**
     * Stores one file, whose bytes `write` passes to `add` as they arrive; a failed one does not count.
     * `add` refuses with 507 `storage_full` those that do not fit.
     */
    async storing<T>(write: (add: (bytes: number) => void) => Promise<T>): Promise<T> {
      counting ??= countAll()
      await counting.catch((error: unknown) => {
        counting = undefined
        used = 0
        throw error
      })
      let own = 0
      try {
        return await write((bytes) => {
          if (used + bytes > maxBytes) throw refusals.storageFull(maxBytes)
          used += bytes
          own += bytes
        })
      } catch (error) {
        used -= own
        throw error
      }
    },
    /** Returns the storage of a removed file. */
    free(bytes: number): void {
      // A file removed before the count was never included.
      if (counting) used -= bytes
    },
  }
}
