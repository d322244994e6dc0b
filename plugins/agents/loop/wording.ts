import type { Thinking } from '../../models/port.ts'

/** The minimum thinking budget that providers accept. */
const fewest = 1_024
const longMessage = 120

/** Words of requests that restructure content. */
const structural =
  /\b(?:add|build|create|design|move|re-?arrange|re-?build|re-?design|re-?order|re-?organi[sz]e|re-?structure|split|merge|remove|delete|duplicate)\b/i
/** Words of requests that affect more than one place. */
const several = /\b(?:all|every|each|both|several|pages|sections|blocks|whole|entire)\b/i
const structure = /\b(?:page|section|block|layout|navigation|menu)\b/i

/** Returns the thinking budget for a request; `undefined` for a small request, and if thinking is off. */
export function thinkingFor(
  message: string,
  { budget, maxTokens }: { readonly budget: number; readonly maxTokens: number },
): Thinking | undefined {
  const tokens = Math.min(budget, maxTokens - fewest)
  if (budget === 0 || tokens < fewest) return undefined
  const isStructural = structural.test(message)
  const isLarge =
    several.test(message) || (isStructural && (structure.test(message) || message.length > longMessage))
  return isLarge ? { tokens, effort: 'medium' } : undefined
}

/** Headings of the closing list, in lower case and without punctuation. */
const headings: ReadonlySet<string> = new Set([
  'next steps',
  'suggested next steps',
  'possible next steps',
  'suggestions',
  'what next',
  "what's next",
  'further steps',
])
const most = 4
const [shortest, longest] = [6, 119]

/** Splits the closing list of next steps from the answer of a model. */
export function splitSuggestions(text: string): {
  readonly summary: string
  readonly suggestions: readonly string[]
} {
  const lines = text.split('\n')
  const at = lines.findLastIndex((line) => headings.has(plain(line)))
  const rest =
    at < 0
      ? []
      : lines
          .slice(at + 1)
          .map((line) => line.trim())
          .filter((line) => line !== '')
  const bullets = rest.flatMap((line) => /^(?:[-*•]|\d{1,2}[.)])\s+(\S.*)$/.exec(line)?.[1] ?? [])
  if (bullets.length === 0 || bullets.length < rest.length) return { summary: text.trim(), suggestions: [] }
  const suggestions = bullets
    .map((bullet) => bullet.replaceAll('**', '').trim())
    .filter(({ length }) => length >= shortest && length <= longest)
  return { summary: lines.slice(0, at).join('\n').trim(), suggestions: suggestions.slice(0, most) }
}

const plain = (line: string): string =>
  line
    .replaceAll(/[#*_:]/g, '')
    .trim()
    .toLowerCase()
