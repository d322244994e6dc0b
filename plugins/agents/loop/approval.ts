import { destructiveReasons, type PlanProposals } from '../../chat/port.ts'
import type { Operation } from '../../content/operations/index.ts'
import type { Page } from '../../content/page.ts'
import { toolAnswer } from './loop-tool.ts'
import type { LoopAnswer } from './loop-types.ts'
import type { ContentRun, HeldPlan } from './port.ts'

/** The model of a run, as named in plans. */
export interface PlanSource {
  readonly plannerSource: string
  readonly modelUsed: string
}

/**
 * Decides which changes of a run wait for an approval: those that a plan of chat with all changes of the run
 * so far would ask for. They become the pending plan of the draft, and so does all that follows in the run.
 */
export function createApproval(
  { id, message, context = {}, asks = false, actor }: ContentRun,
  {
    traceId,
    proposals,
    source,
    allowStructuralEdits,
  }: {
    readonly traceId: string
    readonly proposals: PlanProposals | undefined
    readonly source: PlanSource
    readonly allowStructuralEdits: boolean | undefined
  },
) {
  const applied: Operation[] = []
  const held: Operation[] = []
  /** Pages as the run found them. */
  const found = new Map<string, Page>()
  let plan: HeldPlan | undefined

  return {
    /** The plan that waits. */
    plan: (): HeldPlan | undefined => plan,
    /** Counts applied operations. */
    applied: (ops: readonly Operation[]): void => void applied.push(...ops),
    /** Holds the operations if they need an approval, and answers the model; otherwise `undefined`. */
    async hold(ops: readonly Operation[], pages: readonly Page[]): Promise<LoopAnswer | undefined> {
      if (!asks || !proposals) return undefined
      for (const page of pages) if (!found.has(page.slug)) found.set(page.slug, page)
      const reasons = destructiveReasons([...applied, ...held, ...ops], [...found.values()])
      if (reasons.length === 0) return undefined
      const proposal = await proposals.hold(id, {
        actor,
        message,
        run: traceId,
        reasons,
        ops: [...held, ...ops],
        slug: context.slug ?? '/',
        summary: 'The rest of the request waits.',
        source: { ...source, plannerTier: 'full_llm' },
        componentsManifest: context.componentsManifest,
        allowStructuralEdits,
      })
      if (!proposal.ok) return { text: proposal.problems.join('\n'), isError: true }
      held.push(...ops)
      const { id: planId, changes, destructiveReasons: why } = proposal.plan
      plan = { id: planId, changes, destructiveReasons: why }
      return toolAnswer({ status: 'waits_for_approval', changes, why })
    },
  }
}

/** Asks the person for the approval. */
export const questionOf = ({ changes, destructiveReasons: why }: HeldPlan): string =>
  [...why, ...changes, 'Nothing of this is changed until you approve it: answer yes or no.'].join(' ')

/** What the person can answer with a click. */
export const answers = ['Yes, do it', 'Cancel it'] as const
