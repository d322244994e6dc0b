import { PlannerFailure, type PlannerRemedy } from '../chat/port.ts'
import type { ErrorCategory } from '../content/model.ts'
import type { ModelFailure } from '../llm/port.ts'
import { textsFor } from './texts.ts'

/** How many answers may be unusable before the request is given up. */
export const mostAttempts = 3

/** What becomes of a call that failed for good. */
export function givenUp(failure: ModelFailure): PlannerFailure {
  const { kind, reason, provider } = failure
  if (kind === 'refused') return new PlannerFailure('refused', reason, { cause: failure })
  if (kind === 'truncated') return new PlannerFailure('incomplete', reason, { cause: failure })
  return new PlannerFailure('provider', reason, { cause: failure, provider, remedy: remedyOf(failure) })
}

function remedyOf({ kind, status }: ModelFailure): PlannerRemedy {
  if (status === 429) return 'wait'
  if (status === 413) return 'smaller'
  return kind === 'provider' || kind === 'uninstalled' ? 'operator' : 'later'
}

/** What a call that failed is counted under. */
export function categoryOf({ kind }: ModelFailure): ErrorCategory {
  if (kind === 'refused') return 'planner_refusal'
  return kind === 'truncated' ? 'incomplete_output' : 'internal_error'
}

/** A plan that still has mistakes when it comes back. */
export function unrepaired(violations: readonly { readonly path: string; readonly message: string }[]): PlannerFailure {
  const attempts = violations.map(({ path, message }) => (message.startsWith('ops[') ? message : `${path}: ${message}`))
  return new PlannerFailure('unrepaired', 'The plan of the model cannot be applied, and came back with mistakes when it was sent back. Word the request differently, or ask for less at once.', { attempts })
}

/** None of the answers was a plan. */
export function exhausted(problems: readonly string[], locale: string): PlannerFailure {
  const { length } = problems
  return new PlannerFailure('unusable', textsFor('en').noPlan(length), { attempts: problems, notice: textsFor(locale).noPlan(length) })
}
