import type { PlanningInput } from '../types/planner.ts'
import type { RoutingDecision } from '../types/events.ts'
import type { Tier } from '../result.ts'
import { isTranslation, isWide, modesOf } from './modes.ts'
import { hasAny, wordSet, type Words } from './words.ts'

export type Complexity = 'simple' | 'complex'

const rewrites = wordSet('rewrite reword rephrase shorten shorter simplify polish punchier catchier warmer friendlier tighten typo spelling grammar umformulieren formuliere umschreiben kürze kürzen kürzer verkürze vereinfache vereinfachen einfacher knackiger eingängiger wärmer freundlicher straffe straffer tippfehler rechtschreibung grammatik')
const cosmetics = wordSet('align left right center centre colour color size level columns position bigger smaller larger linksbündig rechtsbündig links rechts zentriere zentriert mittig farbe größe ebene spalten position größer kleiner')

/** The tier to begin with: what the person chose, else the one for light edits where that will do, else the default. */
export function tierFor(input: PlanningInput, words: Words, otherwise: Tier): Tier {
  if (input.tier !== undefined) return input.tier
  return isLight(input, words) ? 'fast' : otherwise
}

/** Tells a rewrite of one block, or a small cosmetic edit, from everything that takes more thought. */
export function isLight({ selection, open }: PlanningInput, words: Words): boolean {
  if (open !== undefined || words.quoted > 1 || isTranslation(words) || isWide(words)) return false
  const modes = modesOf(words, selection)
  if (modes.size > 0) return false
  return hasAny(words, cosmetics) || (selection.blockId !== undefined && hasAny(words, rewrites))
}

/** What becomes of a tier when the router has looked at the request. A tier that the person chose stays. */
export function routed(from: Tier, input: PlanningInput, complexity: Complexity | undefined): RoutingDecision {
  if (input.tier !== undefined) return { from, to: from, reason: 'user_override', ...(complexity && { complexity }) }
  if (complexity === 'simple' && from !== 'fast') return { from, to: 'fast', reason: 'simple_downgrade', complexity }
  return { from, to: from, reason: 'shadow', ...(complexity && { complexity }) }
}
