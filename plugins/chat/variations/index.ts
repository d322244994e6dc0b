import type { Logger } from '../../../kernel/index.ts'
import type { ChatModels, ModelTools } from '../../chat-model/port.ts'
import { authorityOf } from '../../content/authority.ts'
import type { Block, Page } from '../../content/model.ts'
import { ownValue } from '../../content/plain-object.ts'
import { builtinRegistry } from '../../content/registry.ts'
import { wordsOf } from '../../content/words.ts'
import type { ModelClient } from '../../llm/port.ts'
import { planLocally } from '../pipeline/plan.ts'
import type { CheckDeps } from '../pipeline/validate.ts'
import { textsIn } from '../texts/index.ts'
import { type Ending, type NotVaried, placeOf, type VariationFacts } from '../types/ending.ts'
import { phases } from '../types/events.ts'
import { type ImageWork, workingImages } from '../types/images.ts'
import { type SourceKind, suggestionsIn } from '../types/plan.ts'
import { byRulesAlone, type Planner, PlannerFailure, type Source } from '../types/planner.ts'
import type { MessageReader, SaidImages } from '../types/reader.ts'
import type { Run, RunContext } from '../types/run.ts'
import { mostVariations, type VariationFollower, type VariationIntent, type Variations } from '../types/variations.ts'
import { tried } from './attempt.ts'
import type { VariationTask } from './call.ts'
import { variedFields } from './fields.ts'
import type { Kept, KeptVariations } from './kept.ts'

export { createVariationRunner } from './runner.ts'

export interface VariationParts extends CheckDeps {
  readonly log: Logger
  readonly planners: readonly Planner[]
  readonly kept: Kept
  readonly words: MessageReader
  /** Without a model there are no variations. */
  readonly models: ChatModels | undefined
  /** What gets images; `undefined` where nothing does. */
  readonly images: ImageWork | undefined
  /** The source of images that is asked first where a message names none. */
  readonly imageSource: SourceKind
}

/** What is varied, and where it stands. */
interface Target {
  readonly page: Page
  readonly block: Block
  readonly client: ModelClient
  readonly models: ChatModels
  readonly tools: ModelTools
}

/** Variations, and what is said beside them. */
interface Told extends KeptVariations {
  readonly facts: VariationFacts
}

/** How images come to variations. */
interface Images {
  readonly said: SaidImages
  readonly work: ImageWork
  readonly follower: VariationFollower | undefined
  readonly tools: ModelTools
}

