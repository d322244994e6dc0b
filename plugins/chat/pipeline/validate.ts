import { toDraft } from '../../content/draft-view.ts'
import { definitionOf } from '../../content/operations/index.ts'
import { builtinRegistry } from '../../content/registry.ts'
import type { Remark, Step } from '../types/plan.ts'
import type { Block, Run, RunContext } from '../types/run.ts'
import { type Broken, rehearse, type Rehearsed } from '../validate/rehearse.ts'
import { rules } from '../validate/rules.ts'
import type { Deps } from './deps.ts'

/** A valid plan, with its omissions. */
export interface Sound extends Rehearsed {
  readonly notes: readonly Remark[]
}

/** Why a plan may not be applied: it does not fit the draft, or the site or the demo does not allow it. */
export type Unsound = Broken | { readonly ok: false; readonly kind: 'blocked'; readonly by: Block }

/** Validates a plan by every rule, rehearses the remaining steps, and checks the limits of site and demo. */
export function check(
  steps: readonly Step[],
  { site: { manifest, allowStructuralEdits } }: Pick<Run, 'site'>,
  { draft, selection: { slug } }: Pick<RunContext, 'draft' | 'selection'>,
  { clock, playground, maxOperations }: Pick<Deps, 'clock' | 'playground' | 'maxOperations'>,
): Sound | Unsound {
  const known = { registry: builtinRegistry, manifest, playground, maxOperations }
  const facts = { ...known, draft: toDraft(draft), now: clock.now(), slug }
  const notes: Remark[] = []
  let left = steps
  for (const rule of rules) {
    const verdict = rule(left, facts)
    if (!verdict.ok) return verdict
    left = verdict.steps
    notes.push(...(verdict.notes ?? []))
  }
  const rehearsed = rehearse(left, facts)
  if (!rehearsed.ok) {
    const { category, problems } = rehearsed
    if (!playground || category !== 'planner_refusal') return rehearsed
    return { ok: false, kind: 'blocked', by: { kind: 'demo', playground, problems } }
  }
  const structural = rehearsed.steps.filter(({ op }) => definitionOf(op).structural).map(({ op }) => op.op)
  if (allowStructuralEdits !== false || structural.length === 0) return { ...rehearsed, notes }
  return { ok: false, kind: 'blocked', by: { kind: 'structure', ops: [...new Set(structural)] } }
}
