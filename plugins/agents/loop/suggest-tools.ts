import * as v from 'valibot'
import { newViolations, violations } from '../../content/check-props.ts'
import { isInternal } from '../../content/fields.ts'
import type { BlockType } from '../../content/model.ts'
import { enforcedSchema } from '../../content/operations/enforce.ts'
import type { Props } from '../../content/page.ts'
import { ownValue, sameJson } from '../../content/plain-object.ts'
import type { PreparedCall, ToolContext, ToolExecutor, ToolOutcome } from '../../tools/port.ts'
import { shownBlock } from './read-tools.ts'
import { type Session, toolError } from './session.ts'
import { defineLoopTool, toolAnswer } from './loop-tool.ts'
import type { LoopAnswer, LoopTool } from './loop-types.ts'

const names = ['unsplash.search', 'unsplash.get_by_id', 'image.generate']

/** Returns the tools that find and generate images, if configured, and those of other services that only read. */
export function mediaTools(session: Session, executor: ToolExecutor): readonly LoopTool[] {
  const {
    run: { id, at, actor, limits, context = {} },
    traceId,
  } = session
  return executor.forModel(names).map(({ name, description, inputSchema, prepare }) => ({
    name,
    description,
    inputSchema,
    prepare(input) {
      const read = prepare(input)
      if (!read.ok) return read
      return { ok: true, value: { input, run: ({ signal }) => answered(name, read.value, signal) } }
    },
  }))

  async function answered(
    name: string,
    call: PreparedCall<ToolContext, ToolOutcome>,
    signal: AbortSignal,
  ): Promise<LoopAnswer> {
    if (name === 'image_generate') limits?.require('edit')
    const outcome = await call.run({
      siteId: id.siteId,
      sessionId: id.session,
      userId: actor.id,
      traceId,
      plannerProvider: 'agent',
      signal,
      imageProgress: (percent, stage) => at?.('tool', `${stage} (${percent} %)`),
      blockContext: await headingsOf(session, context.slug ?? '/'),
    })
    return outcome.ok ? toolAnswer(outcome.data) : toolError(outcome.error?.message ?? 'The tool failed.')
  }
}

const mostHeadings = 5

/** Returns the title and headings of the page, as context for a generated image. */
async function headingsOf(
  session: Session,
  slug: string,
): Promise<{ readonly pageTitle: string | undefined; readonly headings: readonly string[] }> {
  const page = await session.page(slug)
  const headings =
    page?.blocks.flatMap(({ props }) =>
      typeof props['heading'] === 'string' ? [props['heading'].slice(0, 80)] : [],
    ) ?? []
  return { pageTitle: page?.title, headings: headings.slice(0, mostHeadings) }
}

const text = v.pipe(v.string(), v.nonEmpty(), v.maxLength(200))
const most = 4

/** Creates the tool that proposes alternative content for a block, without changing it. */
export function variationTool(session: Session): LoopTool {
  return defineLoopTool(
    {
      name: 'generate_variations',
      description:
        'Proposes alternative content for one block, for the person to choose from. Each patch has the complete new values of the props that differ. It changes nothing; use it only if the person asks for alternatives.',
      input: v.object({
        pageSlug: text,
        blockId: text,
        variations: v.pipe(
          v.array(
            v.object({
              title: text,
              summary: v.pipe(v.string(), v.maxLength(500)),
              patch: v.record(v.string(), v.unknown()),
            }),
          ),
          v.minLength(2),
          v.maxLength(most),
        ),
      }),
    },
    async ({ pageSlug, blockId, variations }) => {
      const block = (await session.page(pageSlug))?.blocks.find(({ id }) => id === blockId)
      const blockType = block && session.typeOf(block.type)
      if (!blockType) return toolError('The block does not exist on this page. Call get_page.')
      const judged = variations.map(({ title, summary, patch }, index) => ({
        id: `v${index + 1}`,
        title,
        summary,
        ...judge(patch, block.props, blockType),
      }))
      const valid = judged.flatMap(({ problem, ...variation }) => (problem === undefined ? [variation] : []))
      const problems = judged.flatMap(({ title, problem }) =>
        problem === undefined ? [] : [`${title}: ${problem}`],
      )
      if (valid.length === 0)
        return toolError(`None of the variations is valid for the block. ${problems.join(' ')}`)
      session.done.variations = {
        status: 'ok',
        summary: `${valid.length} variations of the block. Nothing has changed yet.`,
        blockId,
        blockType: block.type,
        pageSlug,
        baseProps: { ...shownBlock(block, session).props },
        variations: valid,
      }
      return toolAnswer({ kept: valid.map(({ id, title }) => ({ id, title })), leftOut: problems })
    },
  )
}

/** Returns the writable part of a patch, and its first problem. */
function judge(
  patch: Props,
  props: Props,
  { fields, propsSchema, ...rest }: BlockType,
): { readonly patch: Record<string, unknown>; readonly changedKeys: string[]; readonly problem?: string } {
  const writable = Object.entries(patch).filter(([name, value]) => {
    const meta = ownValue(fields, name)
    return !isInternal(name, meta) && meta?.kind !== 'reference' && !sameJson(value, ownValue(props, name))
  })
  const changed = Object.fromEntries(writable)
  const schema = enforcedSchema({ ...rest, fields, propsSchema })
  const [violation] = newViolations(
    violations(schema, props, ''),
    violations(schema, { ...props, ...changed }, ''),
  )
  const problem =
    writable.length === 0 ? 'it changes nothing.' : violation && `${violation.path} ${violation.message}.`
  return {
    patch: changed,
    changedKeys: writable.map(([name]) => name),
    ...(problem !== undefined && { problem }),
  }
}
