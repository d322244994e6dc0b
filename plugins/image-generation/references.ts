import { Refusal } from '../../kernel/index.ts'
import type { Picture } from '../llm/port.ts'
import { readUpTo, type Media } from '../media/port.ts'
import type { Outbound } from '../outbound/port.ts'

/** Of a picture from elsewhere. */
const maxBytes = 5 * 1024 * 1024
const timeoutMs = 8_000
/** Of all pictures of a message: what the provider takes, before they are written in base64. */
const maxTogether = 14 * 1024 * 1024

/** Reads pictures, by their addresses. What cannot be read, or is too large beside those before it, is left out. */
export type ReadReferences = (addresses: Iterable<string>, signal: AbortSignal) => Promise<ReadonlyMap<string, Picture>>

/** Makes the reader of the pictures that a conversation is about: those of this service from where they are stored, others by the guarded way. */
export function createReadReferences({ media, outbound }: { readonly media: Media; readonly outbound: Outbound }): ReadReferences {
  const read = async (address: string, signal: AbortSignal): Promise<Picture | undefined> => {
    try {
      const own = await media.open(address)
      const bytes = own ? await readUpTo(own, maxTogether) : await download(address, signal)
      return bytes && (await media.check(bytes))
    } catch (error) {
      if (error instanceof Refusal) return undefined
      throw error
    }
  }
  const download = async (address: string, signal: AbortSignal): Promise<Uint8Array | undefined> => {
    const { status, bytes } = await outbound.fetch(address, { maxBytes, timeoutMs, signal })
    return status === 200 ? bytes : undefined
  }
  return async (addresses, signal) => {
    const pictures = new Map<string, Picture>()
    let total = 0
    for (const address of addresses) {
      const picture = await read(address, signal)
      if (!picture || total + picture.bytes.length > maxTogether) continue
      total += picture.bytes.length
      pictures.set(address, picture)
    }
    return pictures
  }
}
