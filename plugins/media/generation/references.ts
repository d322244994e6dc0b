import { Refusal } from '../../../kernel/index.ts'
import { type Picture, ratios, type Aspect, type Ratio } from '../../models/port.ts'
import { readUpTo, type Media } from '../port.ts'
import type { Outbound } from '../../outbound/port.ts'

/** The limits of one download. */
const maxBytes = 5 * 1024 * 1024
const timeoutMs = 8_000
/** The maximum total size of the images in a message that providers accept, before base64. */
const maxTotalBytes = 14 * 1024 * 1024

/** Reads images by address. Omits unreadable images, and those beyond the total size. */
export type ReadReferences = (
  addresses: Iterable<string>,
  signal: AbortSignal,
) => Promise<ReadonlyMap<string, Picture>>

/** Creates the reader of reference images: stored files are read directly, others through `outbound`. */
export function createReadReferences({
  media,
  outbound,
}: {
  readonly media: Media
  readonly outbound: Outbound
}): ReadReferences {
  const read = async (address: string, signal: AbortSignal): Promise<Picture | undefined> => {
    try {
      const own = await media.open(address)
      const bytes = own ? await readUpTo(own, maxTotalBytes) : await download(address, signal)
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
      if (!picture || total + picture.bytes.length > maxTotalBytes) continue
      total += picture.bytes.length
      pictures.set(address, picture)
    }
    return pictures
  }
}

const named: ReadonlyMap<string, Ratio> = new Map<Aspect, Ratio>([
  ['landscape', '3:2'],
  ['square', '1:1'],
  ['portrait', '2:3'],
])

/** Parses a requested ratio: a word, or numbers such as `4:3`, mapped to the nearest supported ratio. */
export function toRatio(text: string | undefined): Ratio | undefined {
  const word = text?.trim().toLowerCase() ?? ''
  const [, width, height] = /^(\d{1,2}):(\d{1,2})$/.exec(word) ?? []
  return named.get(word) ?? nearest(Number(width), Number(height))
}

const numbers =
  /(?<!\d|:)(?<at>\bat\s+)?(?<width>\d{1,2}):(?<height>\d{1,2})(?!\d|:)(?<time>\s?[ap]\.?m\b)?/gi
const wide = /\b(?:widescreen|wide-screen|ultra-?wide|ultra wide)\b/i
const orientation =
  /\b(portrait|landscape)\s+(?:aspect\s+)?(?:ratio|aspect|orientation|format)\b|\b(?:ratio|aspect|orientation|format)(?:\s+(?:is|of|in)|\s?[:=])?\s+(portrait|landscape)\b/i

/** Finds the ratio mentioned in a prompt; ignores times of day. */
export function ratioIn(prompt: string): Ratio | undefined {
  for (const { groups = {} } of prompt.matchAll(numbers)) {
    const isTime = groups['at'] !== undefined || groups['time'] !== undefined
    const ratio = isTime ? undefined : nearest(Number(groups['width']), Number(groups['height']))
    if (ratio) return ratio
  }
  if (/\bsquare\b/i.test(prompt)) return '1:1'
  const [, before, behind] = orientation.exec(prompt) ?? []
  return named.get((before ?? behind ?? '').toLowerCase()) ?? (wide.test(prompt) ? '16:9' : undefined)
}

function nearest(width: number, height: number): Ratio | undefined {
  const isRatio =
    [width, height].every((side) => side >= 1 && side <= 32) && width / height <= 3 && height / width <= 3
  if (!isRatio) return undefined
  const distance = (ratio: Ratio): number => {
    const [w, h] = ratio.split(':').map(Number)
    return Math.abs(Math.log((width / height) * (Number(h) / Number(w))))
  }
  return ratios.toSorted((a, b) => distance(a) - distance(b))[0]
}
