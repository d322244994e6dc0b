import { slot } from '../../../kernel/index.ts'
import type { ErrorCategory } from '../../content/model.ts'
import type { Page } from '../../content/page.ts'
import type { RunUsage } from '../model/usage.ts'
import type { PlanningFacts, PlanningNote } from '../planners/planner.ts'
import type { PlacedRequest } from '../request.ts'
import type { ChatResult, Tier } from '../result.ts'
import type { Milestone } from './timeline.ts'

/** A run as it begins. */
export interface RunStart {
  readonly id: string
  /** The draft in the form in which clients see it. */
  readonly session: string
  readonly request: PlacedRequest
  /** The tier that it chose, or that of requests that choose none. */
  readonly modelKey: Tier
  /** As it was meant; empty where none was sent. */
  readonly message: string
  readonly promptHash: string
  readonly promptExcerpt: string
}

/** What came of a run: a result, or the reason why there is none. */
export interface RunResult {
  readonly kind: 'result'
  readonly outcome: string
  readonly category?: string | undefined
  /** Of failures and refusals. */
  readonly reason?: string | undefined
  readonly result?: ChatResult
}

/** What of a run takes its time, beside the planning. */
export type ToldWork = 'apply' | 'images'

/** What happens in a run after it has begun. The result comes once, and nothing comes after it. */
export type RunFact =
  | { readonly kind: 'milestone'; readonly stage: Milestone; readonly atMs: number }
  /** The draft was read, which does not change while it is held, and the page that is worked on is known. */
  | { readonly kind: 'scene'; readonly slug: string; readonly pages: readonly Page[] }
  | { readonly kind: 'planned_by_rules'; readonly opTypes: readonly string[] }
  /** A planner beside the rules was asked. */
  | { readonly kind: 'planner_asked'; readonly planner: string }
  | ({ readonly kind: 'attempt' } & PlanningFacts)
  /** `usage` is what models took for the run so far. */
  | (PlanningNote & { readonly usage: RunUsage })
  /** The draft is being changed, or images are looked for; once more when that is over, whatever came of it. */
  | { readonly kind: 'work'; readonly what: ToldWork; readonly isOver: boolean }
  /** A plan did not fit the draft or broke a rule. */
  | { readonly kind: 'plan_apply_failed'; readonly outcome: string; readonly category: ErrorCategory; readonly reason: string }
  | RunResult

/** Follows one run, fact by fact, in the turn in which each arises. */
export type RunFollower = (fact: RunFact) => void | Promise<void>

/** Told of every run as it begins; what it gives follows that run. */
export type RunObserver = (start: RunStart) => RunFollower

/** Observers, which hear what happens in runs. Whatever they do, it changes no run. */
export const runObservers = slot<RunObserver>('chat.runObservers')
