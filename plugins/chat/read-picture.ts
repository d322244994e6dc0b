import { type Logger, Refusal } from '../../kernel/index.ts'
import type { OpenBlob } from '../blobs/port.ts'
import { type Picture, pictureTypes } from '../llm/port.ts'
import { type Media, readUpTo } from '../media/port.ts'
import type { Outbound } from '../outbound/port.ts'
import type { DraftId } from '../scope/port.ts'
import type { Sites } from '../sites/port.ts'

/** Reads a picture that the content of a draft names; `undefined` where it cannot be read. */
export type ReadPicture = (id: DraftId, address: string, signal: AbortSignal) => Promise<Picture | undefined>

/** Most bytes of a picture that providers accept. */
const maxBytes = 5 * 1024 * 1024
const timeoutMs = 10_000

/**
 * Makes the reader of pictures for models.
 *
 * The address is untrusted, so it is fetched by `outbound`: no private networks unless the operator listed the origin.
 * A file of this service is read from its store. Any other address without a host belongs to the site, at its registered
 * address.
 */
export function createReadPicture({ outbound, sites, media, log }: { readonly outbound: Outbound; readonly sites: Sites; readonly media: Media | undefined; readonly log: Logger }): ReadPicture {
  return async (id, address, signal) => {
    const own = await media?.open(address)
    if (own) return pictureIn(own)
    const url = URL.parse(address) ?? URL.parse(address, await sites.previewUrl(id))
    if (!url) return undefined
    try {
      const { status, headers, bytes } = await outbound.fetch(url, { maxBytes, timeoutMs, types: pictureTypes, signal })
      const type = pictureTypes.find((each) => headers['content-type']?.toLowerCase().startsWith(each))
      return status === 200 && type !== undefined ? { type, bytes } : undefined
    } catch (err) {
      if (!(err instanceof Refusal)) throw err
      log.info({ reason: err.code }, 'failed to read a picture')
      return undefined
    }
  }
}

/** A stored file as a picture; `undefined` for one of another kind, and for one that is too large. */
async function pictureIn(file: OpenBlob): Promise<Picture | undefined> {
  const type = pictureTypes.find((each) => each === file.type)
  const bytes = type && (await readUpTo(file, maxBytes))
  return type && bytes && { type, bytes }
}
