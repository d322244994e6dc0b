import { isDeclaredList } from '../../content/fields.ts'
import type { Block, Props } from '../../content/model.ts'
import { isPlainObject } from '../../content/plain-object.ts'
import { labelledRows, labelsOfRow, titlesOf } from '../frame/names.ts'
import type { Noun } from '../frame/nouns.ts'
import type { RowNoun } from '../language/language.ts'
import { sameWords } from '../message/phrases.ts'
import { type Ask, ask, type Choice, unfit } from '../work/ask.ts'
import { type BlockAt, blockOf, fieldsOf, type ListAt, onPage, pageInMind, pageOf, refuseShifted, type RowAt, type Work } from '../work/work.ts'
import { findBlock, selectedBlock, touchedBlock } from './blocks.ts'
import { askAmong, blockChoice, choose, labelOfBlock } from './choose.ts'
import { findPage } from './pages.ts'

/** The rows of a list; none where it is missing. */
export function rowsOf(work: Work, at: ListAt): readonly unknown[] {
  const rows = blockOf(work, at).props[at.listKey]
  return Array.isArray(rows) ? rows : []
}

export function rowAt(work: Work, at: RowAt): Props {
  const row = rowsOf(work, at)[at.index]
  return isPlainObject(row) ? row : {}
}

/** The row that words mean; asks when there is none, or more than one. */
export function findRow(work: Work, noun: Noun): RowAt {
  const [row, ...others] = rowsFor(work, noun)
  return row && others.length === 0 ? row : unfit('not one row is meant')
}

/** The rows that words mean: one, or as many as a count says. */
export function rowsFor(work: Work, noun: Noun): readonly RowAt[] {
  if (noun.isNew) return unfit('a new row is meant')
  const { owner } = noun
  if (owner?.kind === 'page') return rowsFor(onPage(work, findPage(work, owner).slug), { ...noun, owner: undefined })
  if (owner?.kind === 'name' && !noun.name) return rowsFor(work, { ...noun, name: owner.name, owner: owner.owner })
  const block = owner && findBlock(work, owner)
  if (noun.kind === 'it') return [touchedRow(work) ?? unfit('the clause before was about no row')]
  if (noun.kind === 'nth') return [nextRow(work, noun)]
  if (noun.kind === 'this') return [touchedRow(work) ?? focusedRow(work) ?? unfit('no row is selected')]
  if (noun.kind === 'name') return [namedRow(work, noun, block)]
  if (noun.kind !== 'row' || !noun.row) return unfit('no row is meant')
  if (noun.name) return [rowCalled(work, noun, listsFor(work, noun.row, block))]
  const list = findList(work, noun, noun.row, block)
  const { length } = rowsOf(work, list)
  const { ord, n, count, isBoth, isAll } = noun
  if (isAll || (isBoth && length !== 2)) return unfit('all rows are meant')
  if (ord !== undefined || n !== undefined) refuseShifted(work, list)
  if (count !== undefined || isBoth) {
    if (!isBoth && (count === undefined || Math.abs(ord ?? 0) !== 1)) return unfit('which of them is open')
    if ((count ?? 2) > length) throw askRow(work, noun, list, work.scene.texts.beyondEnd(noun.text, length))
    const all = Array.from({ length }, (_, index): RowAt => ({ ...list, index }))
    return isBoth || ord === 1 ? all.slice(0, count ?? 2) : all.slice(-(count ?? 2))
  }
  const place = ord ?? n
  if (noun.isMany && (place === undefined || ord !== undefined)) return unfit('the whole list is meant')
  if (place === undefined) return [focusedRow(work, list) ?? touchedRow(work, list) ?? onlyRow(work, noun, list, length)]
  const index = place < 0 ? length + place : place - 1
  if (index < 0 || index >= length) throw askRow(work, noun, list, work.scene.texts.beyondEnd(noun.text, length))
  return [{ ...list, index }]
}

/** `the second`, behind a clause about another row of its list. */
function nextRow(work: Work, noun: Noun): RowAt {
  const row = touchedRow(work) ?? unfit('the clause before was about no row')
  refuseShifted(work, row)
  const index = (noun.ord ?? 0) - 1
  return index >= 0 && index < rowsOf(work, row).length ? { ...row, index } : unfit('the row does not exist')
}

export const uniqueRows = (rows: readonly RowAt[]): readonly RowAt[] =>
  [...new Map(rows.map((row) => [`${row.id} ${row.listKey} ${row.index}`, row])).values()]

