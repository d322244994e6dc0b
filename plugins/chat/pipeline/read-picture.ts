import { type Logger, Refusal } from '../../../kernel/index.ts'
import { type Picture, pictureTypes } from '../../models/port.ts'
import { type Media, readUpTo } from '../../media/port.ts'
import type { Outbound } from '../../outbound/port.ts'
import type { DraftId } from '../../scope/port.ts'
import type { Sites } from '../../sites/port.ts'

/** The maximum size of a picture that providers accept, in bytes. */
const maxBytes = 5 * 1024 * 1024
const timeoutMs = 10_000

interface PictureSources {
  readonly outbound: Outbound
  readonly sites: Sites
  readonly media: Media | undefined
  readonly log: Logger
}

const typeNamed = (type = '') => pictureTypes.find((each) => type.toLowerCase().startsWith(each))

/**
 * Reads a picture for a model; returns `undefined` if it cannot be read, is too large, or has an unsupported
 * type.
 *
 * The address is untrusted, so it is fetched by `outbound`: no private networks unless the operator listed
 * the origin. A file of this service is read from its store. Any other address without a host is resolved
 * against the registered address of the site.
 */
export async function readPicture(
  { outbound, sites, media, log }: PictureSources,
  id: DraftId,
  address: string,
  signal: AbortSignal,
): Promise<Picture | undefined> {
  const own = await media?.open(address)
  if (own) {
    const type = typeNamed(own.type)
    const bytes = type && (await readUpTo(own, maxBytes))
    return type && bytes && { type, bytes }
  }
  const url = URL.parse(address) ?? URL.parse(address, await sites.previewUrl(id))
  if (!url) return undefined
  try {
    const how = { maxBytes, timeoutMs, types: pictureTypes, signal }
    const { status, headers, bytes } = await outbound.fetch(url, how)
    const type = typeNamed(headers['content-type'])
    return status === 200 && type !== undefined ? { type, bytes } : undefined
  } catch (err) {
    if (!(err instanceof Refusal)) throw err
    log.info({ reason: err.code }, 'failed to read a picture')
    return undefined
  }
}
