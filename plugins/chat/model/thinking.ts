import type { PlanningInput } from '../planner.ts'
import { hasAny, hasPhrase, wordSet, type Words } from './words.ts'

const restructuring = wordSet('restructure redesign reorganize reorganise rethink overhaul persuasive narrative tone')
const several = wordSet('all each every everything both')
const conditional = wordSet('if unless whenever where when otherwise wenn falls')

/** Tells whether a request is worth thinking about before it is answered. */
export function isWorthThinking({ open, message }: PlanningInput, words: Words): boolean {
  if (open !== undefined || words.quoted > 1) return true
  if (hasAny(words, restructuring) || hasPhrase(words, 'convert into') || hasPhrase(words, 'turn into')) return true
  if (words.list.includes('rewrite') && hasAny(words, several)) return true
  return message.length > 200 && hasAny(words, conditional)
}
