import type { Logger } from '../../kernel/index.ts'
import {
  type MessageReader, mostVariations, phases, PlannerFailure, type SourceKind, type VariationAsk, type VariationMaker,
} from '../chat/port.ts'
import type { ChatModels, ModelTools } from '../chat-model/port.ts'
import { authorityOf, declaredType } from '../content/authority.ts'
import { ownValue } from '../content/plain-object.ts'
import { wordsOf } from '../content/words.ts'
import type { ModelClient } from '../llm/port.ts'
import { variedFields } from './fields.ts'
import { illustrated, withPatch } from './illustrate.ts'
import type { StoredVariations, VariationStore, Varied } from './kept.ts'
import { makeVariations } from './make.ts'

export interface MakerParts {
  readonly log: Logger
  readonly store: VariationStore
  readonly words: MessageReader
  /** Without a model there are no variations. */
  readonly models: ChatModels | undefined
  /** The image source to ask first if a message names none. */
  readonly imageSource: SourceKind
}

/** A request, and the model to ask. */
interface Making {
  readonly ask: VariationAsk
  readonly client: ModelClient
  readonly models: ChatModels
  readonly tools: ModelTools
}

type Texts = StoredVariations & Pick<Varied, 'facts'>

export function createVariationMaker({ log, store, words, models, imageSource }: MakerParts): VariationMaker {
  const clients = models?.clients ?? []
  return {
    hasModel: clients.length > 0,
    async make(ask) {
      const client = clients.find(({ provider }) => provider === ask.provider) ?? clients[0]
      if (!models || !client) return 'noModel'
      const making = { ask, client, models, tools: await models.load() }
      const again = ask.isAgain ? shownAgain(making) : undefined
      if (again) return again
      try {
        return await made(making)
      } catch (failure) {
        if (!(failure instanceof PlannerFailure)) throw failure
        return { kind: 'failed', failure, source: sourceOf(making) }
      }
    },
  }

  async function made(making: Making): ReturnType<VariationMaker['make']> {
    const { ask, models, tools, client } = making
    const { input, block, run, tier } = ask
    const authority = authorityOf(block.type, input)
    if (!authority.ok) return 'nothing'
    const { blockType } = authority
    const said = words.variationImages(input.message)
    const { addresses, isAsked } = said
    const image = ownValue(blockType.fields, 'imageUrl')
    const images = image?.kind === 'image' && isAsked && addresses.length === 0 ? ask.images : undefined
    const isIllustrated = images !== undefined
    const fields = variedFields(blockType, wordsOf(input.message.slice(0, 2_000)), addresses.length > 0 || isIllustrated)
    if (Object.keys(fields).length === 0) return 'nothing'
    run.emit({ type: 'status', message: phases.varying })
    const asked = words.variationCount(input.message)
    const key = keyOf(ask)
    const shown = store.find(key)?.variations ?? []
    const task = { ...ask, blockType, fields, shown, count: Math.min(asked, mostVariations), isIllustrated }
    const variations = await makeVariations(task, { log, models, tools, client, addresses })
    if (!variations) return 'tooLong'
    const note = !isAsked || images ? undefined : !image ? 'no image' : addresses.length === 0 ? 'no address' : undefined
    const facts = { asked, most: mostVariations, isAgain: false, images: note } as const
    const texts = { variations, source: sourceOf(making), modelKey: tier, facts }
    if (!images) return done(texts)
    ask.written(endingOf(making, texts))
    const source = said.source ?? (ask.choice === 'any' ? undefined : ask.choice) ?? imageSource
    const { variations: complete, without } = await illustrated(variations, task, { images, source, isShared: said.isShared })
    if (complete.length === 0) return 'noImages'
    return done({ ...texts, variations: complete, facts: { ...facts, images: without > 0 ? 'not found' : undefined } })

    function done(all: Texts): Varied {
      store.keep(key, all)
      return endingOf(making, all)
    }
  }

  /** Returns the last variations that still fit the block. */
  function shownAgain(making: Making): Varied | undefined {
    const found = store.find(keyOf(making.ask))
    const variations = found?.variations.flatMap((variation) => {
      const result = making.ask.tried(variation.patch)
      return 'patch' in result ? [withPatch(variation, result.patch)] : []
    })
    if (!found || !variations || variations.length === 0) return undefined
    return endingOf(making, { ...found, variations, facts: { asked: variations.length, most: mostVariations, isAgain: true } })
  }
}

const keyOf = ({ draftId: { siteId, session }, page, block }: VariationAsk): string =>
  JSON.stringify([siteId, session, page.slug, block.id])

const sourceOf = ({ client: { provider }, ask: { run } }: Making): Varied['source'] =>
  ({ plannerSource: provider, modelUsed: run.facts()?.model ?? provider, plannerTier: 'full_llm' })

function endingOf({ ask: { input, run, page, block }, tools }: Making, { variations, source, modelKey, facts }: Texts): Varied {
  const { calls, ...usage } = run.meter.total()
  const blockType = declaredType(block.type, input)
  const set = {
    blockId: block.id,
    blockType: block.type,
    pageSlug: page.slug,
    baseProps: tools.shownProps(block.props, blockType),
    variations: [...variations],
    ...(calls > 0 && { usage }),
  }
  return { kind: 'varied', set, source, modelKey, facts }
}
