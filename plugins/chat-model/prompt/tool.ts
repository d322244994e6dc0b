import * as v from 'valibot'
import { mostImages, WantedImage } from '../../chat/port.ts'
import { AnyOperation } from '../../content/operations/parse.ts'
import { toJsonSchema } from '../../docs/port.ts'
import { type ModelTool, stableJson } from '../../llm/port.ts'

export const planToolName = 'submit_edit_plan'

export const intents = ['edit_plan', 'needs_clarification', 'content_answer'] as const

const entries = {
  intent: v.picklist(intents),
  summary_for_user: v.pipe(v.string(), v.nonEmpty()),
  change_log: v.array(v.string()),
  ops: v.array(AnyOperation),
  suggested_next_actions: v.optional(v.pipe(v.array(v.string()), v.maxLength(5))),
}
const images = v.optional(v.pipe(v.array(WantedImage), v.maxLength(mostImages), v.description('New images that are to be looked for, beside the operations or alone.')))

/**
 * Creates the tool for submitting a plan, with and without images. Its schema is derived from the operations,
 * and byte-identical every time. No provider can enforce it: the props of a patch depend on its block, and
 * sixteen operations have too many optional keys for `strict`.
 */
export async function planTools() {
  return { plain: await planTool(v.object(entries)), withImages: await planTool(v.object({ ...entries, images })) }
}

export type PlanTools = Awaited<ReturnType<typeof planTools>>

async function planTool(plan: v.GenericSchema): Promise<ModelTool> {
  const said = new Set<string>()
  /** Drops titles, which repeat the name of an operation, and repeated descriptions. */
  const once = (key: string, value: unknown): unknown => {
    if (typeof value !== 'string' || (key !== 'title' && key !== 'description')) return value
    if (key === 'title' || said.has(value)) return undefined
    said.add(value)
    return value
  }
  const input: Readonly<Record<string, unknown>> = JSON.parse(stableJson(await toJsonSchema(plan)), once)
  return { name: planToolName, description: 'Hands in the plan for the request.', input, keep: true }
}
