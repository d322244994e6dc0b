import type { Operation } from '../../../content/operations/index.ts'
import { toDraft } from '../../../content/draft-view.ts'
import type { PlanningInput } from '../../types/planner.ts'
import { badLinks } from '../../validate/links.ts'
import type { Subject, Violation } from './check.ts'
import { missedTargets } from './named-targets.ts'
import { triedOut, unfit } from './operations.ts'
import { strays, untranslated, untranslatedViolations, type LeftText } from './translation.ts'
import { rewrittenUnseen } from './unseen.ts'

/** What the checks say of a plan. */
export interface Judgement {
  /** It can be applied, whatever it left out. */
  readonly fits: boolean
  /** Everything that it may be sent back for. */
  readonly violations: readonly Violation[]
  /** What it replaces although the model was not shown it whole. */
  readonly unseen: readonly Violation[]
  readonly untranslated: readonly LeftText[]
  readonly missed: readonly Violation[]
}

/** Tries a plan out on a copy of the draft, and looks whether it does all that was asked for. */
export function judge(ops: readonly Operation[], { input, words, now, context }: Subject): Judgement {
  const tried = triedOut(ops, input, now)
  const unseen = rewrittenUnseen(ops, input, context)
  const broken = [...(tried.ok ? [] : unfit(tried)), ...linkViolations(ops, input), ...unseen]
  const fits = broken.length === 0
  if (!tried.ok) return { fits, violations: broken, unseen, untranslated: [], missed: [] }
  const pages = input.draft.pages.map((page) => [page.slug, tried.change.pages.get(page.slug)?.after ?? page] as const)
  const plan = { ops: tried.ops, input, words, after: new Map(pages) }
  const left = untranslated(plan)
  const missed = missedTargets(plan)
  return { fits, violations: [...broken, ...untranslatedViolations(left), ...strays(plan), ...missed], unseen, untranslated: left, missed }
}

/** The rule for links is that of every plan: what it would refuse is sent back first. */
function linkViolations(ops: readonly Operation[], { draft, registry, manifest }: PlanningInput): readonly Violation[] {
  const bad = badLinks(ops.map((op) => ({ op })), { draft: toDraft(draft), registry, manifest })
  return bad.map(({ path, problem }) => ({ path, kind: 'string constraint', message: problem }))
}
