import * as v from 'valibot'
import { copyOf } from '../block-ids.ts'
import { isInternal } from '../fields.ts'
import { rowIds } from '../items.ts'
import type { BlockType, Page, Props, Registry } from '../model.ts'
import { blockSize } from '../page-bytes.ts'
import { isPlainObject, ownValue, perObject } from '../plain-object.ts'
import { defineOperation } from './definition.ts'
import { check, enforce, enforcedSchema, stepsPerNewProp } from './enforce.ts'
import { findPage, findTarget, placeAfter, refuseChrome, rulesFor, type Target } from './find.ts'
import { violates } from './refuse.ts'
import { inProps, propsViolations, settleNewProps } from './settle.ts'
import { afterBlockId, block, blockId, name, optional, pageSlug, props } from './shapes.ts'
import { type BatchState, createBlocks, noteIfElsewhere, replaceBlocks, spend } from './state.ts'
import { replaceProps, writePatch } from './write-patch.ts'

export const addBlock = defineOperation('add_block', { pageSlug, block, afterBlockId }, {
  summary: 'Adds a block to a page, last or right after another.',
  structural: true,
  needs: (op) => ({ pages: [op.pageSlug], blockIds: true }),
  apply(state, op) {
    const { id, type } = op.block
    const page = findPage(state, op.pageSlug)
    const { by, blockType } = rulesFor(state, type)
    refuseChrome(blockType)
    if (page.blocks.some((block) => block.id === id)) {
      violates('block.id', `page ${page.slug} has a block ${id} already; send another id`)
    }
    const byType = state.context.source === 'planner'
    const position = placeAfter(page, op.afterBlockId, { byType }) ?? page.blocks.length

    const at = 'block.props'
    const props = withDefaults(state, settleNewProps(state, op.block, blockType, at), blockType)
    enforce(state, by, propsViolations(state, blockType, props), { at: inProps(at) })
    noteIfElsewhere(state, page.slug, id)

    const added = { ...op.block, props }
    createBlocks(state, [added], blockSize(added))
    replaceBlocks(state, page, page.blocks.toSpliced(position, 0, added))
    const before = op.afterBlockId === undefined ? undefined : page.blocks[position - 1]
    return { op: { ...op, pageSlug: page.slug, block: added, ...(before && { afterBlockId: before.id }) } }
  },
})

export const updateProps = defineOperation('update_props', { pageSlug, blockId, patch: props }, {
  summary: 'Changes props of a block; what is not named stays. Lists are merged row by row.',
  apply(state, op) {
    const target = findTarget(state, op)
    const { page, block, by, blockType } = target
    const patch = unwrapped(op.patch, blockType)
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
    for (const name of changed) {
      const property = ownValue(schema.properties, name)
      const violationsIn = (props: Props) => (Object.hasOwn(props, name) ? check(state, property, props[name], name) : [])
      enforce(state, by, violationsIn(object), { at: inPatch, stale: () => violationsIn(block.props) })
    }
    replaceProps(state, target, object)
    return { op: resolved }
  },
})

export const removeBlock = defineOperation('remove_block', { pageSlug, blockId }, {
  summary: 'Removes a block from its page.',
  structural: true,
  apply(state, op) {
    const { page, block, index, blockType } = findTarget(state, op, { removal: true })
    refuseChrome(blockType)
    replaceBlocks(state, page, page.blocks.toSpliced(index, 1))
    return { op: { ...op, pageSlug: page.slug, blockId: block.id } }
  },
})

export const moveBlock = defineOperation('move_block', { pageSlug, blockId, afterBlockId }, {
  summary: 'Moves a block to the top of its page, or right after another.',
  structural: true,
  apply(state, op) {
    const { page, block, index, blockType } = findTarget(state, op)
    refuseChrome(blockType)
    const others = { ...page, blocks: page.blocks.toSpliced(index, 1) } // a block cannot come after itself
    const position = placeAfter(others, op.afterBlockId) ?? 0
    replaceBlocks(state, page, others.blocks.toSpliced(position, 0, block))
    return { op: { ...op, pageSlug: page.slug, blockId: block.id } }
  },
})

