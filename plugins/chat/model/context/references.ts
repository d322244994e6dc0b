import type { Page } from '../../../content/page.ts'
import type { Selection } from '../../planners/planner.ts'
import type { Words } from '../words.ts'

/** Blocks that a message names, as hints for the model. */
export interface References {
  readonly target?: string
  /** The block that is named after a word such as "below". */
  readonly anchor?: string
  readonly mentionedBlocks: readonly string[]
}

const mostMentioned = 8
const placing = new Set(['after', 'before', 'below', 'above', 'under', 'behind', 'nach', 'vor', 'unter', 'über', 'hinter'])

/** Finds the blocks that a message names by id or by their type, as whole words. */
export function referencesIn(message: string, { list }: Words, { blocks }: Page, { blockId }: Selection): References {
  const found = blocks.flatMap(({ id, type }) => {
    if (message.includes(id)) return [{ id, at: 0 }]
    const at = placeOf(type, list)
    return at < 0 ? [] : [{ id, at }]
  })
  const anchor = found.find(({ at }) => placing.has(list[at - 1] ?? '') || placing.has(list[at - 2] ?? ''))
  const target = blockId ?? found.find(({ id }) => id !== anchor?.id)?.id
  return {
    ...(target !== undefined && { target }),
    ...(anchor && { anchor: anchor.id }),
    mentionedBlocks: found.slice(0, mostMentioned).map(({ id }) => id),
  }
}

/** Where the words of a type stand in a message: `FAQAccordion` by "faq accordion" or its first word alone. */
function placeOf(type: string, list: readonly string[]): number {
  const words = type.match(/[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z\d]+|[A-Z]+/g)?.map((word) => word.toLowerCase()) ?? []
  const whole = list.findIndex((_, at) => words.every((word, n) => list[at + n] === word))
  return whole >= 0 ? whole : list.indexOf(words[0] ?? type.toLowerCase())
}
