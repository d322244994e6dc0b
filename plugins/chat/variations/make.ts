import * as v from 'valibot'
import type { Logger } from '../../../kernel/index.ts'
import { mostVariations, type Variation } from '../port.ts'
import type { ChatModels, ModelTools } from '../model/port.ts'
import { withoutGeneratedItemIds } from '../../content/items.ts'
import type { Props } from '../../content/model.ts'
import { sameJson } from '../../content/plain-object.ts'
import type { ModelClient } from '../../models/port.ts'
import { variationCall, type VariationTask } from './call.ts'
import { withPatch } from './illustrate.ts'
import { variationTool, withinFields } from './tool.ts'

const text = (most: number) =>
  v.fallback(
    v.pipe(
      v.string(),
      v.trim(),
      v.transform((text) => text.slice(0, most)),
    ),
    '',
  )
const Proposed = v.object({ title: text(80), summary: text(300), patch: v.record(v.string(), v.unknown()) })
const Answer = v.object({ variations: v.array(v.unknown()) })

/** The maximum number of proposals that are read. */
const mostRead = 2 * mostVariations

export interface MakeDeps {
  readonly models: ChatModels
  readonly tools: ModelTools
  readonly client: ModelClient
  readonly log: Logger
}

/**
 * Asks a model for variations, again if its answer is unusable; returns `undefined` if the block is too long.
 *
 * Throws a `PlannerFailure` if the provider, the model or its answers yield no variations, and `Canceled`
 * when the run is canceled.
 */
export async function makeVariations(task: VariationTask, { models, tools, client, log }: MakeDeps) {
  const {
    run: { id, signal, emit, spent, attempting, facts },
    tier,
    fields,
    count,
  } = task
  await models.checkBudget()
  const model = client.modelOf(tier)
  const tool = variationTool(fields, count)
  return tools.write<readonly Variation[]>({
    client,
    log,
    run: { id, signal, emit, spent },
    call: (problem) => variationCall(task, { model, tool, budget: models.requestBytes, problem, tools }),
    begin: () => void attempting({ model, tier, attempt: (facts()?.attempt ?? 0) + 1 }),
    read(answer) {
      const proposed = answer && v.safeParse(Answer, tools.readJson(answer.plan ?? answer.prose)?.value)
      if (!proposed?.success) return { problem: 'it has no list of variations' }
      return usable(proposed.output.variations, task)
    },
  })
}

/** The applicable and distinct variations of an answer; if there are none, the problems of the last one. */
function usable(proposed: readonly unknown[], task: VariationTask) {
  const { run, tried, blockType, fields, addresses, count } = task
  const hasImage = Object.hasOwn(blockType.fields, 'imageUrl') && addresses.length > 0
  const variations: Variation[] = []
  const seen: Props[] = []
  let problem = 'it has no variation'
  for (const each of proposed.slice(0, mostRead)) {
    const { success, output } = v.safeParse(Proposed, each)
    if (!success || variations.length === count) continue
    const at = variations.length
    const image = hasImage ? { imageUrl: addresses[at % addresses.length] } : {}
    const result = tried({ ...withinFields(output.patch, fields), ...image })
    if ('problem' in result) problem = result.problem
    else if (!seen.some((patch) => sameJson(patch, withoutGeneratedItemIds(result.patch)))) {
      const { title, summary } = output
      const named = { id: `${run.id}-${at + 1}`, title: title || `Variation ${at + 1}`, summary }
      seen.push(withoutGeneratedItemIds(result.patch))
      variations.push(withPatch(named, result.patch))
    }
  }
  return variations.length > 0 ? { value: variations } : { problem }
}
