/** Which operations of a plan depend on which. */
import { isRow, type Operation } from './place.ts'

/** Names pages or blocks; an operation leaves out what it does not need. */
const named = (kind: 'page' | 'block', ...ids: readonly unknown[]): readonly string[] =>
  ids.flatMap((id) => (typeof id === 'string' ? [`${kind} ${id}`] : []))

/** What an operation makes. A page that gets another address is made there. */
function madeBy({ page, newPageSlug, block, newBlockId }: Operation): readonly string[] {
  const { slug, blocks } = isRow(page) ? page : {}
  const within: readonly unknown[] = Array.isArray(blocks) ? blocks : []
  const ids = [block, ...within].map((each) => isRow(each) && each['id'])
  return [...named('page', slug, newPageSlug), ...named('block', newBlockId, ...ids)]
}

const usedBy = ({ pageSlug, toPageSlug, afterPageSlug, blockId, afterBlockId }: Operation) =>
  new Set([...named('page', pageSlug, toPageSlug, afterPageSlug), ...named('block', blockId, afterBlockId)])

const shiftsRows = ({ op }: Operation): boolean => ['add_item', 'remove_item', 'move_item'].includes(op)

/** For each operation the numbers, from 1 on, of the earlier ones that it needs; rows are counted by position. */
export function needsOf(ops: readonly Operation[]): readonly (readonly number[])[] {
  return ops.map((op, at) => {
    const used = usedBy(op)
    const isSameList = ({ blockId, listKey }: Operation): boolean =>
      typeof listKey === 'string' && listKey === op['listKey'] && blockId === op['blockId']
    return ops.slice(0, at).flatMap((earlier, index) => {
      const isMaker = madeBy(earlier).some((made) => used.has(made))
      return isMaker || (isSameList(earlier) && shiftsRows(earlier)) ? [index + 1] : []
    })
  })
}