/** Lists on the page, or in a block, that have rows of this kind. */
export function listsFor(work: Work, noun: RowNoun, block: BlockAt | undefined): readonly ListAt[] {
  const slug = block?.slug ?? pageInMind(work)
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

const nearBlocks = (work: Work): readonly BlockAt[] => [work.lead, selectedBlock(work), touchedBlock(work)].filter((at) => at !== undefined)

/** The list that rows of a kind belong to; asks when there is none, or more than one. */
export function findList(work: Work, noun: Noun, row: RowNoun, block: BlockAt | undefined): ListAt {
  const lists = listsFor(work, row, block)
  const { texts } = work.scene
  if (lists.length === 0) ask(texts.noListFor(noun.text, pageOf(work, block?.slug ?? work.slug).title))
  const near = lists.length === 1 ? lists[0] : nearBlocks(work).flatMap((at) => lists.filter(({ id }) => id === at.id))[0]
  return near ?? choose(work, noun, lists, {
    toChoice: (at) => blockChoice(work, at), question: (labels) => texts.whichOne(noun.text, labels),
  })
}

const shortestPart = 3

/** `the Family card`, `Ben's testimonial`: by a text of the row, in quotes also by a part of it. */
function rowCalled(work: Work, noun: Noun, lists: readonly ListAt[]): RowAt {
  const { text = '', isQuoted = false, isAuthor = false } = noun.name ?? {}
  const rows = lists.flatMap((list) => labelledRows(blockOf(work, list)).filter(({ listKey }) => listKey === list.listKey)
    .map(({ index, labels, row }) => ({ at: { ...list, index }, labels: isAuthor ? labelsOfRow({ author: row['author'] }) : labels })))
  const equal = rows.filter(({ labels }) => labels.some((label) => sameWords(label, text)))
  const wanted = text.trim().toLowerCase()
  const isLoose = isQuoted && wanted.length >= shortestPart
  const like = isLoose ? rows.filter(({ labels }) => labels.some((label) => label.toLowerCase().includes(wanted))) : []
  const found = (equal.length > 0 ? equal : like).map(({ at }) => at)
  const [list] = lists
  const { texts } = work.scene
  if (!list) return ask(texts.noListFor(noun.text, pageOf(work, work.slug).title))
  if (found.length === 0) throw askRow(work, noun, list, texts.noSuchRow(noun.text))
  return choose(work, noun, found, {
    toChoice: (at) => (lists.length > 1 ? rowElsewhere(work, at) : rowChoice(work, at)), question: (labels) => texts.whichOne(noun.text, labels),
  })
}

/** A row that is named by a text alone: exactly, and by nothing else on the page. */
function namedRow(work: Work, noun: Noun, block: BlockAt | undefined): RowAt {
  if (noun.count !== undefined || noun.ord !== undefined) return unfit('a name has no number')
  const { text = '' } = noun.name ?? {}
  const slug = block?.slug ?? pageInMind(work)
  const blocks = block ? [blockOf(work, block)] : pageOf(work, slug).blocks
  const found = blocks.flatMap((owner) => labelledRows(owner).filter(({ labels }) => labels.some((label) => sameWords(label, text)))
    .filter(({ listKey }) => isDeclaredList(fieldsOf(work, owner)[listKey])).map(({ listKey, index }): RowAt => ({ slug, id: owner.id, listKey, index })))
  if (found.length === 0) return unfit('no row is called so')
  const { texts } = work.scene
  const titled = blocks.find((owner) => titlesOf(owner).some((title) => sameWords(title, text)))
  if (titled) ask(texts.whichCalled(text, [labelOfBlock(work, titled), ...found.map((at) => rowChoice(work, at).label)]))
  return choose(work, noun, found, { toChoice: (at) => rowElsewhere(work, at), question: (labels) => texts.whichCalled(text, labels) })
}

/** The row that is selected, where it is in this list. */
export function focusedRow({ scene: { input: { selection } } }: Work, list?: ListAt): RowAt | undefined {
  const [, listKey, index] = /^(\w+)\[(\d{1,6})\]/.exec(selection.path ?? '') ?? []
  if (selection.blockId === undefined || listKey === undefined) return undefined
  const at = { slug: selection.slug, id: selection.blockId, listKey, index: Number(index) }
  return !list || (list.id === at.id && list.listKey === at.listKey && list.slug === at.slug) ? at : undefined
}

/** The row of the clause before, where it is in this list. */
export function touchedRow({ touched }: Work, list?: ListAt): RowAt | undefined {
  if (!touched || !('listKey' in touched)) return undefined
  return !list || (list.id === touched.id && list.listKey === touched.listKey) ? touched : undefined
}

function onlyRow(work: Work, noun: Noun, list: ListAt, count: number): RowAt {
  const { texts } = work.scene
  if (count === 0) throw askRow(work, noun, list, texts.noSuchRow(noun.text))
  return choose(work, noun, Array.from({ length: count }, (_, index): RowAt => ({ ...list, index })), {
    toChoice: (at) => rowChoice(work, at), question: (labels) => texts.whichOne(noun.text, labels),
  })
}

function askRow(work: Work, noun: Noun, list: ListAt, question: string): Ask {
  const rows = rowsOf(work, list).map((_, index): RowAt => ({ ...list, index }))
  return askAmong(work, noun, rows, { toChoice: (at) => rowChoice(work, at), question: () => question })
}

/** A row as a choice among rows of several lists. */
function rowElsewhere(work: Work, at: RowAt): Choice {
  const { id, label } = rowChoice(work, at)
  return { id, label: work.scene.texts.rowOf(label, labelOfBlock(work, blockOf(work, at))) }
}

/** A row as a choice: by its first text, named by its place. */
export function rowChoice(work: Work, at: RowAt): Choice {
  const { phrases, rowNouns } = work.scene.language
  const { type } = blockOf(work, at)
  const noun = rowNouns.find(({ lists }) => lists.some(([owner, key]) => owner === type && key === at.listKey))
  const [label = `${at.index + 1}`] = labelsOfRow(rowAt(work, at))
  return { id: `${at.id}.${at.listKey}[${at.index}]`, label, ...(noun && { words: phrases.row(noun.one[0] ?? '', at.index + 1) }) }
}
