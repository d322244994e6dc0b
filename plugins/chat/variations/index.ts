import * as v from 'valibot'
import { definePlugin, optional, wordVariable } from '../../../kernel/index.ts'
import { type VariationMaker, variationMaker } from '../port.ts'
import type { SourceKind } from '../../media/port.ts'
import { chatModels } from '../model/port.ts'
import { ownValue } from '../../content/plain-object.ts'
import { createVariationStore } from './variation-store.ts'
import { texts } from './texts.ts'

const sources: Readonly<Record<string, SourceKind>> = {
  unsplash: 'stock',
  stock: 'stock',
  generated: 'generated',
  brand: 'brand',
}

/** Variations of a block for chat, written by a model, with images if the message asks for them. */
export default definePlugin({
  name: 'chat-variations',
  tag: 'Chat',
  env: v.object({
    VARIATION_DEFAULT_IMAGE_SOURCE: wordVariable(
      'unsplash',
      'Which images variations ask for first where the message names none: ' +
        '`unsplash` for those of photo libraries, `generated`, or `brand` for those of the site.',
    ),
  }),
  needs: { models: optional(chatModels) },
  gives: { variationMaker },
}).setup(({ needs: { models }, env, log }) => {
  const store = createVariationStore()
  const named = ownValue(sources, env.VARIATION_DEFAULT_IMAGE_SOURCE.trim().toLowerCase())
  const variable = 'VARIATION_DEFAULT_IMAGE_SOURCE'
  if (!named) log.warn({ variable }, 'invalid value ignored, using the default')
  const maker: VariationMaker = {
    get hasModel() {
      return models !== undefined && models.clients.length > 0
    },
    async make(ask) {
      const { vary } = await import('./vary.ts')
      return models ? vary(ask, { log, store, models, imageSource: named ?? 'stock' }) : texts.nothing
    },
  }
  return { gives: { variationMaker: maker }, close: store.stop }
})
