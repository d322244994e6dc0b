import { Refusal } from '../../../kernel/index.ts'
import type { ErrorCategory } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import type { Committed, Companion, Drafts, Playground } from '../../draft/port.ts'
import type { Unapplied } from '../run/ending.ts'
import type { DeclaredSite, Run } from '../run/run.ts'
import type { Step } from '../validate/step.ts'

export interface ApplyParts {
  readonly drafts: Drafts
  readonly playground: Playground | undefined
}

/** So often something is tried again because somebody else has changed the draft in between. */
export const mostMoves = 20

export type Applied =
  | { readonly kind: 'done'; readonly committed: Committed }
  /** Somebody has changed the draft since the steps were checked. */
  | { readonly kind: 'moved' }
  | { readonly kind: 'refused'; readonly why: Unapplied; readonly category: ErrorCategory; readonly reason: string }

/** What makes steps of a plan a change: the sentence for the log, and what goes with it. */
export interface Change {
  readonly steps: readonly Step[]
  readonly site: DeclaredSite
  readonly slug: string
  readonly logLine: string
  /** The version of the draft that they were checked against. */
  readonly expect: number
  /** What changes together with it. */
  readonly beside: readonly Companion[]
}

const categories: ReadonlySet<string> = new Set<ErrorCategory>(['schema_violation', 'not_found', 'no_effective_change', 'operation_failed', 'planner_refusal'])
const isCategory = (code: string): code is ErrorCategory => categories.has(code)

/** Several writes beside one change. */
const together = (companions: readonly Companion[]): Companion => async (tx) => {
  const writes: Awaited<ReturnType<Companion>>[] = []
  for (const companion of companions) writes.push(await companion(tx))
  return async (committed) => {
    for (const write of writes) await write(committed)
  }
}

/**
 * Applies steps of a plan as one change, whole or not at all.
 *
 * Refusals that say nothing about the plan, such as a store that cannot write, are thrown.
 */
export async function apply(run: Run, { steps, site, slug, logLine, expect, beside }: Change, { drafts, playground }: ApplyParts): Promise<Applied> {
  const edit = {
    kind: 'operations',
    source: 'planner',
    ops: steps.map(({ op }) => op),
    manifest: site.manifest,
    allowStructuralEdits: site.allowStructuralEdits,
    playground,
    summary: logLine,
    currentSlug: slug,
  } as const
  const { actor = { kind: 'person' }, id } = run.how
  const request = { id: run.id, edit, actor, channel: 'chat', requestId: id, run: id, expect, also: together(beside) } as const
  try {
    return { kind: 'done', committed: await drafts.commit(request, (committed) => committed) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'version_mismatch') return { kind: 'moved' }
    if (isCategory(error.code)) return { kind: 'refused', why: 'unfit', category: error.code, reason: error.reason }
    if (error.status === 413) return { kind: 'refused', why: 'too_large', category: 'operation_failed', reason: error.reason }
    throw error
  }
}

/** The operations of a commit that changed something, as they turned out. */
export function effectiveOps({ ops = [], results }: Committed): readonly Operation[] {
  const skipped = new Set(results?.skippedOps.map(({ index }) => index - 1))
  return ops.filter((_, index) => !skipped.has(index))
}
