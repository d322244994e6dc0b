import type { DraftSnapshot } from '../planners/planner.ts'
import type { Run } from '../run/run.ts'
import type { Sound } from '../validate/index.ts'
import { destructiveReasons, type DestructiveReason } from './destructive.ts'

export type Gated = { readonly kind: 'go' } | { readonly kind: 'hold'; readonly reasons: readonly DestructiveReason[] }

/** Decides whether somebody has to see a plan before it is applied: so it is with images, which nobody has seen yet. */
export function gate({ isPlanFirst }: Pick<Run, 'isPlanFirst'>, { steps, hasImages = false }: Pick<Sound, 'steps'> & { readonly hasImages?: boolean }, { pages }: DraftSnapshot): Gated {
  const reasons = destructiveReasons(steps.map(({ op }) => op), pages)
  return isPlanFirst || hasImages || reasons.length > 0 ? { kind: 'hold', reasons } : { kind: 'go' }
}
