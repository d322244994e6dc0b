import type { Companion } from '../../draft/port.ts'
import type { ImageAsk } from '../images/image-work.ts'
import type { PlannedImage } from '../images/wanted.ts'
import type { Plan } from '../planners/plan.ts'
import type { Source } from '../planners/source.ts'
import type { DeclaredSite, Run } from '../run/run.ts'
import type { PendingPlans } from '../sessions/pending-plans.ts'
import { stepsOf } from '../validate/change-log.ts'
import type { Remark, Step } from '../validate/step.ts'

/** A plan on its way to the draft, fresh from a planner or approved by a person. */
export interface Candidate {
  readonly source: Source
  readonly summary: string
  readonly suggestions: readonly string[]
  /** What is to be said of it already. */
  readonly notes: readonly Remark[]
  readonly steps: readonly Step[]
  /** The images that its planner asks for, not looked at yet. */
  readonly asked?: AskedImages | undefined
  /** Those that were found in order when the plan was held. */
  readonly images: readonly PlannedImage[]
  readonly site: DeclaredSite
  /** The page that is worked on. */
  readonly slug: string
  /** What becomes of the plan that waits when this one is applied. */
  readonly also: Companion
  /** Set where a person has approved it; then nobody asks the gate again. */
  readonly approved?: { readonly id: string; /** False for a part of the plan. */ readonly isWhole: boolean } | undefined
}

/** Images that a planner asks for, and what it was asked. */
export interface AskedImages extends Pick<ImageAsk, 'input' | 'choice'> {
  readonly images: readonly unknown[]
}

type Fresh = Pick<Candidate, 'source' | 'slug' | 'notes' | 'asked'> & { readonly pendingPlans: PendingPlans }

/** A plan as its planner gave it. When it is applied, an older one that waits is dropped. */
export function freshPlan(run: Run, { summary, remarks = [], suggestions = [], ...plan }: Plan, { source, slug, notes, asked, pendingPlans }: Fresh): Candidate {
  const said = remarks.map((text) => ({ kind: 'said', text }) as const)
  return { source, summary, suggestions, slug, notes: [...notes, ...said], steps: stepsOf(plan), asked, images: [], site: run.site, also: pendingPlans.supersede(run.id) }
}
