import type { ErrorCategory } from '../../content/model.ts'
import { isPlainObject } from '../../content/plain-object.ts'
import type { ModelFailure } from '../../llm/port.ts'
import { PlannerFailure, type PlannerRemedy } from '../types/planner.ts'
import type { Violation } from './checks/check.ts'
import { readJson } from './normalise/read-json.ts'
import { textsFor } from './texts.ts'

/** How many answers may be no plan before the request is given up. */
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

/** A plan that still has mistakes when it comes back. */
export function unrepaired(violations: readonly Pick<Violation, 'path' | 'message'>[]): PlannerFailure {
  const attempts = violations.map(({ path, message }) => (message.startsWith('ops[') ? message : `${path}: ${message}`))
  return new PlannerFailure('unrepaired', 'The plan of the model cannot be applied, and came back with mistakes when it was sent back. Word the request differently, or ask for less at once.', { attempts })
}

/** What a call that failed is counted under. */
export function categoryOf({ kind }: ModelFailure): ErrorCategory {
  if (kind === 'refused') return 'planner_refusal'
  return kind === 'truncated' ? 'incomplete_output' : 'internal_error'
}

/** None of the answers was a plan. */
export function exhausted(problems: readonly string[], locale: string): PlannerFailure {
  return new PlannerFailure('unusable', textsFor('en').noPlan(problems.length), { attempts: problems.slice(-mostAttempts), told: textsFor(locale).noPlan(problems.length) })
}

/** Prose that is a plan after all, as some models write it; `undefined` where it is prose. */
export function planInProse(prose: string): string | undefined {
  if (!prose.includes('{')) return undefined
  const value = readJson(prose)?.value
  if (!isPlainObject(value)) return undefined
  const isPlan = ['ops', 'operations', 'intent', 'op'].some((key) => Object.hasOwn(value, key))
  return isPlan ? prose : undefined
}
