import type { BlockType, Page, Props, Registry } from '../model.ts'
import { propertyOf } from './declared.ts'
import { defineOperation } from './definition.ts'
import { enforce } from './enforce.ts'
import { findPage, placeAfter, placeLooselyAfter, refuseChrome, rulesFor } from './find.ts'
import { refuse } from './refuse.ts'
import { propsViolations, settleNewProps } from './settle-block.ts'
import { afterBlockId, block, operation, pageSlug } from './shapes.ts'
import { isBlockIdElsewhere, replaceBlocks } from './state.ts'

export const addBlock = defineOperation({
  name: 'add_block',
  summary: 'Adds a block to a page, last or right after another.',
  structural: true,
  schema: operation('add_block', { pageSlug, block, afterBlockId }),
  needs: (op) => ({ pages: [op.pageSlug], blockIds: true }),
  apply(state, op) {
    const { registry, source } = state.context
    const page = findPage(state, op.pageSlug)
    const { by, blockType } = rulesFor(state, op.block.type)
    refuseChrome(blockType)
    if (page.blocks.some(({ id }) => id === op.block.id)) {
      refuse('schema_violation', `page ${page.slug} has a block ${op.block.id} already; send another id`, { path: 'block.id' })
    }
    const position = (source === 'planner' ? placeLooselyAfter : placeAfter)(page, op.afterBlockId) ?? page.blocks.length

    const props = withDefaults(settleNewProps(state, op.block, blockType), blockType, registry)
    enforce(state, by, propsViolations(blockType, props), { at: (path) => (path === '' ? 'block.props' : `block.props.${path}`) })
    if (isBlockIdElsewhere(state, op.block.id, page.slug)) state.notes.push(`block id ${op.block.id} is used on another page too`)

    const added = { ...op.block, props }
    replaceBlocks(state, page, page.blocks.toSpliced(position, 0, added))
    return { op: { ...op, pageSlug: page.slug, block: added, ...anchor(page, position, op.afterBlockId) } }
  },
})

/** The choices that an editor would show as made: optional closed sets with a default. */
function withDefaults(props: Props, { type, propsSchema }: BlockType, registry: Registry): Props {
  const registered = registry.get(type)?.propsSchema
  const missing = Object.entries(propsSchema.properties ?? {}).flatMap(([name, property]) => {
    if (Object.hasOwn(props, name) || propsSchema.required?.includes(name)) return []
    const choice = [property, propertyOf(registered, name)].find((schema) => schema?.enum && schema.default !== undefined)
    return choice && (property.enum ?? choice.enum)?.includes(choice.default) ? [[name, choice.default]] : []
  })
  return missing.length > 0 ? { ...props, ...Object.fromEntries(missing) } : props
}

const anchor = ({ blocks }: Page, position: number, requested: string | undefined) => {
  const before = requested === undefined ? undefined : blocks[position - 1]
  return before ? { afterBlockId: before.id } : {}
}
