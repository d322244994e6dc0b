import { effectiveItemFields, isDeclaredList, isInternal, labelOf } from '../../content/fields.ts'
import type { Fields } from '../../content/model.ts'
import { addableTypes } from '../../content/registry.ts'
import { findBlock, selectedBlock } from '../resolve/blocks.ts'
import { labelOfBlock } from '../resolve/choose.ts'
import { focusedRow, rowAt } from '../resolve/rows.ts'
import { type BlockAt, blockOf, fieldsOf, pageOf, type Work } from '../work/work.ts'
import { type Asked, type Said, slugOf } from './question.ts'

/** Which sections this site may have. */
export function blockCatalogue({ scene: { input, texts, named } }: Work): Said {
  const types = input.manifest?.types().filter(({ chrome }) => !chrome) ?? addableTypes(input.registry)
  const findings = types.map(named).map(({ displayName, description }) => (description === undefined ? displayName : `${displayName}: ${description}`))
  return { summary: texts.addable(findings), findings }
}

/** What can be changed: of the selected row, of the selected or named block, or of every kind of block on the page. */
export function editableFields(work: Work, asked: Asked): Said {
  const { texts, typesByName } = work.scene
  const { where } = asked
  const named = where ? (where.kind === 'page' ? undefined : findBlock(work, where)) : selectedBlock(work)
  if (named) return ofBlock(work, named)
  const { title, blocks } = pageOf(work, slugOf(work, asked))
  const types = [...new Map(blocks.map((block) => [block.type, block])).values()]
  return { summary: texts.fieldsOfPage(title), findings: types.map((block) => texts.fieldList(typesByName.get(block.type)?.displayName ?? block.type, namesIn(fieldsOf(work, block)))) }
}

function ofBlock(work: Work, at: BlockAt): Said {
  const row = focusedRow(work)
  const block = blockOf(work, at)
  const list = row?.id === at.id ? fieldsOf(work, block)[row.listKey] : undefined
  const findings = namesIn(row && list ? effectiveItemFields(list, rowAt(work, row)) : fieldsOf(work, block))
  return { summary: work.scene.texts.fieldsOfBlock(labelOfBlock(work, block), findings.length), findings }
}

const namesIn = (fields: Fields): readonly string[] => Object.entries(fields).filter(([name, meta]) => !isInternal(name, meta)).map(([name, meta]) => {
  const parts = isDeclaredList(meta) ? Object.entries(meta.itemFields ?? {}).map(([key, own]) => labelOf(key, own)) : (meta.options ?? [])
  return parts.length > 0 ? `${labelOf(name, meta)} (${parts.join(', ')})` : labelOf(name, meta)
})
