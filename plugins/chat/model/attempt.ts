import type { ErrorCategory } from '../../content/model.ts'
import { isPlainObject } from '../../content/plain-object.ts'
import type { ModelFailure } from '../../llm/port.ts'
import { PlannerFailure, type PlannerRemedy } from '../planners/planner-failure.ts'
import type { Violation } from './checks/check.ts'
import { readJson } from './normalise/read-json.ts'
import { textsFor } from './texts.ts'

/** How many answers may be no plan before the request is given up. */
export const mostAttempts = 3

/** What becomes of a call that failed for good, told in a language. */
export function givenUp(failure: ModelFailure, locale: string): PlannerFailure {
  const options = { cause: failure, told: textsFor(locale).failed(failure) }
  if (failure.kind === 'refused') return new PlannerFailure('refused', failure.reason, options)
  if (failure.kind === 'truncated') return new PlannerFailure('incomplete', failure.reason, options)
  return new PlannerFailure('provider', failure.reason, { ...options, provider: 'Anthropic', check: settingToCheck(failure), remedy: remedyOf(failure) })
}

/** Refusals that are about the key or its account. */
const aboutKey: ReadonlySet<number> = new Set([400, 401, 402, 403])

/** Refusals that are about no setting. */
function remedyOf({ status }: ModelFailure): PlannerRemedy | undefined {
  if (status === 429) return 'wait'
  return status === 413 ? 'smaller' : undefined
}

/** What somebody should look at; `undefined` for what passes by itself, or has another remedy. */
function settingToCheck(failure: ModelFailure): string | undefined {
  const { kind, status = 0 } = failure
  if (remedyOf(failure)) return undefined
  if (kind === 'network' || (status >= 300 && status < 400)) return 'ANTHROPIC_BASE_URL'
  if (kind !== 'provider') return undefined
  return aboutKey.has(status) ? 'ANTHROPIC_API_KEY' : 'ANTHROPIC_BASE_URL, ANTHROPIC_MODEL_FAST, _BALANCED, _REASONING, _CODEX'
}

/** A plan that still has mistakes when it comes back. */
export function unrepaired(violations: readonly Pick<Violation, 'path' | 'message'>[]): PlannerFailure {
  const attempts = violations.map(({ path, message }) => (message.startsWith('ops[') ? message : `${path}: ${message}`))
  return new PlannerFailure('unrepaired', 'The plan of the model of Anthropic cannot be applied, and came back with mistakes when it was sent back. Word the request differently, or ask for less at once.', { attempts })
}

/** What a call that failed is counted under. */
export function categoryOf({ kind }: ModelFailure): ErrorCategory {
  if (kind === 'refused') return 'planner_refusal'
  return kind === 'truncated' ? 'incomplete_output' : 'internal_error'
}

/** None of the answers was a plan. */
export function exhausted(problems: readonly string[], locale: string): PlannerFailure {
  const reason = `The model of Anthropic gave no plan that can be used, ${problems.length} times. Word the request differently, or ask for less at once.`
  return new PlannerFailure('unusable', reason, { attempts: problems.slice(-mostAttempts), told: textsFor(locale).noPlan(problems.length) })
}

/** Prose that is a plan after all, as some models write it; `undefined` where it is prose. */
export function planInProse(prose: string): string | undefined {
  if (!prose.includes('{')) return undefined
  const value = readJson(prose)?.value
  if (!isPlainObject(value)) return undefined
  const isPlan = ['ops', 'operations', 'intent', 'op'].some((key) => Object.hasOwn(value, key))
  return isPlan ? prose : undefined
}
