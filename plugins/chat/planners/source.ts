import type { ChatDebug, Tier } from '../result.ts'

/** Who answered, as results tell it. */
export interface Source {
  /** `demo` is the planner without a model. */
  readonly plannerSource: string
  readonly modelUsed: string
  readonly plannerTier: ChatDebug['plannerTier']
  /** The tier of the model, where one answered. */
  readonly modelKey?: Tier | undefined
}

/** The planner by rules where it has the last word. */
export const byRulesAlone: Source = { plannerSource: 'demo', modelUsed: 'rules', plannerTier: 'demo' }

/** The planner by rules where it saved another one the work. */
export const byRules: Source = { plannerSource: 'demo', modelUsed: 'rules', plannerTier: 'deterministic' }
