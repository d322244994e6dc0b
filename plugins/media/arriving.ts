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
  const next = async (): Promise<Buffer | undefined> => {
    const { done, value } = await source.next()
    if (done) return undefined
    size += value.byteLength
    if (size > maxBytes) throw refusals.fileTooLarge(maxBytes)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  }
  const parts: Buffer[] = []
  for (let part = await next(); part; part = size < headBytes ? await next() : undefined) parts.push(part)
  const head = Buffer.concat(parts)
  for (const part of parts) file.release(part)
  if (head.length === 0) throw refusals.fileEmpty()
  async function* whole(): AsyncGenerator<Buffer> {
    for (let part: Buffer | undefined = head; part; part = await next()) {
      yield part
      if (part !== head) file.release(part)
    }
  }
  return { declared, head, bytes: whole(), size: () => size }
}
