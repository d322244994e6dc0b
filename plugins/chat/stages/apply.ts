import { Refusal } from '../../../kernel/index.ts'
import type { ErrorCategory } from '../../content/model.ts'
import type { Committed, Companion, Drafts, Playground } from '../../draft/port.ts'
import type { Done } from '../ending.ts'
import type { Memories, Remembered } from '../memory.ts'
import type { DeclaredSite, Run, Scene } from '../run.ts'
import type { Sound } from '../validate/index.ts'

export interface ApplyParts {
  readonly drafts: Drafts
  readonly playground: Playground | undefined
  readonly memories: Memories
}

export type Applied =
  | { readonly kind: 'done'; readonly done: Done }
  /** Somebody has changed the draft since the plan was checked. */
  | { readonly kind: 'moved' }
  | { readonly kind: 'refused'; readonly category: ErrorCategory; readonly reason: string }

/** What makes a plan a change: its checked steps, the sentence for the log, and what goes with it. */
export interface Change {
  readonly plan: Sound
  readonly suggestions: readonly string[]
  readonly site: DeclaredSite
  readonly slug: string
  readonly logLine: string
  readonly also: Companion
  /** What the session remembers of it. */
  readonly remember: (done: Done) => Remembered
}

const categories: ReadonlySet<string> = new Set<ErrorCategory>(['schema_violation', 'not_found', 'no_effective_change', 'operation_failed', 'planner_refusal'])
const isCategory = (code: string): code is ErrorCategory => categories.has(code)

/** Two writes beside one change. */
const both = (first: Companion, second: Companion): Companion => async (tx) => {
  const writes = [await first(tx), await second(tx)]
  return async (committed) => {
    for (const write of writes) await write(committed)
  }
}

/**
 * Applies a plan as one change, whole or not at all.
 *
 * Refusals that say nothing about the plan, such as a store that cannot write, are thrown.
 */
export async function apply(run: Run, { draft }: Pick<Scene, 'draft'>, change: Change, { drafts, playground, memories }: ApplyParts): Promise<Applied> {
  const { plan, suggestions, site, slug, logLine } = change
  const edit = {
    kind: 'operations',
    source: 'planner',
    ops: plan.steps.map(({ op }) => op),
    manifest: site.manifest,
    allowStructuralEdits: site.allowStructuralEdits,
    playground,
    summary: logLine,
    currentSlug: slug,
  } as const
  const { actor = { kind: 'person' }, id: requestId } = run.how
  const toDone = (committed: Committed): Done => {
    const skipped = new Set(committed.results?.skippedOps.map(({ index }) => index - 1))
    const ops = (committed.ops ?? []).filter((_, index) => !skipped.has(index))
    return { committed, ops, notes: plan.notes, suggestions }
  }
  const also = both(change.also, memories.along(run.id, (committed) => change.remember(toDone(committed))))
  try {
    const done = await drafts.commit({ id: run.id, edit, actor, channel: 'chat', requestId, expect: draft.version, also }, toDone)
    return { kind: 'done', done }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'version_mismatch') return { kind: 'moved' }
    if (isCategory(error.code)) return { kind: 'refused', category: error.code, reason: error.reason }
    if (error.status === 413) return { kind: 'refused', category: 'operation_failed', reason: error.reason }
    throw error
  }
}
