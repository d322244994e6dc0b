import type { Clock } from '../../../kernel/index.ts'
import { definitionOf } from '../../content/operations/index.ts'
import { builtinRegistry } from '../../content/registry.ts'
import type { Playground } from '../../draft/port.ts'
import { toDraft } from '../planners/draft-view.ts'
import type { DraftSnapshot } from '../planners/planner.ts'
import type { Block } from '../run/ending.ts'
import type { DeclaredSite } from '../run/run.ts'
import { validate, type Sound } from '../validate/index.ts'
import type { Broken, Step } from '../validate/step.ts'

export interface CheckParts {
  readonly clock: Clock
  readonly playground: Playground | undefined
  readonly maxOperations: number
}

export type Checked =
  | ({ readonly kind: 'sound' } & Sound)
  | ({ readonly kind: 'broken' } & Broken)
  | { readonly kind: 'blocked'; readonly by: Block }

/** Holds a plan to every rule, against the draft as it is now, and to what the site and the demo allow. */
export function check(
  steps: readonly Step[],
  { draft, slug, site }: { readonly draft: DraftSnapshot; readonly slug: string; readonly site: DeclaredSite },
  { clock, playground, maxOperations }: CheckParts,
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
