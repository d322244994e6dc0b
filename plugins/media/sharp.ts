import { limitConcurrency } from '../../kernel/index.ts'

/** The maximum pixels of an image that is stored or converted. */
export const maxPixels = 40_000_000
/** How stored images are decoded: they are shown as far as they go, as browsers do. */
export const decoding = { limitInputPixels: maxPixels, failOn: 'none' } as const
/** The queue of all image conversions of the process. */
export const conversions = limitConcurrency(1)

/**
 * The optional package, loaded on first use, with one thread for an image and no cache. Inside `try`,
 * bundlers let a missing package fail at run time.
 */
export async function loadSharp() {
  try {
    const { default: sharp } = await import('sharp')
    sharp.concurrency(1)
    sharp.cache(false)
    return sharp
  } catch {
    return undefined
  }
}
