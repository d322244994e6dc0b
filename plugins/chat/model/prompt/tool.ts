import * as v from 'valibot'
import { mostImages, WantedImage } from '../../port.ts'
import { definitions } from '../../../content/operations/index.ts'
import { described } from '../../../content/plain-object.ts'
import { toJsonSchema } from '../../../../kernel/index.ts'
import { type ModelTool, stableJson } from '../../../models/port.ts'

/** The maximum number of characters to find, and to put in their place: a word may stand in every sentence. */
export const longestReplaced = 500

export const planToolName = 'submit_edit_plan'

export const intents = ['edit_plan', 'needs_clarification', 'content_answer', 'variations'] as const

const optional = <S extends v.GenericSchema>(schema: S, description: string) =>
  v.optional(v.pipe(schema, v.description(description)))

const ReplaceText = described(
  'replace_text',
  'Replaces a text, as whole words, in every block and row; addresses of links stay.',
  v.object({
    op: v.literal('replace_text'),
    find: v.pipe(
      v.string(),
      v.nonEmpty(),
      v.maxLength(longestReplaced),
      v.description('the text as it stands there'),
    ),
    replace: v.pipe(v.string(), v.maxLength(longestReplaced)),
    pageSlug: optional(
      v.string(),
      'only on this page; by default on all pages, also those that are not shown',
    ),
  }),
)

/** Any operation, and what is turned into several of them. */
const PlannedOperation = v.variant('op', [
  ...definitions.map(({ name, summary, schema }) => described(name, summary, schema)),
  ReplaceText,
])

const PlanInput = v.object({
  intent: v.picklist(intents),
  again: optional(v.boolean(), 'For variations: the last ones are asked for once more, not new ones.'),
  planFirst: optional(v.boolean(), 'The request asks to see the plan before it is applied.'),
  translates: optional(
    v.string(),
    'The code of the language into which the request wants a page or whole blocks to be translated.',
  ),
  summary_for_user: v.pipe(v.string(), v.nonEmpty()),
  change_log: v.array(v.string()),
  images: optional(
    v.pipe(v.array(WantedImage), v.maxLength(mostImages)),
    'Images that are to be looked for or to be described, beside the operations or alone.',
  ),
  ops: v.array(PlannedOperation),
  suggested_next_actions: v.optional(v.pipe(v.array(v.string()), v.maxLength(5))),
})

/**
 * Creates the tool for submitting a plan. Its schema is derived from the operations, and byte-identical every
 * time. No provider can enforce it: the props of a patch depend on its block, and sixteen operations have too
 * many optional keys for `strict`.
 */
export async function createPlanTool(): Promise<ModelTool> {
  const seen = new Set<string>()
  /** Drops titles, which repeat the name of an operation, and repeated descriptions. */
  const once = (key: string, value: unknown): unknown => {
    if (typeof value !== 'string' || (key !== 'title' && key !== 'description')) return value
    if (key === 'title' || seen.has(value)) return undefined
    seen.add(value)
    return value
  }
  const input: Readonly<Record<string, unknown>> = JSON.parse(stableJson(await toJsonSchema(PlanInput)), once)
  return { name: planToolName, description: 'Hands in the plan for the request.', input, keep: true }
}
