import type { Thinking } from '../../llm/port.ts'
import type { PlanningInput } from '../types/planner.ts'
import type { Tier } from '../result.ts'
import { hasAny, wordSet, type Words } from './words.ts'

const restructuring = wordSet('restructure redesign reorganize reorganise rethink overhaul persuasive narrative tone umstrukturieren strukturiere umgestalten gestalte verwandle verwandeln umbauen überdenke überarbeite überarbeiten überzeugender tonfall')
const turning = wordSet('convert turn transform')
const rewriting = wordSet('rewrite reword rephrase umschreiben umformulieren formuliere')
const manners = wordSet('voice style manner stil sprache')
const several = wordSet('all each every everything both alle alles jede jeden beide')
const conditional = wordSet('if unless whenever where when otherwise wenn falls')

/** How hard a model of each tier thinks. */
export const efforts: Readonly<Record<Tier, Thinking['effort']>> = { fast: 'low', balanced: 'medium', reasoning: 'high', codex: 'high' }

/** Tells whether a request is worth thinking about before it is answered. */
export function isWorthThinking({ open, message }: PlanningInput, words: Words): boolean {
  if (open !== undefined || words.quoted > 1) return true
  if (hasAny(words, restructuring) || turnsInto(words)) return true
  if (hasAny(words, rewriting) && (hasAny(words, several) || hasAny(words, manners))) return true
  return message.length > 200 && hasAny(words, conditional)
}

/** `turn … into`, whatever stands in between. */
const turnsInto = ({ list }: Words): boolean => list.some((word, at) => turning.has(word) && list.includes('into', at))
