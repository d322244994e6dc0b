import type { PlanningInput } from '../../planners/planner.ts'
import type { Mode } from '../modes.ts'
import { isLight } from '../tier.ts'
import type { Words } from '../words.ts'

/** How much of a page goes into a prompt, from most to least. `bare` is what is left when nothing else fits. */
export const levels = ['full', 'normal', 'compact', 'minimal', 'bare'] as const
export type Level = (typeof levels)[number]

/** Levels that the operator asks for, to compare them. */
export interface ForcedLevels {
  readonly compact: boolean
  readonly minimal: boolean
}

/** The level that a request needs. */
export function levelFor(input: PlanningInput, words: Words, modes: ReadonlySet<Mode>, forced: ForcedLevels): Level {
  if (modes.has('translation') || modes.has('page_rewrite') || modes.has('question')) return 'full'
  if (forced.minimal) return 'minimal'
  if (forced.compact) return 'compact'
  if (!isLight(input, words)) return 'normal'
  return input.selection.blockId === undefined ? 'compact' : 'minimal'
}
