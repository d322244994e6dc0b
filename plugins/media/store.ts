import { createHash } from 'node:crypto'
import type { Blobs } from '../blobs/port.ts'
import type { Arriving, Intake, Kind } from './intake.ts'
import { createInspector } from './inspector.ts'
import { look, type Size } from './identify.ts'
import type { Room } from './room.ts'

/** A file that was stored. */
export interface Stored {
  readonly kind: Kind
  readonly key: string
  readonly bytes: number
  /** Of the stored bytes, in hexadecimal digits. */
  readonly sha256: string
  /** Of an image. */
  readonly size: Size | undefined
  readonly warnings: string[]
}

/**
 * Stores an image or a PDF while it arrives. Its beginning is judged before anything is written, the rest on its way; of a file
 * that is refused nothing is kept.
 */
export async function store(
  { declared, head, bytes, size }: Arriving,
  { prefix }: Intake,
  { blobs, room }: { readonly blobs: Blobs; readonly room: Room },
): Promise<Stored> {
  const seen = await look(head, declared)
  const { kind } = seen
  const [inspector, hash, share] = [createInspector(kind), createHash('sha256'), await room.open()]
  let warnings: string[] = []
  async function* inspected(): AsyncGenerator<Buffer> {
    for await (const part of bytes) {
      share.add(part.length)
      inspector.add(part)
      hash.update(part)
      yield part
    }
    warnings = inspector.end()
  }
  try {
    const { key } = await blobs.put(inspected(), { type: kind.type, extension: kind.extension, prefix })
    return { kind, key, bytes: size(), sha256: hash.digest('hex'), size: seen.size, warnings }
  } catch (error) {
    share.drop()
    throw error
  }
}
