import * as v from 'valibot'
import { clock, definePlugin, optional } from '../../kernel/index.ts'
import { messageReader, type SourceKind, variationMaker } from '../chat/port.ts'
import { chatModels } from '../chat-model/port.ts'
import { ownValue } from '../content/plain-object.ts'
import { createVariationStore } from './kept.ts'

const VariationVariables = v.object({
  VARIATION_DEFAULT_IMAGE_SOURCE: v.pipe(
    v.optional(v.string(), 'unsplash'),
    v.description(
      'Which images variations ask for first where the message names none: `unsplash` for those of photo libraries, `generated`, or `brand` for those of the site.',
    ),
  ),
})
type VariationVariables = v.InferOutput<typeof VariationVariables>

/** Variations of a block for chat, written by a model, with images if the message asks for them. */
export default definePlugin({
  name: 'chat-variations',
  tag: 'Chat',
  env: VariationVariables,
  needs: { clock, reader: messageReader, models: optional(chatModels) },
  gives: { variationMaker },
}).setup(({ needs: { clock, reader, models }, env, log }) => {
  const store = createVariationStore(clock)
  const imageSource = toImageSource(env, (variable) => log.warn({ variable }, 'invalid value ignored, using the default'))
  return {
    gives: {
      async variationMaker() {
        const [words, { createVariationMaker }] = await Promise.all([reader(), import('./maker.ts')])
        return createVariationMaker({ log, store, words, models, imageSource })
      },
    },
    close: store.stop,
  }
})

const sources: Readonly<Record<string, SourceKind>> = { unsplash: 'stock', stock: 'stock', generated: 'generated', brand: 'brand' }

/** Returns the image source to ask first. An unknown word leaves the default and calls `warn`. */
export function toImageSource(env: VariationVariables, warn: (variable: keyof VariationVariables) => void): SourceKind {
  const source = ownValue(sources, env.VARIATION_DEFAULT_IMAGE_SOURCE.trim().toLowerCase())
  if (!source) warn('VARIATION_DEFAULT_IMAGE_SOURCE')
  return source ?? 'stock'
}
