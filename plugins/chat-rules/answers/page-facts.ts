import { pagesIn } from '../../content/draft-view.ts'
import { effectiveItemFields, isDeclaredList, isInternal, labelOf } from '../../content/fields.ts'
import type { Block, Fields } from '../../content/model.ts'
import { addableTypes } from '../../content/registry.ts'
import { labelledRows } from '../frame/names.ts'
import { wordsIn } from '../message/phrases.ts'
import { findBlock, selectedBlock } from '../resolve/blocks.ts'
import { labelOfBlock } from '../resolve/choose.ts'
import { focusedRow, rowAt } from '../resolve/rows.ts'
import { type BlockAt, blockOf, fieldsOf, pageOf, typeOf, type Work } from '../work/work.ts'
import { type AnswerContent, type Question, slugOf } from './question.ts'

export function pageList(work: Work): AnswerContent {
  const { texts } = work.context
  const nameOf = (block: Block) => typeOf(work, block)?.displayName ?? block.type
  const findings = pagesIn(work.draft).map(({ slug, title, blocks }) => texts.pageLine(slug, title, blocks.map(nameOf)))
  return { summary: texts.pages(findings.length), findings }
}

const kinds: readonly (readonly [words: RegExp, props: readonly string[]])[] = [
  [/^(?:headings|headlines|titles|überschriften|titel)$/, ['heading', 'title']],
  [/^(?:buttons|ctas|knöpfe|schaltflächen)$/, ['ctaText', 'secondaryCtaText']],
  [/^(?:links|verlinkungen)$/, ['ctaHref', 'secondaryCtaHref', 'href', 'url', 'src']],
  [/^(?:images|photos|pictures|bilder|fotos)$/, ['imageUrl', 'src', 'posterUrl', 'logoUrl']],
]

/** Counts and lists the sections, headings, buttons or rows of a page; without a `thing`, its sections. */
export function inventory(work: Work, question: Question): AnswerContent | undefined {
  const { thing = '', things, where } = question
  if (where && where.kind !== 'page') return undefined
  const isListed = thing === '' || thing.endsWith('s') || things.some(({ isMany, kind }) => isMany || kind === 'section')
  const props = kinds.find(([words]) => words.test(thing))?.[1]
  const found = props ? (block: Block) => valuesIn(work, block, props) : listed(work, question)
  if (!found || (!props && !isListed)) return undefined
  const { title, blocks } = pageOf(work, slugOf(work, question))
  const findings = blocks.flatMap(found)
  return { summary: work.context.texts.found(findings.length, title), findings }
}

function listed(work: Work, { thing, things }: Question): ((block: Block) => readonly string[]) | undefined {
  const label = (block: Block) => labelOfBlock(work, block)
  if (thing === undefined || things.some(({ kind }) => kind === 'section')) return (block) => [label(block)]
  const row = things.find(({ kind, isMany }) => kind === 'row' && isMany)?.row
  if (row && row.lists.length > 0) {
    const isOf = ({ type }: Block, listKey: string) => row.lists.some(([owner, key]) => owner === type && key === listKey)
    return (block) => labelledRows(block).filter(({ listKey }) => isOf(block, listKey)).map(({ labels }) => `${label(block)}: ${labels[0] ?? ''}`)
  }
  const types = things.find(({ kind }) => kind === 'block')?.types
  return types && ((block) => (types.includes(block.type) ? [label(block)] : []))
}

function valuesIn(work: Work, block: Block, names: readonly string[]): readonly string[] {
  const rows = labelledRows(block).map(({ row }) => row)
  return [block.props, ...rows].flatMap((props) => names.map((name) => props[name])).filter((value) => typeof value === 'string').filter((value) => value !== '')
    .map((value) => `${labelOfBlock(work, block)}: ${value}`)
}

/** The section types that can be added on this site. */
export function blockCatalogue({ context: { input, texts, localize } }: Work): AnswerContent {
  const types = input.manifest?.types().filter(({ chrome }) => !chrome) ?? addableTypes(input.registry)
  const findings = types.map(localize).map(({ displayName, description }) => (description === undefined ? displayName : `${displayName}: ${description}`))
  return { summary: texts.addable(findings), findings }
}

/** Editable fields of the selected row, of the selected or named block, or of every block type on the page. */
export function editableFields(work: Work, question: Question): AnswerContent {
  const { texts, typesByName } = work.context
  const { where } = question
  const named = where ? (where.kind === 'page' ? undefined : findBlock(work, where)) : selectedBlock(work)
  if (named) return fieldsOfBlock(work, named)
  const { title, blocks } = pageOf(work, slugOf(work, question))
  const types = [...new Map(blocks.map((block) => [block.type, block])).values()]
  const findings = types.map((block) => texts.fieldList(typesByName.get(block.type)?.displayName ?? block.type, namesIn(fieldsOf(work, block))))
  return { summary: texts.fieldsOfPage(title), findings }
}

function fieldsOfBlock(work: Work, at: BlockAt): AnswerContent {
  const row = focusedRow(work)
  const block = blockOf(work, at)
  const list = row?.id === at.id ? fieldsOf(work, block)[row.listKey] : undefined
  const findings = namesIn(row && list ? effectiveItemFields(list, rowAt(work, row)) : fieldsOf(work, block))
  return { summary: work.context.texts.fieldsOfBlock(labelOfBlock(work, block), findings.length), findings }
}

const namesIn = (fields: Fields): readonly string[] => Object.entries(fields).filter(([name, meta]) => !isInternal(name, meta)).map(([name, meta]) => {
  const parts = isDeclaredList(meta) ? Object.entries(meta.itemFields ?? {}).map(([key, own]) => labelOf(key, own)) : (meta.options ?? [])
  return parts.length > 0 ? `${labelOf(name, meta)} (${parts.join(', ')})` : labelOf(name, meta)
})

/** Common section types that the page lacks. */
export function advice(work: Work, { rest = '' }: Question): AnswerContent {
  const { texts, typesByName, language } = work.context
  const { blocks, title } = pageOf(work, work.slug)
  const has = (type: string) => blocks.some((block) => block.type === type)
  const nameOf = (type: string) => typesByName.get(type)?.displayName ?? type
  const findings = [...new Set(blocks.map(({ type }) => nameOf(type)))]
  const isAboutQuestions = (language.blockNouns['FAQAccordion'] ?? []).some((noun) => ` ${rest} `.includes(` ${wordsIn(noun).join(' ')} `))
  if (isAboutQuestions) return { summary: texts.adviceAboutQuestions(has('FAQAccordion')), findings }
  const missing = standardTypes.filter((type) => !has(type) && !(type === 'Stats' && has('Testimonials')))
  return { summary: texts.advice(title, missing.map(nameOf)), findings }
}

/** Section types that most pages have. */
export const standardTypes: readonly string[] = ['Hero', 'FAQAccordion', 'Testimonials', 'CTA', 'Stats']
