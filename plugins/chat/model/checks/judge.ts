import type { Operation } from '../../../content/operations/index.ts'
import type { PlanningInput } from '../../planner.ts'
import type { Words } from '../words.ts'
import type { Violation } from './check.ts'
import { badLinks } from './links.ts'
import { missedTargets } from './named-targets.ts'
import { triedOut, unfit } from './operations.ts'
import { untranslated, untranslatedViolations, type LeftText } from './translation.ts'

/** What the checks say of a plan. */
export interface Judgement {
  /** Everything that it may be sent back for. */
  readonly violations: readonly Violation[]
  readonly untranslated: readonly LeftText[]
  readonly missed: readonly Violation[]
}

/** Tries a plan out on a copy of the draft, and looks whether it does all that was asked for. */
export function judge(ops: readonly Operation[], input: PlanningInput, words: Words, now: Date): Judgement {
  const tried = triedOut(ops, input, now)
  const links = badLinks(ops, input)
  if (!tried.ok) return { violations: [...unfit(tried), ...links], untranslated: [], missed: [] }
  const pages = input.draft.pages.map((page) => [page.slug, tried.change.pages.get(page.slug)?.after ?? page] as const)
  const plan = { ops: tried.ops, input, words, after: new Map(pages) }
  const left = untranslated(plan)
  const missed = missedTargets(plan)
  return { violations: [...links, ...untranslatedViolations(left), ...missed], untranslated: left, missed }
}