/** Makes what answers requests for variations. */
export function createVariations(parts: VariationParts): Variations {
  const { models, kept, words: reader } = parts
  const clients = models?.clients ?? []

  async function endingOf(run: Run, context: RunContext, intent: VariationIntent, follower: VariationFollower | undefined): Promise<Ending> {
    const page = context.draft.pages.find(({ slug }) => slug === context.selection.slug)
    const block = page?.blocks.find(({ id }) => id === context.selection.blockId)
    if (!page || !block) return notVaried(run, context, 'noBlock')
    const client = clients.find(({ provider }) => provider === run.request.provider) ?? clients[0]
    if (!models || !client) return notVaried(run, context, 'noModel')
    const tools = await models.load()
    const again = intent.again ? shownAgain(run, context, block, tools) : undefined
    if (again) return again
    try {
      return await made(run, context, { page, block, client, models, tools }, follower)
    } catch (failure) {
      if (!(failure instanceof PlannerFailure)) throw failure
      return { kind: 'failed', failure, source: sourceOf(client, run) }
    }
  }

  async function made(run: Run, context: RunContext, { page, block, client, models, tools }: Target, follower: VariationFollower | undefined): Promise<Ending> {
    const authority = authorityOf(block.type, { registry: builtinRegistry, manifest: run.site.manifest })
    const words = wordsOf(run.message.slice(0, 2_000))
    const said = reader.variationImages(run.message)
    const { addresses, isAsked } = said
    const image = authority.ok ? ownValue(authority.blockType.fields, 'imageUrl') : undefined
    const work = image?.kind === 'image' && isAsked && addresses.length === 0 ? workingImages(parts) : undefined
    const fields = authority.ok ? variedFields(authority.blockType, words, { hasImage: addresses.length > 0 || work !== undefined }) : {}
    if (!authority.ok || Object.keys(fields).length === 0) return notVaried(run, context, 'nothing')
    const { blockType } = authority
    const asked = reader.variationCount(run.message)
    const { tier } = run
    run.how.emit({ type: 'status', message: phases.varying })
    const { makeVariations } = await import('./make.ts')
    const shown = kept.find(keyOf(run, context, block))?.variations ?? []
    const task = { run, context, page, block, blockType, fields, shown, count: Math.min(asked, mostVariations), isIllustrated: work !== undefined }
    const written = await makeVariations(task, { log: parts.log, models, tools, client, check: parts, nameOf: textsIn(run.locale).variation, images: addresses })
    if (!written) return notVaried(run, context, 'tooLong')
    const facts = { asked, most: mostVariations, isAgain: false, images: imageNote(said, { hasImage: image !== undefined, isSought: work !== undefined }) }
    const texts = { variations: written, source: sourceOf(client, run), modelKey: tier, facts }
    const set = work ? await withImages(texts, task, { said, work, follower, tools }) : texts
    if (!set) return notVaried(run, context, 'noImages')
    kept.keep(keyOf(run, context, block), set)
    return varied(run, context, { ...set, block }, tools)
  }

  /** The same variations with images, which are looked for while their texts can be read already; `undefined` where nothing is left of them. */
  async function withImages(texts: Told, task: VariationTask, { said, work, follower, tools }: Images): Promise<Told | undefined> {
    const { run, context, block } = task
    follower?.written(varied(run, context, { ...texts, block }, tools))
    const choice = context.memory.images?.choice
    const source = said.source ?? (choice === 'any' ? undefined : choice) ?? parts.imageSource
    const { illustrated } = await import('./illustrate.ts')
    const { variations, without } = await illustrated(texts.variations, task, { images: work, source, isShared: said.isShared, check: parts, tell: (...each) => follower?.settled(...each) })
    if (variations.length === 0) return undefined
    return { ...texts, variations, facts: { ...texts.facts, images: without > 0 ? 'not found' : undefined } }
  }

  /** Those of a moment ago, as far as they fit the block as it is now. */
  function shownAgain(run: Run, context: RunContext, block: Block, tools: ModelTools): Ending | undefined {
    const found = kept.find(keyOf(run, context, block))
    const variations = found?.variations.flatMap((variation) => {
      const result = tried(variation.patch, block, context, run, parts)
      return result.ok ? [{ ...variation, patch: result.patch, changedKeys: Object.keys(result.patch) }] : []
    })
    if (!found || !variations || variations.length === 0) return undefined
    return varied(run, context, { ...found, variations, block, facts: { asked: variations.length, most: mostVariations, isAgain: true } }, tools)
  }

  async function notVaried(run: Run, context: RunContext, why: NotVaried): Promise<Ending> {
    const alone = clients.length === 0
    const suggestions = alone ? suggestionsIn(await planLocally(run, context, parts.planners)) : []
    return { kind: 'notVaried', why, alone, suggestions, source: byRulesAlone }
  }

  return {
    intentOf: reader.variationIntent,
    vary: async (run, context, intent, follower) => ({ ending: await endingOf(run, context, intent, follower), place: placeOf(context) }),
  }
}

const keyOf = ({ id }: Run, { selection }: RunContext, block: Block): string => JSON.stringify([id.siteId, id.session, selection.slug, block.id])

const sourceOf = ({ provider }: ModelClient, { record }: Run): Source => ({ plannerSource: provider, modelUsed: record.facts()?.model ?? provider, plannerTier: 'full_llm' })

function imageNote({ addresses, isAsked }: SaidImages, { hasImage, isSought }: { readonly hasImage: boolean; readonly isSought: boolean }): VariationFacts['images'] {
  if (!isAsked || isSought) return undefined
  if (!hasImage) return 'no image'
  return addresses.length === 0 ? 'no address' : undefined
}

function varied(run: Run, { selection }: RunContext, { block, variations, source, modelKey, facts }: Told & { readonly block: Block }, { shownProps }: ModelTools): Ending {
  const { calls, ...usage } = run.record.meter.total()
  const blockType = run.site.manifest?.get(block.type) ?? builtinRegistry.get(block.type)
  const set = {
    blockId: block.id,
    blockType: block.type,
    pageSlug: selection.slug,
    baseProps: shownProps(block.props, blockType),
    variations: [...variations],
    ...(calls > 0 && { usage }),
  }
  return { kind: 'varied', set, source, modelKey, facts }
}
