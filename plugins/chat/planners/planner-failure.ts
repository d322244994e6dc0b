/**
 * Why a planner gave nothing that can be used.
 *
 * `provider`: the provider of the model does not serve us, such as a quota, a key or an overload. `budget`: what may be spent
 * is spent. `refused`: the model declined. `incomplete`: its answer was cut off. `unusable`: what it gave is no plan, every time it
 * was asked. `unrepaired`: it is a plan that cannot be applied, also after it was sent back.
 */
export type PlannerFailureKind = 'provider' | 'budget' | 'refused' | 'incomplete' | 'unusable' | 'unrepaired'

/** What goes wrong with planners that do not say it themselves: what one gave is no plan, or it threw something. */
export type PlannerBreak = 'no_plan' | 'broke_off'

/** To try again `later`, to `wait` because a limit is reached, a `smaller` request, or a setting, which is for the `operator` to change. */
export type PlannerRemedy = 'later' | 'wait' | 'smaller' | 'operator'

export interface PlannerFailureDetails {
  /** Who failed, as people know it, such as `Anthropic`. */
  readonly provider?: string | undefined
  /** What helps; `later` unless it is said. */
  readonly remedy?: PlannerRemedy | undefined
  /** What people read beside the answer, in their language and without variables; up to 300 characters of it. */
  readonly told?: string | undefined
  /** Of `unusable`: why each attempt failed, oldest first. Of `unrepaired`: what is wrong with the plan. */
  readonly attempts?: readonly string[] | undefined
}

/** Thrown by a planner that cannot give an outcome; the run tells it as what it is, and changes nothing. */
export class PlannerFailure extends Error {
  override readonly name = 'PlannerFailure'
  readonly kind: PlannerFailureKind
  readonly details: PlannerFailureDetails

  /** `message` is for operators: an English sentence that names the remedy and the variable, without secrets and without content. */
  constructor(kind: PlannerFailureKind, message: string, { cause, ...details }: PlannerFailureDetails & { readonly cause?: unknown } = {}) {
    super(message, cause === undefined ? {} : { cause })
    this.kind = kind
    this.details = details
  }
}
