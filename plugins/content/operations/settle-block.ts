import type { Violation } from '../check-props.ts'
import { rowIds } from '../items.ts'
import type { Block, BlockType, Props } from '../model.ts'
import { check } from './enforce.ts'
import { enforcedSchema } from './enforced-schema.ts'
import { settleAll } from './settle.ts'
import type { BatchState } from './state.ts'

/**
 * The props of a block that is new to the draft, as they are stored.
 *
 * People and the system bring pointers into the CMS along; a plan cannot know any. `at` is where the props stand
 * in the operation.
 */
export function settleNewProps(state: BatchState, block: Block, { fields }: BlockType, at: string): Props {
  const from = (path: string) => `${at}.${path}`
  const write = { state, block, from, bringsReferences: state.context.source !== 'planner' }
  return settleAll(write, { fields, schema: undefined, stored: undefined, at: '', idsOf: (name) => rowIds(block.id, name) }, block.props)
}

/** Everything in which the props of a new block violate its type. */
export function propsViolations(state: BatchState, blockType: BlockType, props: Props): readonly Violation[] {
  return check(state, enforcedSchema(blockType), props, '')
}

/** Where a violation of the props at `at` stands in the operation. */
export function inProps(at: string): (path: string) => string {
  return (path) => (path === '' ? at : `${at}.${path}`)
}
