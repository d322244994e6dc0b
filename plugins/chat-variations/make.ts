import * as v from 'valibot'
import type { Logger } from '../../kernel/index.ts'
import { mostVariations, type Variation } from '../chat/port.ts'
import type { ChatModels, ModelTools } from '../chat-model/port.ts'
import { withoutGeneratedItemIds } from '../content/items.ts'
import type { Props } from '../content/model.ts'
import { inLanguage } from '../content/naming.ts'
import { sameJson } from '../content/same-json.ts'
import type { ModelClient } from '../llm/port.ts'
import { variationCall, type VariationTask } from './call.ts'
import { withPatch } from './illustrate.ts'
import { variationTool, withinFields } from './tool.ts'

const text = (most: number) => v.fallback(v.pipe(v.string(), v.trim(), v.transform((text) => text.slice(0, most))), '')
const Proposed = v.object({ title: text(80), summary: text(300), patch: v.record(v.string(), v.unknown()) })
const Answer = v.object({ variations: v.array(v.unknown()) })

/** The maximum number of proposals that are read. */
const mostRead = 2 * mostVariations

export interface MakeDeps {
  readonly models: ChatModels
  readonly tools: ModelTools
  readonly client: ModelClient
  readonly log: Logger
  /** Addresses for the image of the block, used in rotation. */
  readonly addresses: readonly string[]
}

/**
 * Asks a model for variations, again if its answer is unusable; returns `undefined` if the block is too long.
 *
 * Throws a `PlannerFailure` if the provider, the model or its answers yield no variations, and `Canceled`
 * when the run is canceled.
 */
export async function makeVariations(task: VariationTask, deps: MakeDeps): Promise<readonly Variation[] | undefined> {
  const { models, tools, client, log, addresses } = deps
  const { input: { locale }, run: { id, signal, emit, spent, attempting, facts }, tier, blockType, fields, count } = task
  await models.checkBudget(locale)
  const model = client.modelOf(tier)
  const tool = variationTool(blockType, fields, count)
  return tools.write({
    client,
    locale,
    log,
    run: { id, signal, emit, spent },
    call: (problem) => variationCall(task, { model, tool, budget: models.requestBytes, problem, tools }),
    begin: () => void attempting({ model, tier, attempt: (facts()?.attempt ?? 0) + 1 }),
    read(answer) {
      const proposed = answer && v.safeParse(Answer, tools.readJson(answer.plan ?? answer.prose)?.value)
      if (!proposed?.success) return { problem: 'it has no list of variations' }
      const variations = usable(proposed.output.variations, task, addresses)
      return typeof variations === 'string' ? { problem: variations } : { value: variations.slice(0, count) }
    },
  })
}

/** The applicable variations of an answer; if there are none, the problems of the last one. */
function usable(proposed: readonly unknown[], task: VariationTask, addresses: readonly string[]): readonly Variation[] | string {
  const { input: { locale }, run, tried, blockType, fields } = task
  let problem = 'it has no variation'
  const hasImage = Object.hasOwn(blockType.fields, 'imageUrl')
  const read = proposed.flatMap((each) => {
    const { success, output } = v.safeParse(Proposed, each)
    return success ? [output] : []
  })
  const variations = read.slice(0, mostRead).flatMap(({ title, summary, patch }, at): readonly Variation[] => {
    const image = hasImage && addresses.length > 0 ? { imageUrl: addresses[at % addresses.length] } : {}
    const result = tried({ ...withinFields(patch, fields), ...image })
    if ('problem' in result) {
      problem = result.problem
      return []
    }
    const name = `${inLanguage({ en: 'Variation', de: 'Variante' }, locale)} ${at + 1}`
    return [withPatch({ id: `${run.id}-${at + 1}`, title: title || name, summary }, result.patch)]
  })
  return variations.length > 0 ? distinct(variations) : problem
}

/** Removes duplicate variations; the first one stays. */
function distinct(variations: readonly Variation[]): readonly Variation[] {
  const seen: Props[] = []
  return variations.filter(({ patch }) => {
    const content = withoutGeneratedItemIds(patch)
    const isNew = !seen.some((each) => sameJson(each, content))
    seen.push(content)
    return isNew
  })
}
