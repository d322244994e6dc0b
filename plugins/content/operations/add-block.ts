import type { BlockType, Page, Props, Registry } from '../model.ts'
import { propertyOf } from './declared.ts'
import { defineOperation } from './definition.ts'
import { enforce, stepsPerNewProp } from './enforce.ts'
import { type BatchState, blockIdsElsewhere, noteIfElsewhere, replaceBlocks, spend } from './state.ts'
import { findPage, placeAfter, placeLooselyAfter, refuseChrome, rulesFor } from './find.ts'
import { violates } from './refuse.ts'
import { inProps, propsViolations, settleNewProps } from './settle.ts'
import { afterBlockId, block, operation, pageSlug } from './shapes.ts'

export const addBlock = defineOperation({
  name: 'add_block',
  summary: 'Adds a block to a page, last or right after another.',
  structural: true,
  schema: operation('add_block', { pageSlug, block, afterBlockId }),
  needs: (op) => ({ pages: [op.pageSlug], blockIds: true }),
  apply(state, op) {
    const { source } = state.context
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
    const props = withDefaults(state, settleNewProps(state, op.block, blockType, at), blockType)
    enforce(state, by, propsViolations(state, blockType, props), { at: inProps(at) })
    noteIfElsewhere(state, id, blockIdsElsewhere(state, page.slug))

    const added = { ...op.block, props }
    replaceBlocks(state, page, page.blocks.toSpliced(position, 0, added))
    return { op: { ...op, pageSlug: page.slug, block: added, ...anchor(page, position, op.afterBlockId) } }
  },
})

/** Adds the choices that an editor would show as made: optional closed sets with a default. */
function withDefaults(state: BatchState, props: Props, blockType: BlockType): Props {
  const missing = defaultsOf(blockType, state.context.registry).filter(([name]) => !Object.hasOwn(props, name))
  if (missing.length === 0) return props
  spend(state, missing.length * stepsPerNewProp)
  return { ...props, ...Object.fromEntries(missing) }
}

const knownDefaults = new WeakMap<BlockType, readonly (readonly [string, unknown])[]>()

function defaultsOf(blockType: BlockType, registry: Registry): readonly (readonly [string, unknown])[] {
  const { type, propsSchema: { properties = {}, required = [] } } = blockType
  let defaults = knownDefaults.get(blockType)
  if (!defaults) {
    const needed = new Set(required)
    const registered = registry.get(type)?.propsSchema
    defaults = Object.entries(properties).flatMap(([name, property]) => {
      if (needed.has(name)) return []
      const choices = [property, propertyOf(registered, name)]
      const choice = choices.find((schema) => schema?.enum && schema.default !== undefined)
      return choice && (property.enum ?? choice.enum)?.includes(choice.default) ? [[name, choice.default] as const] : []
    })
    knownDefaults.set(blockType, defaults)
  }
  return defaults
}

/** The block that the new one did come after, where one was asked for. */
function anchor({ blocks }: Page, position: number, requested: string | undefined) {
  const before = requested === undefined ? undefined : blocks[position - 1]
  return before ? { afterBlockId: before.id } : {}
}
