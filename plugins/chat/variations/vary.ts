import {
  mostVariations,
  phases,
  PlannerFailure,
  type Variation,
  type VariationAsk,
  type VariationMaker,
} from '../port.ts'
import type { SourceKind } from '../../media/port.ts'
import { authorityOf, declaredType } from '../../content/registry.ts'
import { ownValue } from '../../content/plain-object.ts'
import { illustrated, withPatch } from './illustrate.ts'
import type { VariationStore, Varied } from './variation-store.ts'
import { type MakeDeps, makeVariations } from './make.ts'
import { countIn, imagesIn } from './read-message.ts'
import { texts } from './texts.ts'
import { variedFields } from './tool.ts'

interface VaryParts extends Pick<MakeDeps, 'log' | 'models'> {
  readonly store: VariationStore
  /** The image source to ask first if a message names none. */
  readonly imageSource: SourceKind
}

/** A request, and the model to ask. */
type Making = VaryParts & MakeDeps & { readonly ask: VariationAsk }
type Made = ReturnType<VariationMaker['make']>

/** The part of a message that is read without a model. */
const longestRead = 2_000

/** Returns the variations of a block, or why there are none. */
export async function vary(ask: VariationAsk, parts: VaryParts): Made {
  const { clients } = parts.models
  const client = clients.find(({ provider }) => provider === ask.provider) ?? clients[0]
  if (!client) return texts.nothing
  const making = { ...parts, ask, client, tools: parts.models.tools }
  try {
    return (ask.isAgain ? shownAgain(making) : undefined) ?? (await made(making))
  } catch (failure) {
    if (!(failure instanceof PlannerFailure)) throw failure
    return { kind: 'failed', failure, source: sourceOf(making) }
  }
}

/** Returns the last variations that still fit the block. */
function shownAgain(making: Making): Varied | undefined {
  const found = making.store.find(variationKey(making.ask))
  const variations = (found?.set.variations ?? []).flatMap((variation) => {
    const result = making.ask.tried(variation.patch)
    return 'patch' in result ? [withPatch(variation, result.patch)] : []
  })
  if (!found || variations.length === 0) return undefined
  return { ...found, set: setOf(making, variations), summary: texts.again(variations.length) }
}

async function made(making: Making): Made {
  const { ask, store } = making
  const authority = authorityOf(ask.block.type, ask.input)
  if (!authority.ok) return texts.nothing
  const { blockType } = authority
  const message = ask.input.message.slice(0, longestRead)
  const { addresses, isAsked: isRequested, isShared, source: named } = imagesIn(message)
  const hasImage = ownValue(blockType.fields, 'imageUrl')?.kind === 'image'
  const images = hasImage && isRequested && addresses.length === 0 ? ask.images : undefined
  const fields = variedFields(blockType, message, images !== undefined || addresses.length > 0)
  if (Object.keys(fields).length === 0) return texts.nothing
  ask.run.emit({ type: 'status', message: phases.varying })
  const requested = countIn(message)
  const count = Math.min(requested, mostVariations)
  const shown = store.find(variationKey(ask))?.set.variations ?? []
  const task = { ...ask, blockType, fields, shown, count, addresses }
  const variations = await makeVariations(task, making)
  if (!variations) return texts.tooLong
  const ending = (all: readonly Variation[], note = ''): Varied => {
    const summary = `${texts.made(all.length, requested)} ${note}`.trimEnd()
    return { kind: 'varied', set: setOf(making, all), source: sourceOf(making), modelKey: ask.tier, summary }
  }
  const stored = (varied: Varied): Varied => {
    store.keep(variationKey(ask), varied)
    return varied
  }
  if (!images) {
    const note = !hasImage ? texts.noImage : addresses.length === 0 ? texts.noAddress : undefined
    return stored(ending(variations, isRequested ? note : undefined))
  }
  ask.written(ending(variations))
  const source = named ?? (ask.choice === 'any' ? undefined : ask.choice) ?? making.imageSource
  const complete = await illustrated(variations, task, images, { source, isShared })
  if (complete.variations.length === 0) return texts.onlyImages
  return stored(ending(complete.variations, complete.without > 0 ? texts.notFound : undefined))
}

const variationKey = ({ draftId: { siteId, session }, page, block }: VariationAsk): string =>
  JSON.stringify([siteId, session, page.slug, block.id])

const sourceOf = ({ client: { provider }, ask: { run } }: Making): Varied['source'] => ({
  plannerSource: provider,
  modelUsed: run.facts()?.model ?? provider,
  plannerTier: 'full_llm',
})

function setOf({ ask, tools }: Making, variations: readonly Variation[]): Varied['set'] {
  const { input, run, page, block } = ask
  const { calls, ...usage } = run.meter.total()
  const baseProps = tools.shownProps(block.props, declaredType(block.type, input))
  const target = { blockId: block.id, blockType: block.type, pageSlug: page.slug, baseProps }
  return { ...target, variations: [...variations], ...(calls > 0 && { usage }) }
}
