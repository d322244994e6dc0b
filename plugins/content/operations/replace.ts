import type { Props } from '../model.ts'
import type { Target } from './find.ts'
import { replaceBlocks, type BatchState } from './state.ts'

/** Puts new props in the place of those of a block. */
export function replaceProps(state: BatchState, { page, block, index }: Target, props: Props): void {
  replaceBlocks(state, page, page.blocks.with(index, { ...block, props }))
}
