import { createPace } from '../../kernel/index.ts'
import { headBytes } from './arriving.ts'
import { createInspector } from './inspector.ts'
import type { Kind } from './kinds.ts'
import { look, type Look } from './look.ts'

/** Bytes that are looked at before other requests get their turn. */
const pieceBytes = 1024 * 1024
/** The content decides which image it is. */
export const anyImage: Kind = { kind: 'image', type: '', extension: '', maxBytes: Infinity }

/** Judges a picture that is in memory as a whole. Refuses with 415 `content_mismatch`, 422 `image_dimensions` or `file_damaged`. */
export async function judge(bytes: Buffer, declared = anyImage): Promise<Look> {
  const seen = await look(bytes.subarray(0, headBytes), declared)
  const [inspector, pace] = [createInspector(seen.kind), createPace()]
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    inspector.add(bytes.subarray(at, at + pieceBytes))
    await pace()
  }
  inspector.end()
  return seen
}

/** The same memory as a Buffer. */
export const toBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength)
