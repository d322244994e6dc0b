import type { Companion } from '../../draft/port.ts'
import { promptExcerpt } from '../digest.ts'
import { badAcceptedOps } from '../refusals.ts'
import type { PendingPlans } from '../sessions/pending-plans.ts'
import type { PendingPlan, Plan, PlannedImage, Step } from '../types/plan.ts'
import type { Run } from '../types/run.ts'
import type { Planned } from './plan.ts'

/** A plan to apply, new from a planner or approved by a person. */
export interface Candidate
  extends Pick<PendingPlan, 'summary' | 'suggestions' | 'notes' | 'steps'>, Pick<Planned, 'source'> {
  /** The images that the planner asks for, with the context to read them. */
  readonly asked: readonly unknown[]
  readonly ask?: Planned['ask']
  /** The images that were read when the plan was held. */
  readonly images: readonly PlannedImage[]
  readonly isPlanFirst: boolean
  /** Removes the pending plan in the transaction of this one. */
  readonly also: Companion
  /** Set if a person has approved the plan. */
  readonly approved?: {
    readonly id: string
    /** False for a part of the plan. */
    readonly isWhole: boolean
  }
}

/** Creates a candidate from a plan of a planner. Applying it drops an older pending plan. */
export function freshPlan(
  { id, message }: Run,
  plan: Plan,
  { source, ask }: Planned,
  pendingPlans: PendingPlans,
): Candidate {
  const {
    summary,
    remarks = [],
    suggestions = [],
    ops,
    changeLog,
    images: asked = [],
    isPlanFirst = false,
  } = plan
  const steps = ops.map((op, index): Step => {
    const line = changeLog[index]?.trim()
    return line ? { op, line } : { op }
  })
  const notes = remarks.map((text) => ({ kind: 'said', text }) as const)
  const also = pendingPlans.supersede(id, promptExcerpt(message))
  return { source, summary, suggestions, notes, steps, asked, ask, images: [], isPlanFirst, also }
}

/** Creates a candidate from an approved plan or its accepted operations. Refuses unknown numbers with 400. */
export function approvedPlan({ id, request }: Run, plan: PendingPlan, pendingPlans: PendingPlans): Candidate {
  const { acceptedOps } = request
  const { id: planId, steps: all, images = [] } = plan
  const beyond = acceptedOps?.find((number) => number > all.length)
  if (beyond !== undefined) throw badAcceptedOps(`names operation ${beyond} of ${all.length}`)
  const numbers = acceptedOps && new Set(acceptedOps)
  const steps = numbers ? all.filter((_, index) => numbers.has(index + 1)) : all
  const approved = { id: planId, isWhole: steps.length === all.length }
  return {
    ...plan,
    steps,
    images,
    asked: [],
    isPlanFirst: false,
    also: pendingPlans.spend(id, planId),
    approved,
  }
}
