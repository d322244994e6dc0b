/** The start of a JPEG with an empty segment, after which readers expect the next one. */
const start = Buffer.from('ffd8ffe00002', 'hex')
const mark = Buffer.from('ffd8ff', 'hex')
const exif = Buffer.from('Exif\0\0')
const empty = Buffer.alloc(0)
/** Above what a photo has: 10 MiB of metadata are 160 segments. */
const maxSteps = 10_000

/**
 * Returns a JPEG of only the orientation and the size of the given one, which may be behind other bytes and behind
 * megabytes of metadata; `undefined` if the size is not among the given bytes.
 */
export function jpegHeader(jpeg: Buffer): Buffer | undefined {
  let orientation: Buffer | undefined
  let at = 2
  for (let steps = 0; steps < maxSteps; steps++) {
    at = jpeg.indexOf(0xff, at)
    if (at === -1 || at + 4 > jpeg.length) return undefined
    const code = jpeg[at + 1] ?? 0
    if (!hasLength(code)) {
      at++
      continue
    }
    const end = at + 2 + jpeg.readUInt16BE(at + 2)
    const segment = jpeg.subarray(at, end)
    if (isSize(code))
      return end > jpeg.length ? undefined : Buffer.concat([start, orientation ?? empty, segment])
    if (code === 0xe1 && segment.subarray(4, 10).equals(exif)) orientation ??= segment
    at = end
  }
  return undefined
}

const hasLength = (code: number): boolean => code > 1 && code < 0xff && !(code >= 0xd0 && code <= 0xd8)

/** True for the start of a frame of any coding. */
const isSize = (code: number): boolean => code >= 0xc0 && code <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(code)

/** True for the first bytes of a JPEG whose size follows. */
export const lacksSize = (head: Buffer): boolean =>
  head.subarray(0, mark.length).equals(mark) && jpegHeader(head) === undefined
