import { labelOf } from '../content/field-meta.ts'
import { isDeclaredList } from '../content/fields.ts'
import { effectiveItemFields } from '../content/list-fields.ts'
import type { Fields, Props } from '../content/model.ts'
import type { Operation } from '../content/operations/index.ts'
import { isPlainObject, ownValue } from '../content/plain-object.ts'
import { labelsOfRow, titlesOf } from './frame/names.ts'
import { labelOfBlock } from './resolve/choose.ts'
import { rowAt } from './resolve/rows.ts'
import { blockOf, blockWithId, fieldsOf, pageOf, type Work } from './work/work.ts'

/** One line for an operation, with the values that change, as people speak of them. `before` is the work without it. */
export function describe(before: Work, op: Operation): string {
  const { texts } = before.scene
  switch (op.op) {
    case 'update_props': return blockLines(before, op)
    case 'update_item': return itemLines(before, op)
    case 'add_block': return texts.addedBlock(typeName(before, op.block.type), titlesOf(op.block)[0], titleOf(before, op.pageSlug))
    case 'remove_block': return texts.removedBlock(labelFor(before, op), titleOf(before, op.pageSlug))
    case 'move_block': return texts.movedBlock(labelFor(before, op), op.afterBlockId && labelFor(before, { ...op, blockId: op.afterBlockId }))
    case 'duplicate_block': return texts.copiedBlock(labelFor(before, op), titleOf(before, op.toPageSlug || op.pageSlug))
    case 'add_item': return texts.addedRow(titlesOfRow(op.item), labelFor(before, op))
    case 'remove_item': return texts.removedRow(rowLabel(before, op), labelFor(before, op))
    case 'move_item': return texts.movedRow(rowLabel(before, op), placeOf(op) + 1, labelFor(before, op))
    case 'create_page': return texts.createdPage(op.page.title ?? op.page.slug, op.page.slug)
    case 'remove_page': return texts.removedPage(titleOf(before, op.pageSlug), op.pageSlug)
    case 'rename_page': return texts.renamedPage(titleOf(before, op.pageSlug), {
      ...(op.newPageSlug !== undefined && { slug: op.newPageSlug }), ...(op.newTitle !== undefined && op.newTitle !== titleOf(before, op.pageSlug) && { title: op.newTitle }),
    })
    case 'move_page': return texts.movedPage(titleOf(before, op.pageSlug), op.afterPageSlug && titleOf(before, op.afterPageSlug))
    case 'duplicate_page': return texts.copiedPage(titleOf(before, op.pageSlug), op.newPageSlug)
    case 'update_page_meta': return metaLine(before, op.pageSlug, op.patch)
    case 'update_site_config': return siteLine(before, op.patch)
  }
}

interface OnBlock {
  readonly pageSlug: string
  readonly blockId: string
}

interface OnRow extends OnBlock {
  readonly listKey: string
  readonly index: number
}

const at = ({ pageSlug, blockId }: OnBlock) => ({ slug: pageSlug, id: blockId })

function labelFor(work: Work, op: OnBlock): string {
  const page = work.draft.page(op.pageSlug)
  const block = page && blockWithId(page, op.blockId)
  return block ? labelOfBlock(work, block) : ''
}

const titleOf = (work: Work, slug: string) => work.draft.page(slug)?.title ?? slug
const typeName = ({ scene }: Work, type: string) => scene.typesByName.get(type)?.displayName ?? type

function rowLabel(work: Work, op: OnRow): string | undefined {
  return labelsOfRow(rowAt(work, { ...at(op), ...op }))[0]
}

const titlesOfRow = (item: Props) => labelsOfRow(item)[0]

const placeOf = ({ index, afterIndex }: { readonly index: number; readonly afterIndex?: number | undefined }) =>
  (afterIndex === undefined ? 0 : afterIndex < index ? afterIndex + 1 : afterIndex)

function blockLines(work: Work, op: OnBlock & { readonly patch: Props }): string {
  const block = blockOf(work, at(op))
  return propLines(work, op, { where: labelFor(work, op), fields: fieldsOf(work, block), before: block.props, patch: op.patch })
}

function itemLines(work: Work, op: OnRow & { readonly patch: Props }): string {
  const block = blockOf(work, at(op))
  const list = fieldsOf(work, block)[op.listKey]
  const rows = block.props[op.listKey]
  const row = Array.isArray(rows) && isPlainObject(rows[op.index]) ? rows[op.index] : {}
  const where = work.scene.texts.rowOf(rowLabel(work, op) ?? String(op.index + 1), labelFor(work, op))
  const fields = list && isDeclaredList(list) ? effectiveItemFields(list, row) : {}
  return propLines(work, op, { where, fields, before: row, patch: op.patch })
}

function propLines(work: Work, op: OnBlock, { where, fields, before, patch }: {
  readonly where: string
  readonly fields: Fields
  readonly before: Props
  readonly patch: Props
}): string {
  const { texts } = work.scene
  return Object.entries(patch).map(([name, value]) => {
    const label = labelOf(name, ownValue(fields, name))
    const from = shownValue(work, ownValue(before, name))
    return value === '' ? texts.cleared(where, label) : texts.changed(where, label, from, shownValue(work, value))
  }).join('; ') || labelFor(work, op)
}

function shownValue({ scene: { texts } }: Work, value: unknown): string {
  if (value === undefined || value === null || value === '') return texts.nothing
  if (isPlainObject(value) && typeof value['href'] === 'string') return value['href']
  return typeof value === 'object' ? '…' : String(value)
}

const metaNames = ['title', 'description', 'ogImage'] as const

function metaLine(work: Work, slug: string, patch: Extract<Operation, { op: 'update_page_meta' }>['patch']): string {
  const { texts } = work.scene
  const page = pageOf(work, slug)
  const where = texts.metaOf(page.title)
  return metaNames.filter((name) => patch[name] !== undefined).map((name) => {
    const value = patch[name] ?? ''
    const what = texts.metaNames[name]
    return value === '' ? texts.cleared(where, what) : texts.changed(where, what, shownValue(work, page.meta?.[name]), value)
  }).join('; ')
}

function siteLine(work: Work, patch: Extract<Operation, { op: 'update_site_config' }>['patch']): string {
  const { scene: { texts }, draft } = work
  const plain = ([[texts.siteName, patch.name, draft.config.name], [texts.logo, patch.logo, draft.config.logo]] as const)
    .flatMap(([label, to, from]) => (to === undefined ? [] : [texts.changed(texts.site, label, shownValue(work, from), to)]))
  const labels = Object.entries(patch.navLabels ?? {}).map(([slug, label]) =>
    texts.changed(texts.site, texts.menuLabel(titleOf(work, slug)), shownValue(work, ownValue(draft.config.navLabels, slug)), label))
  const groups = Object.entries(patch.navGroups ?? {}).map(([label, slugs]) => texts.menuGroup(label, slugs.map((slug) => titleOf(work, slug))))
  return [...plain, ...labels, ...groups].join('; ')
}

