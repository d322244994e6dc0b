import { conversions, decoding, loadSharp } from './sharp.ts'

const endMarker = Buffer.of(0xff, 0xd9)

/** Whether a JPEG without its end has all its pixels; never true without the package sharp. */
export const isWholeJpeg = (bytes: Buffer): Promise<boolean> =>
  conversions(async () => {
    const sharp = await loadSharp()
    if (!sharp) return false
    // With the end in its place, a decoder complains of pixels only.
    const image = sharp(Buffer.concat([bytes, endMarker]), { ...decoding, failOn: 'warning' })
    try {
      const { height } = await image.metadata()
      // The last line takes no memory, and has all others read.
      await image
        .extract({ left: 0, top: height - 1, width: 1, height: 1 })
        .raw()
        .toBuffer()
      return true
    } catch {
      return false
    }
  })
