import { addableTypes } from '../../../content/registry.ts'
import { effectiveItemFields, isDeclaredList } from '../../../content/fields.ts'
import { isInternal, labelOf } from '../../../content/field-meta.ts'
import type { Fields } from '../../../content/model.ts'
import { findBlock, selectedBlock } from '../resolve/blocks.ts'
import { findPageOr } from '../resolve/pages.ts'
import { labelOfBlock } from '../resolve/references.ts'
import { focusedRow, rowAt } from '../resolve/rows.ts'
import { blockOf, fieldsOf, pageOf, type BlockAt, type Work } from '../work.ts'
import type { Answering } from './index.ts'

/** Which sections this site may have. */
export const blockCatalogue: Answering = ({ scene: { input, texts, named } }) => {
  const types = input.manifest?.types().filter(({ chrome }) => !chrome) ?? addableTypes(input.registry)
  const findings = types.map(named).map(({ displayName, description }) => (description === undefined ? displayName : `${displayName}: ${description}`))
  return { summary: texts.addable(findings), findings }
}

/** What can be changed: of the selected row, the selected or named block, or of every kind of block on the page. */
export const editableFields: Answering = (work, { block, page }) => {
  const { texts } = work.scene
  const named = block ? findBlock(work, block) : page ? undefined : selectedBlock(work)
  if (named) return ofBlock(work, named)
  const { title, blocks } = pageOf(work, findPageOr(work, page))
  const types = [...new Map(blocks.map((one) => [one.type, one])).values()]
  const findings = types.map((one) => texts.fieldList(
    work.scene.types.find(({ type }) => type === one.type)?.displayName ?? one.type, labelsOf(fieldsOf(work, one)),
  ))
  return { summary: texts.fieldsOfPage(title), findings }
}

function ofBlock(work: Work, at: BlockAt) {
  const { texts } = work.scene
  const row = focusedRow(work)
  const block = blockOf(work, at)
  const list = row?.id === at.id ? fieldsOf(work, block)[row.listKey] : undefined
  const labels = labelsOf(row && list ? effectiveItemFields(list, rowAt(work, row)) : fieldsOf(work, block))
  return { summary: texts.fieldsOfBlock(labelOfBlock(work, block), labels.length), findings: labels }
}

function labelsOf(fields: Fields): readonly string[] {
  return Object.entries(fields).filter(([name, meta]) => !isInternal(name, meta)).map(([name, meta]) => {
    const { options = [] } = meta
    const rows = isDeclaredList(meta) ? Object.entries(meta.itemFields ?? {}).map(([key, own]) => labelOf(key, own)) : options
    return rows.length > 0 ? `${labelOf(name, meta)} (${rows.join(', ')})` : labelOf(name, meta)
  })
}
