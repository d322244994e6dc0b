import { toDraft } from '../../content/draft-view.ts'
import { definitionOf } from '../../content/operations/index.ts'
import { builtinRegistry } from '../../content/registry.ts'
import type { Block } from '../types/ending.ts'
import type { Step } from '../types/plan.ts'
import type { DraftSnapshot } from '../types/planner.ts'
import type { DeclaredSite } from '../types/run.ts'
import { type Sound, validate } from '../validate/index.ts'
import type { Broken } from '../validate/step.ts'
import type { Deps } from './deps.ts'

/** What a check needs. */
export type CheckDeps = Pick<Deps, 'clock' | 'playground' | 'maxOperations'>

export type Checked =
  | ({ readonly kind: 'sound' } & Sound)
  | ({ readonly kind: 'broken' } & Broken)
  | { readonly kind: 'blocked'; readonly by: Block }

/** Validates a plan against the current draft and against what the site and the demo allow. */
export function check(
  steps: readonly Step[],
  { draft, slug, site }: { readonly draft: DraftSnapshot; readonly slug: string; readonly site: DeclaredSite },
  { clock, playground, maxOperations }: CheckDeps,
): Checked {
  const facts = {
    draft: toDraft(draft),
    registry: builtinRegistry,
    manifest: site.manifest,
    playground,
    now: clock.now(),
    slug,
    maxOperations,
  }
  const verdict = validate(steps, facts)
  if (!verdict.ok) {
    if (playground && verdict.category === 'planner_refusal') return { kind: 'blocked', by: { kind: 'demo', playground, problems: verdict.problems } }
    return { kind: 'broken', ...verdict }
  }
  const structural = verdict.steps.map(({ op }) => op).filter((op) => definitionOf(op).structural)
  if (site.allowStructuralEdits === false && structural.length > 0) {
    return { kind: 'blocked', by: { kind: 'structure', ops: [...new Set(structural.map(({ op }) => op))] } }
  }
  return { kind: 'sound', ...verdict }
}
