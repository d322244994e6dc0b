import { hash } from 'node:crypto'
import { loadSharp } from '../media/port.ts'
import type { Aspect, ImageGenerator } from './port.ts'
import { refusals } from './refusals.ts'

/** The provider for one request. */
export interface Chosen {
  readonly generator: ImageGenerator
  /** Another one was asked for, which has no key. */
  readonly isFallback: boolean
}

/** What requests may choose among. */
export interface Providers {
  readonly generators: readonly ImageGenerator[]
  /** The one that is used where a request names none. */
  readonly usual: string
}

const builtin = ['openai', 'gemini', 'placeholder']

/** The names that requests may use. */
export const namesOf = ({ generators }: Providers): readonly string[] => [...new Set([...builtin, ...generators.map(({ provider }) => provider)])]

/** The provider that a request gets. Refuses with 400 `unknown_provider`, and with 503 `image_provider_missing` where there is none. */
export function choose(asked: string | undefined, providers: Providers): Chosen {
  const { generators, usual } = providers
  const known = namesOf(providers)
  const name = asked?.toLowerCase()
  if (name !== undefined && !known.includes(name)) throw refusals.unknownProvider(known.join(', '))
  const wanted = name ?? usual
  const exact = [...generators, placeholder].find(({ provider }) => provider === wanted)
  const generator = exact ?? generators[0]
  if (!generator) throw refusals.providerMissing()
  return { generator, isFallback: name !== undefined && !exact }
}

/** Whether a request that names no provider gets an image. */
export const canMake = ({ generators, usual }: Providers): boolean => generators.length > 0 || usual === placeholder.provider

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
