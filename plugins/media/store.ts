import { createHash } from 'node:crypto'
import type { Blobs } from '../blobs/port.ts'
import { identify, type Identified } from './identify.ts'
import { createInspector } from './inspector.ts'
import type { Arriving, Intake } from './intake.ts'
import type { Quota } from './quota.ts'

/** A stored file. */
export interface Stored extends Identified {
  readonly key: string
  readonly bytes: number
  /** Of the stored bytes, as hexadecimal digits. */
  readonly sha256: string
  readonly warnings: string[]
}

/** Stores an image or a PDF while it arrives. Its head is verified before anything is written, the rest on the way; a refused file leaves nothing. */
export async function store({ declared, head, bytes, size }: Arriving, { prefix }: Intake, { blobs, quota }: { readonly blobs: Blobs; readonly quota: Quota }): Promise<Stored> {
  const identified = await identify(head, declared)
  const { type, extension } = identified.kind
  const [inspector, hash, reservation] = [createInspector(identified.kind), createHash('sha256'), await quota.reserve()]
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
