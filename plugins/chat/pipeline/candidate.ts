import type { Companion } from '../../draft/port.ts'
import { badAcceptedOps } from '../refusals.ts'
import { type PendingPlans, siteOf } from '../sessions/pending-plans.ts'
import type { Ending } from '../types/ending.ts'
import type { ImageAsk } from '../types/images.ts'
import type { PendingPlan } from '../types/pending-plan.ts'
import type { Plan, PlannedImage, Remark, Step } from '../types/plan.ts'
import type { Source } from '../types/planner.ts'
import type { DeclaredSite, Run, SessionState } from '../types/run.ts'

/** A plan on its way to the draft, fresh from a planner or approved by a person. */
export interface Candidate {
  readonly source: Source
  readonly summary: string
  readonly suggestions: readonly string[]
  readonly notes: readonly Remark[]
  readonly steps: readonly Step[]
  /** The images that its planner asks for, not read yet. */
  readonly asked?: AskedImages | undefined
  /** The images that were read when the plan was held. */
  readonly images: readonly PlannedImage[]
  readonly site: DeclaredSite
  /** The page that is worked on. */
  readonly slug: string
  /** Removes the pending plan in the transaction of this one. */
  readonly also: Companion
  /** Set where a person has approved it, so that the gate is not asked. */
  readonly approved?: { readonly id: string; /** False for a part of the plan. */ readonly isWhole: boolean } | undefined
}

/** Images that a planner asks for, with its input. */
export interface AskedImages extends Pick<ImageAsk, 'input' | 'choice'> {
  readonly images: readonly unknown[]
}

type Fresh = Pick<Candidate, 'source' | 'slug' | 'notes' | 'asked'> & { readonly pendingPlans: PendingPlans }

/** A plan of a planner. When it is applied, an older pending one is dropped. */
export function freshPlan(run: Run, { summary, remarks = [], suggestions = [], ...plan }: Plan, { source, slug, notes, asked, pendingPlans }: Fresh): Candidate {
  const said = remarks.map((text) => ({ kind: 'said', text }) as const)
  return { source, summary, suggestions, slug, notes: [...notes, ...said], steps: stepsOf(plan), asked, images: [], site: run.site, also: pendingPlans.supersede(run.id) }
}

/** An approved plan, and the run with the site as the plan declares it. */
export interface Approval {
  readonly kind: 'approved'
  readonly planId: string
  readonly run: Run
  readonly candidate: Candidate
}

/** The plan that a run approves, or the ending without such a plan. Refuses with 400 numbers that the plan does not have. */
export function approvalOf(asked: Run, { pending }: SessionState, pendingPlans: PendingPlans): Approval | Extract<Ending, { kind: 'nothingPending' | 'mismatched' }> {
  const { pendingPlanId, acceptedOps } = asked.request
  if (!pending) return { kind: 'nothingPending' }
  if (pendingPlanId !== undefined && pendingPlanId !== pending.id) return { kind: 'mismatched', pendingPlanId: pending.id }
  const beyond = acceptedOps?.find((number) => number > pending.steps.length)
  if (beyond !== undefined) throw badAcceptedOps(`names operation ${beyond} of ${pending.steps.length}`)
  // An approval need not send the block types again.
  const run: Run = { ...asked, site: siteOf(pending, asked.site) }
  return { kind: 'approved', planId: pending.id, run, candidate: candidateOf(run, pending, pendingPlans) }
}

/** A pending plan, or its accepted operations by their numbers from 1. */
function candidateOf(run: Run, pending: PendingPlan, pendingPlans: PendingPlans): Candidate {
  const { id, source, summary, suggestions, notes, steps, images = [], selection } = pending
  const { acceptedOps } = run.request
  const numbers = acceptedOps && new Set(acceptedOps)
  const chosen = numbers ? steps.filter((_, index) => numbers.has(index + 1)) : steps
  return {
    source,
    summary,
    suggestions,
    notes,
    steps: chosen,
    images,
    site: run.site,
    slug: selection.slug,
    also: pendingPlans.spend(run.id, id),
    approved: { id, isWhole: chosen.length === steps.length },
  }
}

/** Pairs each operation with its line. Surplus lines are dropped; missing ones are written when the plan is rendered. */
export function stepsOf({ ops, changeLog }: Pick<Plan, 'ops' | 'changeLog'>): readonly Step[] {
  return ops.map((op, index) => {
    const line = changeLog[index]?.trim()
    return line ? { op, line } : { op }
  })
}
