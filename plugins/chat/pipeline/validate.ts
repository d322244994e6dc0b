import { toDraft } from '../../content/draft-view.ts'
import { definitionOf } from '../../content/operations/index.ts'
import { builtinRegistry } from '../../content/registry.ts'
import type { Step } from '../types/plan.ts'
import type { Block, Run, RunContext } from '../types/run.ts'
import { type Sound, validate } from '../validate/index.ts'
import type { Broken } from '../validate/step.ts'
import type { Deps } from './deps.ts'

/** What a check needs. */
export type CheckDeps = Pick<Deps, 'clock' | 'playground' | 'maxOperations'>

/** Why a plan may not be applied: it does not fit the draft, or the site or the demo does not allow it. */
export type Unsound = Broken | { readonly ok: false; readonly kind: 'blocked'; readonly by: Block }

/** Validates a plan against the current draft and against what the site and the demo allow. */
export function check(
  steps: readonly Step[],
  { site: { manifest, allowStructuralEdits } }: Pick<Run, 'site'>,
  { draft, selection: { slug } }: Pick<RunContext, 'draft' | 'selection'>,
  { clock, playground, maxOperations }: CheckDeps,
): Sound | Unsound {
  const facts = { registry: builtinRegistry, manifest, playground, now: clock.now(), slug, maxOperations }
  const verdict = validate(steps, { ...facts, draft: toDraft(draft) })
  if (!verdict.ok) {
    const { category, problems } = verdict
    if (!playground || category !== 'planner_refusal') return verdict
    return { ok: false, kind: 'blocked', by: { kind: 'demo', playground, problems } }
  }
  const structural = verdict.steps.filter(({ op }) => definitionOf(op).structural).map(({ op }) => op.op)
  if (allowStructuralEdits !== false || structural.length === 0) return verdict
  return { ok: false, kind: 'blocked', by: { kind: 'structure', ops: [...new Set(structural)] } }
}
