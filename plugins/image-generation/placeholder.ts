import { hash } from 'node:crypto'
import { loadSharp } from '../media/port.ts'
import type { Aspect, ImageGenerator } from './port.ts'
import { refusals } from './refusals.ts'

const sizes: Readonly<Record<Aspect, readonly [width: number, height: number]>> = { landscape: [1536, 1024], square: [1024, 1024], portrait: [1024, 1536] }

/** Makes pictures without a model and without the network: from one colour to another, the same for the same prompt. */
export const placeholder: ImageGenerator = {
  provider: 'placeholder',
  modelOf: () => 'placeholder',
  async make({ prompt, aspect }) {
    const sharp = await loadSharp()
    if (!sharp) throw refusals.sharpMissing()
    const [width, height] = sizes[aspect]
    const [first, second] = hash('sha256', prompt).match(/.{6}/g) ?? []
    const gradient = `<linearGradient id="g" x2="1" y2="1"><stop stop-color="#${first}"/><stop offset="1" stop-color="#${second}"/></linearGradient>`
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${gradient}<rect width="100%" height="100%" fill="url(#g)"/></svg>`
    return sharp(Buffer.from(drawing)).png().toBuffer()
  },
}
