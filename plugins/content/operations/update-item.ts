import { violations } from '../check-props.ts'
import { effectiveItemFields } from '../fields.ts'
import { rowKey } from '../items.ts'
import type { FieldMeta, Fields, Props } from '../model.ts'
import { isPlainObject } from '../plain-object.ts'
import { itemSchemaOf } from '../props-schema.ts'
import { fieldOf, propertyOf } from './declared.ts'
import { defineOperation } from './definition.ts'
import { enforce } from './enforce.ts'
import { enforcedSchema } from './enforced-schema.ts'
import { findList, findTarget } from './find.ts'
import { refuse } from './refuse.ts'
import { replaceRows } from './replace.ts'
import { rowAt } from './row-at.ts'
import { isBranch } from './settle.ts'
import { blockId, index, listKey, operation, pageSlug, props } from './shapes.ts'
import type { BatchState } from './state.ts'
import { writePatch } from './write-patch.ts'

export const updateItem = defineOperation({
  name: 'update_item',
  summary: 'Changes fields of one row; what is not named stays.',
  structural: false,
  schema: operation('update_item', { pageSlug, blockId, listKey, index: index('the position of the row'), patch: props }),
  needs: (op) => ({ pages: [op.pageSlug] }),
  apply(state, op) {
    const target = findTarget(state, op)
    const { page, block, blockType } = target
    const { rows, meta } = findList(target, op.listKey)
    const row = rowAt(rows, op)
    if (!isPlainObject(row)) return refuse('schema_violation', `${op.listKey}[${op.index}] is no row with fields; use update_props`, { path: 'index' })
    const patch = meta ? withoutKey(state, op, row) : op.patch
    if (meta) refuseBranchless(meta, patch)
    const resolved = { ...op, pageSlug: page.slug, blockId: block.id, patch }

    const at = `${op.listKey}[${op.index}]`
    const schema = itemSchemaOf(propertyOf(enforcedSchema(blockType), op.listKey))
    const write = { state, block, from: (path: string) => `patch${path.slice(at.length)}`, bringsReferences: false }
    const place = {
      fields: meta ? fieldsOfBoth(meta, row, patch) : {}, schema, stored: row, at,
      idPrefix: `${op.listKey}.${rowKey(row) ?? op.index}.`,
    }
    const { object, references } = writePatch(write, place, patch, { inherits: false })
    if (references > 0 && references === Object.keys(patch).length) {
      return { op: resolved, skipped: { reason: 'reference_only', because: 'the patch names references only' } }
    }
    enforce(state, target.by, schema ? violations(schema, object, at) : [], {
      at: write.from,
      stale: () => (schema ? violations(schema, row, at) : []),
    })
    replaceRows(state, target, op.listKey, rows.with(op.index, object))
    return { op: resolved }
  },
})

/** A row keeps its key: drafts, diffs and content stores know it by that. */
function withoutKey(state: BatchState, { listKey, index, patch }: { readonly listKey: string; readonly index: number; readonly patch: Props }, row: Props): Props {
  const others = ['id', '_key'].filter((name) => Object.hasOwn(patch, name) && patch[name] !== row[name])
  if (rowKey(row) === undefined || others.length === 0) return patch
  state.notes.push(`${listKey}[${index}]: the row keeps its key ${rowKey(row)}`)
  return Object.fromEntries(Object.entries(patch).filter(([name]) => !others.includes(name)))
}

function refuseBranchless({ discriminator, itemFieldsByType }: FieldMeta, patch: Props): void {
  if (!discriminator || !Object.hasOwn(patch, discriminator) || isBranch(patch[discriminator])) return
  const admissible = Object.keys(itemFieldsByType ?? {})
  refuse('schema_violation', `a row cannot lose its ${discriminator}: send another one`, { path: `patch.${discriminator}`, admissible })
}

/** The fields of the row's new branch, and the references of its old one: pointers do not change with the branch. */
function fieldsOfBoth(meta: FieldMeta, row: Props, patch: Props): Fields {
  const before = effectiveItemFields(meta, row)
  const after = effectiveItemFields(meta, { ...row, ...patch })
  if (before === after) return after
  const references = Object.keys(before).filter((name) => fieldOf(before, name)?.kind === 'reference')
  return { ...after, ...Object.fromEntries(references.flatMap((name) => (before[name] ? [[name, before[name]]] : []))) }
}
