import { violations } from '../check-props.ts'
import { isInternal } from '../fields.ts'
import type { Props } from '../model.ts'
import { isPlainObject } from '../plain-object.ts'
import { defineOperation } from './definition.ts'
import { fieldOf, propertyOf } from './declared.ts'
import { enforce } from './enforce.ts'
import { enforcedSchema } from './enforced-schema.ts'
import { findTarget, type Target } from './find.ts'
import { refuse } from './refuse.ts'
import { replaceProps } from './replace.ts'
import type { Write } from './settle.ts'
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
    const write: Write = { state, block, from: (path) => `patch.${path}`, bringsReferences: false }
    const place = { fields: blockType.fields, schema, stored: block.props, at: '', idPrefix: '' }
    const { object, changed, references } = writePatch(write, place, patch, { inherits: true })
    if (changed.length === 0) return { op: resolved, skipped: reasonToSkip(Object.keys(patch).length, references) }
    for (const name of changed) {
      const property = propertyOf(schema, name)
      if (!property || !Object.hasOwn(object, name)) continue
      enforce(state, target.by, violations(property, object[name], name), {
        at: write.from,
        stale: () => (Object.hasOwn(block.props, name) ? violations(property, block.props[name], name) : []),
      })
    }
    replaceProps(state, target, object)
    return { op: resolved }
  },
})

/** Some planners wrap the patch once more, as `{ props: { … } }`. */
function unwrapped(patch: Props, { blockType }: Target): Props {
  const inner = patch['props']
  return isPlainObject(inner) && !isDeclared(blockType.propsSchema.properties ?? blockType.fields, 'props') ? inner : patch
}

function refuseUnknown(state: BatchState, { block, blockType: { type, fields, propsSchema } }: Target, patch: Props): void {
  const allowed = propsSchema.properties ?? { ...block.props, ...fields }
  const planned = state.context.source === 'planner'
  const unknown = Object.keys(patch).filter((name) => !isDeclared(allowed, name) && !(planned && isInternal(name, fieldOf(fields, name))))
  if (unknown.length === 0) return
  const admissible = Object.keys(allowed)
  const message = `${type} has no prop ${unknown.join(', ')}; its props are ${admissible.join(', ')}`
  refuse('schema_violation', message, { path: `patch.${unknown[0]}`, admissible })
}

function reasonToSkip(keys: number, references: number) {
  if (keys === 0) return { reason: 'empty_patch', because: 'the patch is empty' } as const
  if (references === keys) return { reason: 'reference_only', because: 'the patch names references only' } as const
  return { reason: 'unchanged_value', because: 'every prop has this value already' } as const
}

const isDeclared = (names: object, name: string) => Object.hasOwn(names, name)
