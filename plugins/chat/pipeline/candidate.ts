import type { Companion } from '../../draft/port.ts'
import { badAcceptedOps } from '../refusals.ts'
import type { PendingPlan, Plan, Step } from '../types/plan.ts'
import type { Planned } from './plan.ts'
import type { Run } from './run.ts'

/** A plan to apply, new from a planner or approved by a person. */
export interface Candidate extends Pick<
  PendingPlan,
  'source' | 'summary' | 'suggestions' | 'notes' | 'steps' | 'images'
> {
  /** The images that a new plan asks for, and what is needed to read them. */
  readonly asked?: { readonly images: readonly unknown[]; readonly planned: Planned }
  readonly isPlanFirst?: boolean | undefined
  /** Removes the pending plan in the transaction of this one. */
  readonly also: Companion
  /** Set if a person has approved the plan, or a part of it. */
  readonly approved?: { readonly id: string; readonly isWhole: boolean }
}

/** Creates a candidate from a plan of a planner. Applying it drops an older pending plan. */
export function freshPlan({ chat, id }: Run, plan: Plan, planned: Planned): Candidate {
  const { summary, remarks = [], suggestions = [], ops, changeLog, images = [], isPlanFirst } = plan
  return {
    source: planned.source,
    summary,
    suggestions,
    isPlanFirst,
    images: [],
    notes: remarks.map((text) => ({ kind: 'said', text })),
    steps: ops.map((op, index): Step => {
      const line = changeLog[index]?.trim()
      return line ? { op, line } : { op }
    }),
    ...(images.length > 0 && { asked: { images, planned } }),
    also: chat.pendingPlans.taking(id),
  }
}

/** Creates a candidate from an approved plan or its accepted operations. Refuses unknown numbers with 400. */
export function approvedPlan({ chat, id, request: { acceptedOps } }: Run, plan: PendingPlan): Candidate {
  const beyond = acceptedOps?.find((number) => number > plan.steps.length)
  if (beyond !== undefined) throw badAcceptedOps(`names operation ${beyond} of ${plan.steps.length}`)
  const numbers = acceptedOps && new Set(acceptedOps)
  const steps = numbers ? plan.steps.filter((_, index) => numbers.has(index + 1)) : plan.steps
  const approved = { id: plan.id, isWhole: steps.length === plan.steps.length }
  return { ...plan, steps, approved, also: chat.pendingPlans.taking(id, plan.id) }
}
