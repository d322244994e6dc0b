import type { Thinking } from '../../llm/port.ts'

/** Fewer are refused by the provider. */
const fewest = 1_024
const longMessage = 120

/** Words of requests that restructure. */
const structural = /\b(?:add|build|create|design|move|re-?arrange|re-?build|re-?design|re-?order|re-?organi[sz]e|re-?structure|split|merge|remove|delete|duplicate|erstelle?n?|baue?n?|verschiebe?n?|ordne|entferne?n?|lösche?n?|dupliziere?n?)\b/i
/** Words of requests for more than one place. */
const several = /\b(?:all|every|each|both|several|pages|sections|blocks|whole|entire|alle[nrs]?|jede[nrs]?|mehrere|seiten|abschnitte|blöcke|ganze[nrs]?)\b/i
const structure = /\b(?:page|section|block|layout|navigation|menu|seite|abschnitt|menü)\b/i

/** How much the model may think before it begins; nothing for small requests, and where it may not. */
export function thinkingFor(message: string, { budget, maxTokens }: { readonly budget: number; readonly maxTokens: number }): Thinking | undefined {
  const tokens = Math.min(budget, maxTokens - fewest)
  if (budget === 0 || tokens < fewest) return undefined
  const isStructural = structural.test(message)
  const isLarge = several.test(message) || (isStructural && (structure.test(message) || message.length > longMessage))
  return isLarge ? { tokens, effort: 'medium' } : undefined
}
