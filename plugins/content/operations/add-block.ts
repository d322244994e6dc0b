import type { BlockType, Page, Props, Registry } from '../model.ts'
import { propertyOf } from './declared.ts'
import { defineOperation } from './definition.ts'
import { enforce } from './enforce.ts'
import { findPage, placeAfter, placeLooselyAfter, refuseChrome, rulesFor } from './find.ts'
import { violates } from './refuse.ts'
import { inProps, propsViolations, settleNewProps } from './settle-block.ts'
import { afterBlockId, block, operation, pageSlug } from './shapes.ts'
import { noteIfElsewhere, replaceBlocks } from './state.ts'

export const addBlock = defineOperation({
  name: 'add_block',
  summary: 'Adds a block to a page, last or right after another.',
  structural: true,
  schema: operation('add_block', { pageSlug, block, afterBlockId }),
  needs: (op) => ({ pages: [op.pageSlug], blockIds: true }),
  apply(state, op) {
    const { registry, source } = state.context
    const { id, type } = op.block
    const page = findPage(state, op.pageSlug)
    const { by, blockType } = rulesFor(state, type)
    refuseChrome(blockType)
    if (page.blocks.some((block) => block.id === id)) {
      violates('block.id', `page ${page.slug} has a block ${id} already; send another id`)
    }
    const place = source === 'planner' ? placeLooselyAfter : placeAfter
    const position = place(page, op.afterBlockId) ?? page.blocks.length

    const at = 'block.props'
    const props = withDefaults(settleNewProps(state, op.block, blockType, at), blockType, registry)
    enforce(state, by, propsViolations(blockType, props), { at: inProps(at) })
    noteIfElsewhere(state, id, page.slug)

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
    const choices = [property, propertyOf(registered, name)]
    const choice = choices.find((schema) => schema?.enum && schema.default !== undefined)
    return choice && (property.enum ?? choice.enum)?.includes(choice.default) ? [[name, choice.default]] : []
  })
  return missing.length > 0 ? { ...props, ...Object.fromEntries(missing) } : props
}

/** The block that the new one did come after, where one was asked for. */
function anchor({ blocks }: Page, position: number, requested: string | undefined) {
  const before = requested === undefined ? undefined : blocks[position - 1]
  return before ? { afterBlockId: before.id } : {}
}
