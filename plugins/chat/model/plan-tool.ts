import * as v from 'valibot'
import { AnyOperation } from '../../content/operations/parse.ts'
import { toJsonSchema } from '../../docs/port.ts'
import { stableJson, type ModelTool } from '../../llm/port.ts'
import { mostImages, WantedImage } from '../images/wanted.ts'
import { intents } from './normalise/plan.ts'

export const planToolName = 'submit_edit_plan'

const entries = {
  intent: v.picklist(intents),
  summary_for_user: v.pipe(v.string(), v.nonEmpty(), v.description('One sentence for the person, in the future tense.')),
  change_log: v.pipe(v.array(v.string()), v.description('One line for each operation, in the same order.')),
  ops: v.pipe(v.array(AnyOperation), v.description('The operations; empty unless the intent is edit_plan.')),
  suggested_next_actions: v.optional(v.pipe(v.array(v.string()), v.maxLength(5), v.description('2 to 4 messages that the person may send next, each at most 40 characters.'))),
}
const images = v.optional(v.pipe(v.array(WantedImage), v.maxLength(mostImages), v.description('New images that are to be looked for, beside the operations or alone.')))

/** The tool that a plan is handed in with, for services that look for images and for others. */
export interface PlanTools {
  readonly plain: ModelTool
  readonly withImages: ModelTool
}

/** Makes them. Their schema is that of the operations themselves, to the byte the same every time. */
export async function planTools(): Promise<PlanTools> {
  return { plain: await planTool(v.object(entries)), withImages: await planTool(v.object({ ...entries, images })) }
}

async function planTool(plan: v.GenericSchema): Promise<ModelTool> {
  const input: Readonly<Record<string, unknown>> = JSON.parse(stableJson(await toJsonSchema(plan)))
  return { name: planToolName, description: 'Hands in the plan for the request.', input, keep: true }
}
