import type { Logger } from '../../../kernel/index.ts'
import type { ChatModels, ModelTools } from '../../chat-model/port.ts'
import type { ModelClient } from '../../llm/port.ts'
import type { CheckDeps } from '../pipeline/validate.ts'
import type { Variation } from '../result.ts'
import { mostVariations } from '../types/variations.ts'
import { distinct, proposedIn, tried } from './attempt.ts'
import { variationCall, type VariationTask } from './call.ts'
import { variationTool, variationToolName, withinFields } from './tool.ts'

export interface MakeDeps {
  readonly models: ChatModels
  readonly tools: ModelTools
  readonly client: ModelClient
  readonly log: Logger
  readonly check: CheckDeps
  /** The name of a variation whose own is missing. */
  readonly nameOf: (number: number) => string
  /** Addresses for the image of the block, which are used in turn. */
  readonly images: readonly string[]
}

/**
 * Asks a model for variations, again where nothing that it gave can be used; `undefined` when the block is too long to ask.
 *
 * Throws a `PlannerFailure` where the provider, the model or its answers are the reason that there are none, and `Canceled`
 * when the run is.
 */
export async function makeVariations(task: VariationTask, deps: MakeDeps): Promise<readonly Variation[] | undefined> {
  const { run: { how, locale, record, tier }, blockType, fields, count } = task
  const { models, tools, client, log } = deps
  await models.checkBudget(locale)
  const model = client.modelOf(tier)
  const tool = variationTool(blockType, fields, count)
  return tools.write({
    client,
    locale,
    log,
    run: { id: how.id, signal: how.signal, emit: how.emit, spent: record.spent },
    tool: variationToolName,
    call: (problem) => variationCall(task, { model, tool, budget: models.requestBytes, problem, tools }),
    begin: ({ model }) => record.attempting({ model, tier, attempt: (record.facts()?.attempt ?? 0) + 1 }),
    read(answer) {
      const { variations, problem } = read(answer, task, deps)
      return variations.length > 0 ? { value: variations.slice(0, count) } : { problem }
    },
  })
}

/** What a model proposes beyond so many is not looked at. */
const mostRead = 2 * mostVariations

/** The variations in an answer that can be applied, and what is wrong with the last one that cannot. */
function read(answer: Parameters<Parameters<ModelTools['write']>[0]['read']>[0], { run, context, block, blockType, fields }: VariationTask, { check, nameOf, images, tools }: MakeDeps): { readonly variations: readonly Variation[]; readonly problem: string } {
  const proposed = answer && proposedIn(answer.plan ?? answer.prose, tools)
  if (!proposed) return { variations: [], problem: 'it has no list of variations' }
  let problem = 'it has no variation'
  const hasImage = Object.hasOwn(blockType.fields, 'imageUrl')
  const variations = proposed.slice(0, mostRead).flatMap(({ title, summary, patch }, at): readonly Variation[] => {
    const image = hasImage && images.length > 0 ? { imageUrl: images[at % images.length] } : {}
    const result = tried({ ...withinFields(patch, fields), ...image }, block, context, run, check)
    if (!result.ok) problem = result.problem
    return result.ok ? [{ id: `${run.how.id}-${at + 1}`, title: title || nameOf(at + 1), summary, patch: result.patch, changedKeys: Object.keys(result.patch) }] : []
  })
  return { variations: distinct(variations), problem }
}
