/** Which operations of a plan depend on which. */
import { isRow, type Operation } from './place.ts'

const page = (slug: unknown): string => `page ${String(slug)}`
const block = (id: unknown): string => `block ${String(id)}`

/** What an operation makes: pages and blocks. */
function madeBy({ op, ...of }: Operation): readonly string[] {
  const blocks = isRow(of['page']) && Array.isArray(of['page']['blocks']) ? of['page']['blocks'] : []
  switch (op) {
    case 'create_page':
      return [page(isRow(of['page']) && of['page']['slug']), ...blocks.map(({ id }) => block(id))]
    case 'rename_page':
    case 'duplicate_page':
      return of['newPageSlug'] === undefined ? [] : [page(of['newPageSlug'])]
    case 'add_block':
      return [block(isRow(of['block']) && of['block']['id'])]
    case 'duplicate_block':
      return [block(of['newBlockId'])]
    default:
      return []
  }
}

const usedBy = (of: Operation): readonly string[] => [
  ...[of['pageSlug'], of['toPageSlug'], of['afterPageSlug']].map(page),
  ...[of['blockId'], of['afterBlockId']].map(block),
]

const shiftsRows = ({ op }: Operation): boolean => ['add_item', 'remove_item', 'move_item'].includes(op)
const listOf = ({ blockId, listKey }: Operation): string | undefined =>
  listKey === undefined ? undefined : `${String(blockId)} ${String(listKey)}`

/** For each operation the numbers, from 1 on, of the earlier ones that it needs; rows are counted by position. */
export function needsOf(ops: readonly Operation[]): readonly (readonly number[])[] {
  return ops.map((op, at) => {
    const used = new Set(usedBy(op))
    return ops.slice(0, at).flatMap((earlier, index) => {
      const isMaker = madeBy(earlier).some((made) => used.has(made))
      const hasShifted = listOf(op) !== undefined && listOf(op) === listOf(earlier) && shiftsRows(earlier)
      return isMaker || hasShifted ? [index + 1] : []
    })
  })
}
