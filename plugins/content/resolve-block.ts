import type { Block, FuzzyMatch } from './model.ts'

/** A found block, with the strategy if its id is not the requested one. */
export interface Resolved {
  readonly block: Block
  /** Its position on the page. */
  readonly index: number
  readonly strategy?: FuzzyMatch['strategy']
}

/**
 * Finds the block of a page that an id refers to.
 *
 * Tries the exact id, then the original of a copy or the copy of an original: a plan may copy a page and
 * continue with the ids it knows. With `byType`, an id such as `b_hero_9` also matches the only block whose
 * id begins with `b_hero_`; two such blocks are ambiguous.
 */
export function resolveBlock(
  blocks: readonly Block[],
  requestedId: string,
  { byType }: { readonly byType: boolean },
): Resolved | undefined {
  const found = exactly(blocks, requestedId) ?? otherCopy(blocks, requestedId)
  if (found || !byType) return found
  const [first, second] = ofType(blocks, requestedId)
  return second ? undefined : first
}

/** Returns the blocks whose ids have the type prefix of `id`; none if `id` has no such prefix. */
export function ofType(blocks: readonly Block[], id: string): readonly Resolved[] {
  const letters = /^b_([a-z]+)/i.exec(id)?.[1]
  if (letters === undefined) return []
  const prefix = `b_${letters.toLowerCase()}_`
  return [...blocks.entries()]
    .filter(([, block]) => block.id.startsWith(prefix))
    .map(([index, block]) => ({ block, index, strategy: 'type_prefix' }))
}

function otherCopy(blocks: readonly Block[], id: string): Resolved | undefined {
  const original = id.replace(/_copy(?:_\d+)?$/, '')
  return original === id
    ? exactly(blocks, `${id}_copy`, 'append_copy_suffix')
    : exactly(blocks, original, 'strip_copy_suffix')
}

function exactly(
  blocks: readonly Block[],
  id: string,
  strategy?: FuzzyMatch['strategy'],
): Resolved | undefined {
  const index = blocks.findIndex((block) => block.id === id)
  const block = blocks[index]
  return block && (strategy ? { block, index, strategy } : { block, index })
}
