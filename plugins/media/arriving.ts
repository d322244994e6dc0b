import type { IncomingFile } from '../../kernel/index.ts'
import { kindOf, type Kind } from './kinds.ts'
import { refusals } from './refusals.ts'

/** What a route takes in. */
export interface Intake {
  readonly types: readonly string[]
  /** The form fields that may hold the file, the usual one first. */
  readonly fields: readonly [string, ...string[]]
  /** How stored names begin. */
  readonly prefix: string
}

/** A file of which the beginning has arrived. */
export interface Arriving {
  /** What it was sent as. */
  readonly declared: Kind
  readonly head: Buffer
  /** The whole file, its beginning included; to be read once. */
  readonly bytes: AsyncIterable<Buffer>
  /** How many bytes have come so far. */
  size(): number
}

/** Bytes that tell what a file is. */
export const headBytes = 256 * 1024

/** Reads the beginning of a file. Refuses the wrong field, an empty file, and one that is too large, as it comes. */
export async function begin(file: IncomingFile, { fields, types }: Intake): Promise<Arriving> {
  if (!fields.includes(file.field)) throw refusals.wrongField(fields[0])
  const declared = kindOf(file.type)
  if (!declared) throw refusals.unsupportedType(types.join(', '))
  const { maxBytes } = declared
  const source = file.bytes[Symbol.asyncIterator]()
  let size = 0
  const counted = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => {
    size += byteLength
    if (size > maxBytes) throw refusals.fileTooLarge(maxBytes)
    return Buffer.from(buffer, byteOffset, byteLength)
  }
  const parts: Buffer[] = []
  for (let next = await source.next(); !next.done; next = await source.next()) {
    parts.push(counted(next.value))
    if (size >= headBytes) break
  }
  const head = Buffer.concat(parts)
  for (const part of parts) file.release(part)
  if (head.length === 0) throw refusals.fileEmpty()
  async function* whole(): AsyncGenerator<Buffer> {
    yield head
    for (let next = await source.next(); !next.done; next = await source.next()) {
      const part = counted(next.value)
      yield part
      file.release(part)
    }
  }
  return { declared, head, bytes: whole(), size: () => size }
}
