import { type Logger, Refusal } from '../../kernel/index.ts'
import type { OpenBlob } from '../blobs/port.ts'
import { type Picture, pictureTypes } from '../llm/port.ts'
import { type Media, readUpTo } from '../media/port.ts'
import type { Outbound } from '../outbound/port.ts'
import type { DraftId } from '../scope/port.ts'
import type { Sites } from '../sites/port.ts'

/** Gets a picture that the content of a draft names; `undefined` where it cannot be had. */
export type ReadPicture = (id: DraftId, address: string, signal: AbortSignal) => Promise<Picture | undefined>

/** What providers take of one picture. */
const maxBytes = 5 * 1024 * 1024
const timeoutMs = 10_000

/**
 * Makes the reading of pictures for models that look at them.
 *
 * Content names the address, so it goes the guarded way out: private networks are closed unless the operator listed the origin.
 * A file of this service is read from where it is stored. Any other address without a host is one of the site, at the address
 * that it registered.
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
      log.info({ reason: err.code }, 'a picture could not be read')
      return undefined
    }
  }
}

/** A stored file as a picture; `undefined` for one of another kind, and for one that is too large. */
export async function pictureIn(file: OpenBlob): Promise<Picture | undefined> {
  const type = pictureTypes.find((each) => each === file.type)
  const bytes = type && (await readUpTo(file, maxBytes))
  return type && bytes && { type, bytes }
}
