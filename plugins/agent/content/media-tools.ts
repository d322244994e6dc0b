import { createAliases, type ToolExecutor } from '../../tools/port.ts'
import type { LoopTool } from '../loop-types.ts'
import { toolAnswer, toolError, type Session } from './session.ts'

const names = ['unsplash.search', 'unsplash.get_by_id', 'image.generate']

/** The tools that find and make pictures, as far as they are set up. */
export async function mediaTools(session: Session, executor: ToolExecutor): Promise<readonly LoopTool[]> {
  const { run: { id, at, actor, context = {} }, traceId } = session
  const found = await executor.forModel(names)
  const aliases = createAliases(found.map(({ tool }) => tool))
  return [...aliases].flatMap(([alias, name]) => found.filter(({ tool }) => tool === name).map(({ description, input }): LoopTool => ({
    name: alias,
    description,
    inputSchema: async () => input,
    async run(asked, { signal }) {
      const outcome = await executor.execute(name, asked, {
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
    },
  })))
}

const mostHeadings = 5

/** What the page says, for pictures that are to go with it. */
async function headingsOf(session: Session, slug: string): Promise<{ readonly pageTitle: string | undefined; readonly headings: readonly string[] }> {
  const page = await session.page(slug)
  const headings = page?.blocks.flatMap(({ props }) => (typeof props['heading'] === 'string' ? [props['heading'].slice(0, 80)] : [])) ?? []
  return { pageTitle: page?.title, headings: headings.slice(0, mostHeadings) }
}
