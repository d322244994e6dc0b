import type { Violation } from '../check-props.ts'
import type { Props, PropsSchema } from '../model.ts'
import { propertyOf } from './declared.ts'
import { check, enforce } from './enforce.ts'
import { enforcedSchema } from './enforced-schema.ts'
import type { Target } from './find.ts'
import { type BatchState, replaceBlocks } from './state.ts'

/** Puts new rows in the place of those of a list, unless that breaks the limits of the list. */
export function replaceRows(
  state: BatchState,
  target: Target,
  { listKey, path }: {
    readonly listKey: string
    /** The field of the operation that a broken limit is blamed on. */
    readonly path: string
  },
  { before, after }: { readonly before: readonly unknown[]; readonly after: readonly unknown[] },
): void {
  const schema = propertyOf(enforcedSchema(target.blockType), listKey)
  enforce(state, target.by, listViolations(state, schema, after, listKey), {
    at: () => path,
    subject: `list ${listKey}`,
    stale: () => listViolations(state, schema, before, listKey),
  })
  replaceProps(state, target, { ...target.block.props, [listKey]: after })
}

/**
 * Lists how the rows of a list, taken together, violate its schema: by their number, and where each position has
 * a schema of its own, by what they are. Rows that share one schema are checked where they are written.
 */
function listViolations(
  state: BatchState, schema: PropsSchema | undefined, rows: readonly unknown[], listKey: string,
): readonly Violation[] {
  if (!schema) return []
  if (Array.isArray(schema.items)) return check(state, schema, rows, listKey)
  const { items: _items, ...limits } = schema
  return check(state, limits, rows, listKey)
}

/** Puts new props in the place of those of a block. */
export function replaceProps(state: BatchState, { page, block, index }: Target, props: Props): void {
  replaceBlocks(state, page, page.blocks.with(index, { ...block, props }))
}
