import { isInternal } from '../fields.ts'
import { rowIds } from '../items.ts'
import type { BlockType, Props } from '../model.ts'
import { isPlainObject, ownValue } from '../plain-object.ts'
import { defineOperation } from './definition.ts'
import { enforce, enforcedSchema } from './enforce.ts'
import { violates } from './refuse.ts'
import { blockId, pageSlug, props } from './shapes.ts'
import type { BatchState } from './state.ts'
import { findBlock, replaceProps, type TargetBlock } from './target.ts'
import { patched } from './values.ts'

export const updateProps = defineOperation(
  'update_props',
  { pageSlug, blockId, patch: props },
  {
    summary: 'Changes props of a block; what is not named stays. Lists are merged row by row.',
    apply(state, op) {
      const target = findBlock(state, op)
      const { page, block, by, blockType } = target
      const patch = unwrapped(op.patch, blockType)
      const resolved = { ...op, pageSlug: page.slug, blockId: block.id, patch }
      refuseUnknown(state, target, patch)

      const schema = enforcedSchema(blockType)
      const idsOf = rowIds(block.id)
      const { object, changed, references } = patched(
        { state, block, pathInOp },
        { fields: blockType.fields, schema, stored: block.props, at: '', idsOf, rowsInherit: true },
        patch,
      )
      if (changed.length === 0) {
        return { op: resolved, skipped: whySkipped(Object.keys(patch).length, references) }
      }
      for (const name of changed) {
        const [before, after] = [ownValue(block.props, name), ownValue(object, name)]
        enforce(state, { by, schema: ownValue(schema.properties, name), at: name, after, before, pathInOp })
      }
      replaceProps(state, target, object)
      return { op: resolved }
    },
  },
)

const pathInOp = (path: string) => `patch.${path}`

/** Unwraps a patch that some planners send as `{ props: { … } }`. */
function unwrapped(patch: Props, { propsSchema, fields }: BlockType): Props {
  const inner = patch['props']
  return isPlainObject(inner) && !Object.hasOwn(propsSchema.properties ?? fields, 'props') ? inner : patch
}

/** Refuses props that a block neither has nor may have, unless the schema of its type says that it takes any. */
function refuseUnknown({ context }: BatchState, { block, blockType }: TargetBlock, patch: Props): void {
  const { type, fields, propsSchema } = blockType
  const allowed = propsSchema.properties ?? { ...block.props, ...fields }
  const isDropped = (name: string) => context.source === 'planner' && isInternal(name, ownValue(fields, name))
  const unknown = Object.keys(patch).filter((name) => !Object.hasOwn(allowed, name) && !isDropped(name))
  if (unknown.length === 0 || propsSchema.additionalProperties === true) return
  const admissible = Object.keys(allowed)
  const message = `${type} has no prop ${unknown.join(', ')}; its props are ${admissible.join(', ')}`
  violates(`patch.${unknown[0]}`, message, admissible)
}

function whySkipped(keys: number, references: number) {
  if (keys === 0) return { reason: 'empty_patch', because: 'the patch is empty' } as const
  const because = 'the patch names references only'
  if (references === keys) return { reason: 'reference_only', because } as const
  return { reason: 'unchanged_value', because: 'every prop has this value already' } as const
}
