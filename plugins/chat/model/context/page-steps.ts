import type { PlanningInput, RequestStep } from '../../types/planner.ts'
import { modesOf } from '../modes.ts'
import type { Words } from '../words.ts'
import { bytesOf } from './pieces.ts'
import { onlyOn, pageOf, referencesIn } from './references.ts'
import { blockPiece, pagePiece } from './shapes.ts'

/** Of the budget; the rest is for the message, the outlines of other pages and what else is shown. */
const share = 0.75
/** Of the pages of one answer that writes all of their texts anew. */
const answerBytes = 16 * 1024
export const mostSteps = 12
export const longestLabel = 80

/**
 * Splits a request about several pages into steps, each about as many of them as fit into a request together, and into
 * its answer where that has all of their texts; `undefined` where one step has room for all, or where it takes more than twelve.
 */
export function stepsByPages(input: PlanningInput, words: Words, budget: number): readonly RequestStep[] | undefined {
  const modes = modesOf(words, input.selection)
  const room = modes.has('translation') || modes.has('page_rewrite') ? Math.min(answerBytes, budget * share) : budget * share
  const groups: string[][] = []
  let left = 0
  for (const page of referencesIn(input, pageOf(input), words).pages) {
    const pieces = [pagePiece(page), ...page.blocks.map((block) => blockPiece(block, input))]
    const bytes = pieces.reduce((sum, { mark, whole = mark }) => sum + bytesOf(whole), 0)
    if (groups.length === 0 || bytes > left) {
      groups.push([])
      left = room
    }
    groups.at(-1)?.push(page.slug)
    left -= bytes
    if (groups.length > mostSteps) return undefined
  }
  if (groups.length < 2) return undefined
  return groups.map((slugs) => ({ text: `${input.message}${onlyOn}${slugs.join(' ')}`, label: Array.from(slugs.join(', ')).slice(0, longestLabel).join('') }))
}
