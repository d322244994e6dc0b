import type { Props } from '../model.ts'
import type { Target } from './find.ts'
import { replaceBlocks, type BatchState } from './state.ts'

/** Puts new props in the place of those of a block. */
export function replaceProps(state: BatchState, { page, block, index }: Target, props: Props): void {
  replaceBlocks(state, page, page.blocks.with(index, { ...block, props }))
}

/** Puts new rows in the place of those of a list. */
export function replaceRows(state: BatchState, target: Target, listKey: string, rows: readonly unknown[]): void {
  replaceProps(state, target, { ...target.block.props, [listKey]: rows })
}
