import type { BlockType, Props, Registry } from '../model.ts'
import { blockSize } from '../page-bytes.ts'
import { ownValue, perObject } from '../plain-object.ts'
import { defineOperation } from './definition.ts'
import { enforce, enforcedSchema } from './enforce.ts'
import { violates } from './refuse.ts'
import { afterBlockId, block, pageSlug } from './shapes.ts'
import { type BatchState, createBlocks, noteIfElsewhere, replaceBlocks, spend } from './state.ts'
import { findPage, positionAfter, refuseChrome, refuseNewLock, rulesFor } from './target.ts'
import { newProps, pathsBelow, stepsPerNewProp } from './values.ts'

export const addBlock = defineOperation(
  'add_block',
  { pageSlug, block, afterBlockId },
  {
    summary: 'Adds a block to a page, last or right after another.',
    structural: true,
    needs: (op) => ({ pages: [op.pageSlug], blockIds: true }),
    apply(state, op) {
      const { id, type } = op.block
      refuseNewLock(op.block, 'block')
      const page = findPage(state, op.pageSlug)
      const { by, blockType } = rulesFor(state, type)
      refuseChrome(blockType)
      if (page.blocks.some((block) => block.id === id)) {
        violates('block.id', `page ${page.slug} has a block ${id} already; send another id`)
      }
      const byType = state.context.source === 'planner'
      const position = positionAfter(page, op.afterBlockId, { byType }) ?? page.blocks.length
      const anchor = op.afterBlockId === undefined ? undefined : page.blocks[position - 1]

      const at = 'block.props'
      const props = withDefaults(state, newProps(state, op.block, blockType, at), blockType)
      enforce(state, {
        by,
        schema: enforcedSchema(blockType),
        at: '',
        after: props,
        pathInOp: pathsBelow(at),
        unwritten: blockType.fields,
      })
      noteIfElsewhere(state, page.slug, id)

      const added = { ...op.block, props }
      createBlocks(state, [added], blockSize(added))
      replaceBlocks(state, page, page.blocks.toSpliced(position, 0, added))
      return { op: { ...op, pageSlug: page.slug, block: added, ...(anchor && { afterBlockId: anchor.id }) } }
    },
  },
)

/** Adds the options that an editor would preselect: optional closed sets with a default. */
function withDefaults(state: BatchState, props: Props, blockType: BlockType): Props {
  const defaults = defaultsIn(state.context.registry)(blockType)
  const missing = defaults.filter(([name]) => !Object.hasOwn(props, name))
  spend(state, missing.length * stepsPerNewProp)
  return { ...props, ...Object.fromEntries(missing) }
}

/** The closed sets with a default of a block type, by prop, from its own schema or the registry. */
const defaultsIn = perObject((registry: Registry) =>
  perObject(({ type, propsSchema }: BlockType) => {
    const { properties = {}, required = [] } = propsSchema
    const needed = new Set(required)
    const registered = registry.get(type)?.propsSchema.properties
    return Object.entries(properties).flatMap(([name, property]) => {
      if (needed.has(name)) return []
      const choices = [property, ownValue(registered, name)]
      const choice = choices.find((schema) => schema?.enum && schema.default !== undefined)
      const isChoice = choice && (property.enum ?? choice.enum)?.includes(choice.default)
      return isChoice ? [[name, choice.default] as const] : []
    })
  }),
)
