import { enforce } from './enforce.ts'
import type { BatchState } from './state.ts'
import { replaceProps, type TargetList } from './target.ts'

/**
 * Replaces the rows of a list; refuses rows that violate the limits of the list: their number and, if each
 * position has its own schema, their content. Rows with a common schema are checked when they are written.
 * Errors refer to the field `path` of the operation.
 */
export function replaceRows(
  state: BatchState,
  list: TargetList,
  after: readonly unknown[],
  path: string,
): void {
  const { by, block, listKey, rows, schema: declared } = list
  const { items, ...limits } = declared ?? {}
  const schema = Array.isArray(items) ? declared : limits
  const subject = `list ${listKey}`
  enforce(state, { by, schema, at: listKey, after, before: rows, pathInOp: () => path, subject })
  replaceProps(state, list, { ...block.props, [listKey]: after })
}
