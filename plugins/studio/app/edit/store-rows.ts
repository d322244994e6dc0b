/** Changes the rows of a list, which are named by their keys. */
import { changing } from './undo-line.ts'
import { operationFor, valueAt, type ValuePlace } from '../stores/place.ts'
import type { Operation } from '../stores/draft.ts'
import { positionIn, rowsAfter, type RowAction } from './rows-after.ts'
import { changeInTurn } from './store-field.ts'

/** Adds, removes or moves a row of a list, and says it. */
export const storeRows = (place: ValuePlace, action: RowAction, sentence: string): Promise<void> =>
  changing(
    sentence,
    () =>
      changeInTurn(place, (block) => {
        if (!block) return undefined
        const value = valueAt(block.props, place.path)
        const rows = Array.isArray(value) ? value : []
        const [name = '', ...inner] = place.path
        if (inner.length === 0) return itemOperation({ blockId: block.id, listKey: name }, rows, action)
        const after = rowsAfter(rows, action)
        return after && operationFor(block, place.path, after)
      }),
    'This row was deleted meanwhile.',
  )

function itemOperation(
  list: { readonly blockId: string; readonly listKey: string },
  rows: readonly unknown[],
  action: RowAction,
): Operation | undefined {
  if (action.do === 'add') {
    const after = action.after === undefined ? -1 : positionIn(rows, action.after)
    return { op: 'add_item', ...list, item: action.row, ...(after >= 0 && { afterIndex: after }) }
  }
  const index = positionIn(rows, action.key)
  if (index === -1) return undefined
  if (action.do === 'remove') return { op: 'remove_item', ...list, index }
  // The anchor is the row to come after, by its position before the move.
  const anchor = action.to > index ? action.to : action.to - 1
  return { op: 'move_item', ...list, index, ...(anchor >= 0 && { afterIndex: anchor }) }
}
