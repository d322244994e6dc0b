import { changeLines, type PlanProposals } from '../../chat/port.ts'
import type { BlockType, Manifest } from '../../content/model.ts'
import { parseOperations } from '../../content/operations/parse.ts'
import type { Page } from '../../content/page.ts'
import { builtinRegistry } from '../../content/registry.ts'
import {
  type Committed,
  declaredTypes,
  type Drafts,
  type Playground,
  readCapabilities,
} from '../../draft/port.ts'
import type { Sites } from '../../sites/port.ts'
import { createApproval, type PlanSource } from './approval.ts'
import { excerptOf, toolAnswer } from './loop-tool.ts'
import type { LoopAnswer } from './loop-types.ts'
import type { ContentRun } from './port.ts'
import type { VariationSet } from './schemas.ts'

/** One run of the content agent: its reads, and its only way to write. */
export type Session = Awaited<ReturnType<typeof openSession>>

interface Done {
  readonly changes: string[]
  readonly slugs: Set<string>
  opCount: number
  previewVersion: number
  focusBlockId: string | undefined
  variations: VariationSet | undefined
}

interface Reported {
  readonly toolName: string
  readonly onEvent: ContentRun['onEvent'] | undefined
  readonly manifest: Manifest | undefined
  readonly done: Done
}

const longestSummary = 300

/** Opens a run on a draft. Refuses an invalid block manifest or capabilities with 400. */
export async function openSession(
  run: ContentRun,
  {
    drafts,
    sites,
    playground,
    traceId,
    proposals,
    source: planSource,
  }: {
    readonly drafts: Drafts
    readonly sites: Pick<Sites, 'registered' | 'blocks'>
    readonly playground: Playground | undefined
    readonly traceId: string
    readonly proposals: PlanProposals | undefined
    readonly source: PlanSource
  },
) {
  const { id, actor, channel, source, limits, context = {}, onEvent, at } = run
  const manifest = await declaredTypes(context.componentsManifest, id, sites)
  const allowStructuralEdits = readCapabilities(context.siteCapabilities)
  // The first reader of an empty draft fills it.
  await drafts.rows(id)
  const head = await drafts.head(id)
  const done: Done = {
    changes: [],
    slugs: new Set(),
    opCount: 0,
    previewVersion: head.version,
    focusBlockId: undefined,
    variations: undefined,
  }

  const approval = createApproval(run, { traceId, proposals, source: planSource, allowStructuralEdits })
  const pageOf = async (slug: string): Promise<Page | undefined> => (await drafts.page(id, slug))?.page

  return {
    run,
    drafts,
    sites,
    traceId,
    manifest,
    /** The result so far. */
    done,
    /** The plan of the changes that wait for an approval. */
    pending: approval.plan,
    /** Returns a block type declared by the site, or a built-in one. */
    typeOf: (type: string): BlockType | undefined => manifest?.get(type) ?? builtinRegistry.get(type),
    page: pageOf,
    /** Applies raw operations, all or none, and reports them to the followers of the run, or holds them. */
    async write(toolName: string, raw: readonly unknown[]): Promise<LoopAnswer> {
      limits?.require('edit')
      const parsed = parseOperations(raw)
      if (!parsed.ok) return { text: parsed.message, isError: true }
      at?.('applying', 'Changing the draft')
      const slugs = new Set(parsed.ops.flatMap((op) => ('pageSlug' in op ? [op.pageSlug] : [])))
      const before = (await Promise.all([...slugs].map(pageOf))).filter((page) => page !== undefined)
      const answer = await approval.hold(parsed.ops, before)
      if (answer) return answer
      const lines = changeLines(parsed.ops, 'done', { manifest }, before)
      const summary = excerptOf([...done.changes, ...lines].join(' '), longestSummary)
      const edit = {
        kind: 'operations',
        ops: parsed.ops,
        source: 'planner',
        logSource: source,
        summary,
        manifest,
        allowStructuralEdits,
        playground,
        currentSlug: context.slug,
      } as const
      // As in chat, a plan that waits is about the draft before this change.
      const also = run.asks ? proposals?.dropping(id, actor) : undefined
      const request = { id, edit, actor, channel, run: traceId, continues: true, also }
      const committed = await drafts.commit(request, (committed) => committed)
      approval.applied(committed.ops ?? [])
      return report(committed, { toolName, manifest, done, onEvent })
    },
  }
}

/** Adds a change to the result of a run, and reports it to the followers and to the model. */
async function report(
  { previewVersion, changed, ops = [], pages, results, notes }: Committed,
  { toolName, manifest, done, onEvent }: Reported,
): Promise<LoopAnswer> {
  if (!changed) {
    const changeDescription = 'The content is like that already; nothing has changed.'
    return toolAnswer({ status: 'unchanged', previewVersion, changeDescription, notes })
  }
  const touched = [...pages.values()]
    .flatMap(({ before, after }) => [before, after])
    .filter((page) => page !== undefined)
  const lines = changeLines(ops, 'done', { manifest }, touched)
  const focusBlockId = results?.focusBlockId
  done.changes.push(...lines)
  done.opCount += ops.length
  done.previewVersion = previewVersion
  done.focusBlockId = focusBlockId ?? done.focusBlockId
  for (const slug of pages.keys()) done.slugs.add(slug)
  const focus = focusBlockId !== undefined && { focusBlockId }
  onEvent?.({ type: 'op_applied', toolName, previewVersion, ...focus })
  for (const entry of lines) onEvent?.({ type: 'changelog_entry', entry })
  return toolAnswer({
    status: 'applied',
    appliedCount: results?.appliedCount ?? ops.length,
    previewVersion,
    focusBlockId,
    skippedOps: results?.skippedOps ?? [],
    slugs: [...pages.keys()],
    changeDescription: lines.join(' '),
    notes,
  })
}

export const toolError = (text: string): LoopAnswer => ({ text, isError: true })
