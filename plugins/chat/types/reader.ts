import type { Outcome } from './plan.ts'
import type { PlanningInput } from './planner.ts'

/** The planner without a model: pure and quick, the last word where no other planner is there. */
export type RulesPlanner = (input: PlanningInput) => Outcome

/** How messages are read before anybody plans. */
export interface Words {
  /** A message as it was meant, without what older clients append to it. */
  clean(message: string): string
  /** True when the message wants to see a plan before anything changes. */
  wantsPlanFirst(message: string): boolean
  /** True for a message that is nothing but a yes. */
  isConfirmation(message: string): boolean
  /** True for a message that is nothing but a no. */
  isRefusal(message: string): boolean
  /** True for a message that says nothing but thanks, or another courtesy; perhaps with a yes in it. */
  isCourtesy(message: string): boolean
  /** True for a message that reads as the answer to a question, not as a request of its own. */
  isAnswer(message: string): boolean
  /** True for a message that begins as a request or asks something itself: a question that is open is dropped. */
  isRequest(message: string): boolean
}

/** Both of them. */
export interface Rules {
  readonly plan: RulesPlanner
  readonly words: Words
}
