import { isInternal } from '../fields.ts'
import { rowIds } from '../items.ts'
import type { Props, PropsSchema } from '../model.ts'
import { isPlainObject } from '../plain-object.ts'
import { fieldOf, propertyOf } from './declared.ts'
import { defineOperation } from './definition.ts'
import { check, enforce } from './enforce.ts'
import { enforcedSchema } from './enforced-schema.ts'
import { findTarget, type Target } from './find.ts'
import { violates } from './refuse.ts'
import { replaceProps } from './replace-rows.ts'
import { blockId, operation, pageSlug, props } from './shapes.ts'
import type { BatchState } from './state.ts'
import { writePatch } from './write-patch.ts'

export const updateProps = defineOperation({
  name: 'update_props',
  summary: 'Changes props of a block; what is not named stays. Lists are merged row by row.',
  structural: false,
  schema: operation('update_props', { pageSlug, blockId, patch: props }),
  needs: (op) => ({ pages: [op.pageSlug] }),
  apply(state, op) {
    const target = findTarget(state, op)
    const { page, block, blockType } = target
    const patch = unwrapped(op.patch, target)
    const resolved = { ...op, pageSlug: page.slug, blockId: block.id, patch }
    refuseUnknown(state, target, patch)

    const schema = enforcedSchema(blockType)
    const { object, changed, references } = writePatch(
      { state, block, from: inPatch, bringsReferences: false },
      { fields: blockType.fields, schema, stored: block.props, at: '', idsOf: (name) => rowIds(block.id, name) },
      patch,
      { inherits: true },
    )
    if (changed.length === 0) return { op: resolved, skipped: whySkipped(Object.keys(patch).length, references) }
    for (const name of changed) enforceProp(state, target, propertyOf(schema, name), name, object)
    replaceProps(state, target, object)
    return { op: resolved }
  },
})

/** Some planners wrap the patch once more, as `{ props: { … } }`. */
function unwrapped(patch: Props, { blockType: { propsSchema, fields } }: Target): Props {
  const inner = patch['props']
  return isPlainObject(inner) && !Object.hasOwn(propsSchema.properties ?? fields, 'props') ? inner : patch
}

function refuseUnknown(state: BatchState, { block, blockType }: Target, patch: Props): void {
  const { type, fields, propsSchema } = blockType
  const allowed = propsSchema.properties ?? { ...block.props, ...fields }
  const unknown = Object.keys(patch).filter((name) => !Object.hasOwn(allowed, name) && !isDropped(name))
  if (unknown.length === 0) return
  const admissible = Object.keys(allowed)
  const message = `${type} has no prop ${unknown.join(', ')}; its props are ${admissible.join(', ')}`
  violates(`patch.${unknown[0]}`, message, admissible)

  function isDropped(name: string): boolean {
    return state.context.source === 'planner' && isInternal(name, fieldOf(fields, name))
  }
}

function enforceProp(
  state: BatchState, { by, block }: Target, schema: PropsSchema | undefined, name: string, after: Props,
): void {
  if (!schema || !Object.hasOwn(after, name)) return
  const stale = () => (Object.hasOwn(block.props, name) ? check(state, schema, block.props[name], name) : [])
  enforce(state, by, check(state, schema, after[name], name), { at: inPatch, stale })
}

const inPatch = (path: string) => `patch.${path}`

function whySkipped(keys: number, references: number) {
  if (keys === 0) return { reason: 'empty_patch', because: 'the patch is empty' } as const
  if (references === keys) return { reason: 'reference_only', because: 'the patch names references only' } as const
  return { reason: 'unchanged_value', because: 'every prop has this value already' } as const
}