const copyPage = v.pipe(v.string(), v.description('the slug of the page to copy to; the same page when empty'))
const copyId = optional(name('the id of the copy'))
const copyFields = { pageSlug, blockId, toPageSlug: optional(copyPage), newBlockId: copyId, afterBlockId }

export const duplicateBlock = defineOperation('duplicate_block', copyFields, {
  summary: 'Copies a block, right after itself or to another page.',
  structural: true,
  needs: (op) => ({ pages: [op.pageSlug, op.toPageSlug || op.pageSlug], blockIds: true }),
  apply(state, op) {
    const { page: source, block, index, blockType } = findTarget(state, op)
    refuseChrome(blockType)
    const page = op.toPageSlug ? findPage(state, op.toPageSlug) : source
    const position = placeAfter(page, op.afterBlockId) ?? (page === source ? index + 1 : page.blocks.length)
    const id = idOfCopy(state, page, block.id, op.newBlockId)
    const copy = { ...block, id }
    createBlocks(state, [copy], blockSize(block))
    replaceBlocks(state, page, page.blocks.toSpliced(position, 0, copy))
    return { op: { ...op, pageSlug: source.slug, blockId: block.id, toPageSlug: page.slug, newBlockId: id } }
  },
})

/** Adds the options that an editor would preselect: optional closed sets with a default. */
function withDefaults(state: BatchState, props: Props, blockType: BlockType): Props {
  const defaults = defaultsIn(state.context.registry)(blockType)
  const missing = defaults.filter(([name]) => !Object.hasOwn(props, name))
  if (missing.length === 0) return props
  spend(state, missing.length * stepsPerNewProp)
  return { ...props, ...Object.fromEntries(missing) }
}

/** The closed sets with a default of a block type, by prop, from its own schema or the registry. */
const defaultsIn = perObject((registry: Registry) => perObject(({ type, propsSchema }: BlockType) => {
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
}))

/** Unwraps a patch that some planners send as `{ props: { … } }`. */
function unwrapped(patch: Props, { propsSchema, fields }: BlockType): Props {
  const inner = patch['props']
  return isPlainObject(inner) && !Object.hasOwn(propsSchema.properties ?? fields, 'props') ? inner : patch
}

function refuseUnknown({ context }: BatchState, { block, blockType }: Target, patch: Props): void {
  const { type, fields, propsSchema } = blockType
  const allowed = propsSchema.properties ?? { ...block.props, ...fields }
  const isDropped = (name: string) => context.source === 'planner' && isInternal(name, ownValue(fields, name))
  const unknown = Object.keys(patch).filter((name) => !Object.hasOwn(allowed, name) && !isDropped(name))
  if (unknown.length === 0) return
  const admissible = Object.keys(allowed)
  const message = `${type} has no prop ${unknown.join(', ')}; its props are ${admissible.join(', ')}`
  violates(`patch.${unknown[0]}`, message, admissible)
}

const inPatch = (path: string) => `patch.${path}`

function whySkipped(keys: number, references: number) {
  if (keys === 0) return { reason: 'empty_patch', because: 'the patch is empty' } as const
  if (references === keys) return { reason: 'reference_only', because: 'the patch names references only' } as const
  return { reason: 'unchanged_value', because: 'every prop has this value already' } as const
}

/** Returns the requested id if the target page does not use it; a generated id is new to the draft. */
function idOfCopy(state: BatchState, page: Page, sourceId: string, wanted: string | undefined): string {
  if (wanted === undefined) return state.freeId(copyOf(sourceId))
  if (page.blocks.some(({ id }) => id === wanted)) return state.freeId(wanted)
  noteIfElsewhere(state, page.slug, wanted)
  return wanted
}
