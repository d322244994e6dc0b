import { isDeclaredList } from '../../content/fields.ts'
import type { Block, Props } from '../../content/model.ts'
import { isPlainObject } from '../../content/plain-object.ts'
import { labelledRows, labelsOfRow, titlesOf } from '../frame/names.ts'
import type { Name, Noun } from '../frame/noun.ts'
import type { RowNoun } from '../language/language.ts'
import { sameWords } from '../message/phrases.ts'
import { ask, type Choice, reject } from '../work/ask.ts'
import { type BlockAt, blockOf, currentPage, fieldsOf, type ListAt, onPage, pageOf, refuseShifted, type RowAt, type Work } from '../work/work.ts'
import { clearSelection, findBlock, touchedBlock } from './blocks.ts'
import { askAmong, blockChoice, choose, labelOfBlock, withName } from './choose.ts'
import { findPage, refusePageName } from './pages.ts'

/** The rows of a list; empty if it is missing. */
export function rowsOf(work: Work, at: ListAt): readonly unknown[] {
  const rows = blockOf(work, at).props[at.listKey]
  return Array.isArray(rows) ? rows : []
}

export function rowAt(work: Work, at: RowAt): Props {
  const row = rowsOf(work, at)[at.index]
  return isPlainObject(row) ? row : {}
}

/** Resolves a noun to a row; asks when there is none, or more than one. */
export function findRow(work: Work, noun: Noun): RowAt {
  const [row, ...others] = rowsFor(work, noun)
  return row && others.length === 0 ? row : reject('not a single row')
}

/** Resolves a noun to one row, or to several with a count. */
export function rowsFor(work: Work, noun: Noun): readonly RowAt[] {
  if (noun.isNew) return reject('a new row')
  const { owner } = noun
  if (owner?.kind === 'page') return rowsFor(onPage(work, findPage(work, owner).slug), { ...noun, owner: undefined })
  if (owner?.kind === 'name' && !noun.name) return rowsFor(work, { ...noun, ord: noun.ord ?? owner.ord, name: owner.name, owner: owner.owner })
  const block = owner && findBlock(work, owner)
  if (noun.kind === 'it') return [touchedRow(work) ?? (work.touched ? undefined : focusedRow(work)) ?? reject('no current row')]
  if (noun.kind === 'nth') return [siblingRow(work, noun)]
  if (noun.kind === 'this') return [touchedRow(work) ?? focusedRow(work) ?? reject('no row is selected')]
  if (noun.kind === 'name') return [namedRow(work, noun, block)]
  if (noun.kind !== 'row' || !noun.row) return reject('not a row')
  if (noun.name && (noun.isBoth || (noun.count ?? noun.ord ?? noun.n) !== undefined)) return reject('a name with a number')
  if (noun.name) return [rowWithName(work, noun, listsFor(work, noun.row, block))]
  const list = findList(work, noun, noun.row, block)
  refusePageName(work, noun, list.slug)
  const { length } = rowsOf(work, list)
  const { ord, n, count, isBoth, isAll } = noun
  if (isAll || (isBoth && length !== 2)) return reject('all rows')
  if (ord !== undefined || n !== undefined) refuseShifted(work, list)
  if (count !== undefined || isBoth) {
    if (!isBoth && (count === undefined || Math.abs(ord ?? 0) !== 1)) return reject('a count needs `first` or `last`')
    if ((count ?? 2) > length) askRow(work, noun, list, work.context.texts.beyondEnd(noun.text, length))
    const all = rowsIn(work, list)
    return isBoth || ord === 1 ? all.slice(0, count ?? 2) : all.slice(-(count ?? 2))
  }
  const place = ord ?? n
  if (noun.isMany && (place === undefined || ord !== undefined)) return reject('the complete list')
  if (place === undefined) return [focusedRow(work, list) ?? touchedRow(work, list) ?? onlyRow(work, noun, list)]
  const index = place < 0 ? length + place : place - 1
  if (index < 0 || index >= length) askRow(work, noun, list, work.context.texts.beyondEnd(noun.text, length))
  return [{ ...list, index }]
}

/** Resolves `the second` after a clause about another row of the list. */
function siblingRow(work: Work, noun: Noun): RowAt {
  const row = touchedRow(work) ?? reject('no row in the previous clause')
  refuseShifted(work, row)
  const index = (noun.ord ?? 0) - 1
  return index >= 0 && index < rowsOf(work, row).length ? { ...row, index } : reject('the row does not exist')
}

export const uniqueRows = (rows: readonly RowAt[]): readonly RowAt[] =>
  [...new Map(rows.map((row) => [`${row.id} ${row.listKey} ${row.index}`, row])).values()]

/** The lists on the page, or in a block, that a row noun may mean. */
export function listsFor(work: Work, noun: RowNoun, block: BlockAt | undefined): readonly ListAt[] {
  const slug = block?.slug ?? currentPage(work)
  const isAnyList = noun.lists.length === 0
  const near = block ?? (isAnyList ? nearBlocks(work)[0] : undefined)
  if (isAnyList && !near) return []
  const blocks = near ? [blockOf(work, near)] : pageOf(work, slug).blocks
  return blocks.flatMap((candidate): readonly ListAt[] => {
    const key = isAnyList ? firstList(work, candidate) : noun.lists.find(([type]) => type === candidate.type)?.[1]
    return key !== undefined && isDeclaredList(fieldsOf(work, candidate)[key]) ? [{ slug, id: candidate.id, listKey: key }] : []
  })
}

const firstList = (work: Work, block: Block) => Object.entries(fieldsOf(work, block)).find(([, meta]) => isDeclaredList(meta))?.[0]

