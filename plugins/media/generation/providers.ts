import { hash } from 'node:crypto'
import { loadSharp } from '../port.ts'
import type { Aspect, ImageGenerator } from '../../models/port.ts'
import { refusals } from './refusals.ts'

/** The providers that requests can choose. */
export interface Providers {
  readonly generators: readonly ImageGenerator[]
  /** The name of the default provider. */
  readonly preferred: string
}

const builtin = ['openai', 'gemini', 'placeholder']

/** Returns the valid provider names. */
export const namesOf = ({ generators }: Providers): readonly string[] => [
  ...new Set([...builtin, ...generators.map(({ provider }) => provider)]),
]

/** Chooses a provider or a fallback. Refuses with 400 `unknown_provider` and 503 `image_provider_missing`. */
export function choose(
  requested: string | undefined,
  providers: Providers,
): { readonly generator: ImageGenerator; readonly isFallback: boolean } {
  const { generators, preferred } = providers
  const names = namesOf(providers)
  const name = requested?.toLowerCase()
  if (name !== undefined && !names.includes(name)) throw refusals.unknownProvider(names.join(', '))
  const wanted = name ?? preferred
  const exact = [...generators, placeholder].find(({ provider }) => provider === wanted)
  const generator = exact ?? generators[0]
  if (!generator) throw refusals.providerMissing()
  return { generator, isFallback: name !== undefined && !exact }
}

/** True if requests without a provider can be served. */
export const canMake = ({ generators, preferred }: Providers): boolean =>
  generators.length > 0 || preferred === placeholder.provider

const sizes: Readonly<Record<Aspect, readonly [width: number, height: number]>> = {
  landscape: [1536, 1024],
  square: [1024, 1024],
  portrait: [1024, 1536],
}

/** Generates a colour gradient from the prompt, without a model or network access. */
const placeholder: ImageGenerator = {
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
