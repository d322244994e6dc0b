import { gate as reasonsFor, type DestructiveReason } from '../gate.ts'
import type { DraftSnapshot } from '../planner.ts'
import type { Run } from '../run.ts'
import type { Sound } from '../validate/index.ts'

export type Gated = { readonly kind: 'go' } | { readonly kind: 'hold'; readonly reasons: readonly DestructiveReason[] }

/** Decides whether somebody has to see a plan before it is applied. */
export function gate({ isPlanFirst }: Pick<Run, 'isPlanFirst'>, { steps }: Pick<Sound, 'steps'>, { pages }: DraftSnapshot): Gated {
  const reasons = reasonsFor(steps.map(({ op }) => op), pages)
  return isPlanFirst || reasons.length > 0 ? { kind: 'hold', reasons } : { kind: 'go' }
}
