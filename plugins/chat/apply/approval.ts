import { badAcceptedOps } from '../refusals.ts'
import type { Ending } from '../run/ending.ts'
import type { Before, Run } from '../run/run.ts'
import { siteOf, type PendingPlan } from '../sessions/pending-plan.ts'
import type { PendingPlans } from '../sessions/pending-plans.ts'
import type { Candidate } from './candidate.ts'

/** A plan that a person has approved, and the run with what the plan says of its site. */
export interface Approval {
  readonly kind: 'approved'
  readonly planId: string
  readonly run: Run
  readonly candidate: Candidate
}

/** What a run approves; an ending where no plan waits, or another one. Refuses with 400 numbers that the plan does not have. */
export function approvalOf(asked: Run, { pending }: Before, pendingPlans: PendingPlans): Approval | Extract<Ending, { kind: 'nothingPending' | 'mismatched' }> {
  const { pendingPlanId, acceptedOps } = asked.request
  if (!pending) return { kind: 'nothingPending' }
  if (pendingPlanId !== undefined && pendingPlanId !== pending.id) return { kind: 'mismatched', pendingPlanId: pending.id }
  const beyond = acceptedOps?.find((number) => number > pending.steps.length)
  if (beyond !== undefined) throw badAcceptedOps(`names operation ${beyond} of ${pending.steps.length}`)
  // Whoever approves need not send the block types again.
  const run: Run = { ...asked, site: siteOf(pending, asked.site) }
  return { kind: 'approved', planId: pending.id, run, candidate: candidateOf(run, pending, pendingPlans) }
}

/** A plan that waited, or the operations of it that were accepted, by their numbers from 1. */
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
