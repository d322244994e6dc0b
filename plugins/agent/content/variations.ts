import * as v from 'valibot'
import { newViolations, violations } from '../../content/check-props.ts'
import { isInternal } from '../../content/field-meta.ts'
import type { BlockType } from '../../content/model.ts'
import { enforcedSchema } from '../../content/operations/enforced-schema.ts'
import type { Props } from '../../content/page.ts'
import { ownValue } from '../../content/plain-object.ts'
import { sameJson } from '../../content/same-json.ts'
import { defineLoopTool } from '../define-loop-tool.ts'
import type { LoopTool } from '../loop-types.ts'
import { shownBlock } from './read-tools.ts'
import { toolAnswer, toolError, type Session } from './session.ts'

/** Other contents for one block. */
export const VariationSet = v.object({
  status: v.literal('ok'),
  summary: v.string(),
  blockId: v.string(),
  blockType: v.string(),
  pageSlug: v.string(),
  baseProps: v.record(v.string(), v.unknown()),
  variations: v.array(v.object({ id: v.string(), title: v.string(), summary: v.string(), patch: v.record(v.string(), v.unknown()), changedKeys: v.array(v.string()) })),
})
export type VariationSet = v.InferOutput<typeof VariationSet>

const text = v.pipe(v.string(), v.nonEmpty(), v.maxLength(200))
const most = 4

/** The tool that proposes other contents for a block and changes nothing. */
export function variationTool(session: Session): LoopTool {
  return defineLoopTool({
    name: 'generate_variations',
    description: 'Proposes other contents for one block, for the person to choose from. Each patch has whole new values of the props that differ. It changes nothing; use it only where somebody asks for alternatives.',
    input: v.object({
      pageSlug: text,
      blockId: text,
      variations: v.pipe(v.array(v.object({ title: text, summary: v.pipe(v.string(), v.maxLength(500)), patch: v.record(v.string(), v.unknown()) })), v.minLength(2), v.maxLength(most)),
    }),
  }, async ({ pageSlug, blockId, variations }) => {
    const block = (await session.page(pageSlug))?.blocks.find(({ id }) => id === blockId)
    const blockType = block && session.typeOf(block.type)
    if (!blockType) return toolError('There is no such block on this page. Get the page.')
    const judged = variations.map(({ title, summary, patch }, index) => ({ id: `v${index + 1}`, title, summary, ...judge(patch, block.props, blockType) }))
    const kept = judged.flatMap(({ problem, ...variation }) => (problem === undefined ? [variation] : []))
    const problems = judged.flatMap(({ title, problem }) => (problem === undefined ? [] : [`${title}: ${problem}`]))
    if (kept.length === 0) return toolError(`None of them fits the block. ${problems.join(' ')}`)
    session.done.variations = {
      status: 'ok',
      summary: `${kept.length} variations of the block. Nothing is changed yet.`,
      blockId,
      blockType: block.type,
      pageSlug,
      baseProps: { ...shownBlock(block, session).props },
      variations: kept,
    }
    return toolAnswer({ kept: kept.map(({ id, title }) => ({ id, title })), leftOut: problems })
  })
}

/** The part of a patch that may differ, and what is wrong with it. */
function judge(patch: Props, props: Props, { fields, propsSchema, ...rest }: BlockType): { readonly patch: Record<string, unknown>; readonly changedKeys: string[]; readonly problem?: string } {
  const writable = Object.entries(patch).filter(([name, value]) => {
    const meta = ownValue(fields, name)
    return !isInternal(name, meta) && meta?.kind !== 'reference' && !sameJson(value, ownValue(props, name))
  })
  const changed = Object.fromEntries(writable)
  const schema = enforcedSchema({ ...rest, fields, propsSchema })
  const [violation] = newViolations(violations(schema, props, ''), violations(schema, { ...props, ...changed }, ''))
  const problem = writable.length === 0 ? 'it changes nothing.' : violation && `${violation.path} ${violation.message}.`
  return { patch: changed, changedKeys: writable.map(([name]) => name), ...(problem !== undefined && { problem }) }
}