const nearBlocks = (work: Work): readonly BlockAt[] => [work.lead, clearSelection(work), touchedBlock(work)].filter((at) => at !== undefined)

/** Resolves a row noun to its list; asks when there is none, or more than one. */
export function findList(work: Work, noun: Noun, row: RowNoun, block: BlockAt | undefined): ListAt {
  const lists = listsFor(work, row, block)
  const { texts } = work.context
  if (lists.length === 0) ask(texts.noListFor(noun.text, pageOf(work, block?.slug ?? work.slug).title))
  const near = lists.length === 1 ? lists[0] : nearBlocks(work).flatMap((at) => lists.filter(({ id }) => id === at.id))[0]
  return near ?? choose(work, noun, lists, {
    toChoice: (at) => blockChoice(work, at), question: (labels) => texts.whichOne(noun.text, labels),
  })
}

/** `the Family card`, `Ben's testimonial`: by a text of the row; in quotes, also by a part of it. */
function rowWithName(work: Work, noun: Noun, lists: readonly ListAt[]): RowAt {
  const name: Name = noun.name ?? { text: '', isQuoted: false }
  const rows = lists.flatMap((list) => labelledRows(blockOf(work, list)).filter(({ listKey }) => listKey === list.listKey)
    .map(({ index, labels, row }) => ({ at: { ...list, index }, labels: name.isAuthor ? labelsOfRow({ author: row['author'] }) : labels })))
  const found = withName(rows, name, ({ labels }) => labels).map(({ at }) => at)
  const [list] = lists
  const { texts } = work.context
  if (!list) return ask(texts.noListFor(noun.text, pageOf(work, work.slug).title))
  if (found.length === 0) askRow(work, noun, list, texts.noSuchRow(noun.text))
  return choose(work, noun, found, {
    toChoice: (at) => (lists.length > 1 ? rowChoiceInBlock(work, at) : rowChoice(work, at)), question: (labels) => texts.whichOne(noun.text, labels),
  })
}

/** Resolves a bare name to a row: exact match, unless a block title matches too. */
function namedRow(work: Work, noun: Noun, block: BlockAt | undefined): RowAt {
  if (noun.count !== undefined || noun.ord !== undefined) return reject('a name with a number')
  const { text = '' } = noun.name ?? {}
  const slug = block?.slug ?? currentPage(work)
  const blocks = block ? [blockOf(work, block)] : pageOf(work, slug).blocks
  const found = blocks.flatMap((owner) => labelledRows(owner).filter(({ labels }) => labels.some((label) => sameWords(label, text)))
    .filter(({ listKey }) => isDeclaredList(fieldsOf(work, owner)[listKey])).map(({ listKey, index }): RowAt => ({ slug, id: owner.id, listKey, index })))
  if (found.length === 0) return reject('no row with this name')
  const { texts } = work.context
  const titled = blocks.find((owner) => titlesOf(owner).some((title) => sameWords(title, text)))
  if (titled) ask(texts.whichCalled(text, [labelOfBlock(work, titled), ...found.map((at) => rowChoice(work, at).label)]))
  return choose(work, noun, found, { toChoice: (at) => rowChoiceInBlock(work, at), question: (labels) => texts.whichCalled(text, labels) })
}

/** The selected row, if it is in this list. */
export function focusedRow(work: Work, list?: ListAt): RowAt | undefined {
  const { selection } = work.context.input
  if (work.isUnclear) return undefined
  const [, listKey, index] = /^(\w+)\[(\d{1,6})\]/.exec(selection.path ?? '') ?? []
  if (selection.blockId === undefined || listKey === undefined) return undefined
  const at = { slug: selection.slug, id: selection.blockId, listKey, index: Number(index) }
  refuseShifted(work, at)
  return !list || (list.id === at.id && list.listKey === at.listKey && list.slug === at.slug) ? at : undefined
}

/** The row of the previous clause, if it is in this list. */
export function touchedRow({ touched }: Work, list?: ListAt): RowAt | undefined {
  if (!touched || !('listKey' in touched)) return undefined
  return !list || (list.id === touched.id && list.listKey === touched.listKey) ? touched : undefined
}

function onlyRow(work: Work, noun: Noun, list: ListAt): RowAt {
  const { texts } = work.context
  const rows = rowsIn(work, list)
  if (rows.length === 0) askRow(work, noun, list, texts.noSuchRow(noun.text))
  return choose(work, noun, rows, {
    toChoice: (at) => rowChoice(work, at), question: (labels) => texts.whichOne(noun.text, labels),
  })
}

const rowsIn = (work: Work, list: ListAt) => rowsOf(work, list).map((_, index): RowAt => ({ ...list, index }))

function askRow(work: Work, noun: Noun, list: ListAt, question: string): never {
  const asking = { toChoice: (at: RowAt) => rowChoice(work, at), question: () => question }
  return askAmong(work, noun, rowsIn(work, list), asking)
}

/** A row as a choice among rows of several lists. */
function rowChoiceInBlock(work: Work, at: RowAt): Choice {
  const { id, label } = rowChoice(work, at)
  return { id, label: work.context.texts.rowOf(label, labelOfBlock(work, blockOf(work, at))) }
}

/** A row as a choice, with its first text and its ordinal. */
export function rowChoice(work: Work, at: RowAt): Choice {
  const { phrases, rowNouns } = work.context.language
  const { type } = blockOf(work, at)
  const noun = rowNouns.find(({ lists }) => lists.some(([owner, key]) => owner === type && key === at.listKey))
  const [label = `${at.index + 1}`] = labelsOfRow(rowAt(work, at))
  return { id: `${at.id}.${at.listKey}[${at.index}]`, label, ...(noun && { words: phrases.row(noun.one[0] ?? '', at.index + 1) }) }
}
