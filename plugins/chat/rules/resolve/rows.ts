import { isPlainObject } from '../../../content/plain-object.ts'
import type { Block, Props } from '../../../content/model.ts'
import { isDeclaredList } from '../../../content/fields.ts'
import { Ask, unfit } from '../ask.ts'
import { pagesIn } from '../../../content/draft-view.ts'
import type { Node } from '../grammar/node.ts'
import { isNamed } from '../grammar/site-names.ts'
import type { RowNoun } from '../lexicon/lexicon.ts'
import { blockOf, fieldsOf, pageInMind, pageOf, touchedRow, type BlockAt, type RowAt, type Work } from '../work.ts'
import { findBlock, named, selectedBlock, touchedBlock } from './blocks.ts'
import { findPageOr } from './pages.ts'
import { askAmong, blockChoice, choose, labelOfBlock } from './references.ts'
import { labelledRows, labelsOfRow, titlesOf } from './titles.ts'

/** A list of a block. */
export interface ListAt extends BlockAt {
  readonly listKey: string
}

/** The row that words mean; asks when there is none, or more than one. */
export function findRow(work: Work, node: Node): RowAt {
  const { row, block, page } = node.parts
  if (row) {
    const on = page ? { ...work, slug: findPageOr(work, page), isPageUnclear: false } : work
    return rowIn(on, row, block ? findBlock(work, block) : undefined)
  }
  return rowIn(work, node, undefined)
}

/** Several rows, each once. */
export const findRows = (work: Work, nodes: readonly Node[]): readonly RowAt[] => uniqueRows(nodes.map((node) => findRow(work, node)))

export const uniqueRows = (rows: readonly RowAt[]): readonly RowAt[] =>
  [...new Map(rows.map((row) => [`${row.id} ${row.listKey} ${row.index}`, row])).values()]

/** The row of a block that is named by a text alone. */
export const findRowOf = (work: Work, node: Node, block: BlockAt): RowAt => rowIn(work, node, block)

/** The rows of a list; none where it is missing. */
export function rowsOf(work: Work, at: ListAt): readonly unknown[] {
  const rows = blockOf(work, at).props[at.listKey]
  return Array.isArray(rows) ? rows : []
}

export function rowAt(work: Work, at: RowAt): Props {
  const row = rowsOf(work, at)[at.index]
  return isPlainObject(row) ? row : {}
}

/** The kind of rows that a noun means. */
export function rowNounOf({ scene }: Work, node: Node | undefined): RowNoun {
  const noun = scene.lexicon.rowNouns.find(({ singular }) => singular[0] === node?.names?.[0])
  if (!noun) throw new Error(`The lexicon has no row noun '${node?.text}'.`)
  return noun
}

/** Lists on the page, or in a block, that have rows of this kind. */
export function listsFor(work: Work, noun: RowNoun, block: BlockAt | undefined): readonly ListAt[] {
  const slug = block?.slug ?? pageInMind(work)
  const blocks = block ? [blockOf(work, block)] : pageOf(work, slug).blocks
  const isOfPage = noun.lists.length > 0
  if (!isOfPage && !block) {
    const near = [work.lead, selectedBlock(work), touchedBlock(work)].find((at) => at !== undefined)
    return near ? listsFor(work, noun, near) : []
  }
  return blocks.flatMap((candidate): readonly ListAt[] => {
    const key = isOfPage ? noun.lists.find(([type]) => type === candidate.type)?.[1] : firstList(work, candidate)
    const isDeclared = key !== undefined && isDeclaredList(fieldsOf(work, candidate)[key])
    return isDeclared ? [{ slug, id: candidate.id, listKey: key }] : []
  })
}

const firstList = (work: Work, block: Block) =>
  Object.entries(fieldsOf(work, block)).find(([, meta]) => isDeclaredList(meta))?.[0]

/** Of several lists, the one in the block that is talked about or selected. */
function nearList(work: Work, lists: readonly ListAt[]): ListAt | undefined {
  const near = [work.lead, selectedBlock(work), touchedBlock(work)]
  return lists.length === 1 ? lists[0] : near.flatMap((at) => (at ? lists.filter(({ id }) => id === at.id) : []))[0]
}

/** The list that rows of a kind belong to; asks when there is none, or more than one. */
export function findList(work: Work, node: Node, noun: RowNoun, block: BlockAt | undefined): ListAt {
  const lists = listsFor(work, noun, block)
  const { texts } = work.scene
  const word = node.text ?? noun.singular[0] ?? ''
  if (lists.length === 0) throw new Ask({ question: texts.noListFor(word, pageOf(work, block?.slug ?? work.slug).title) })
  return nearList(work, lists) ?? choose(work, node, lists, {
    toChoice: (at) => blockChoice(work, at),
    inquiry: (choices) => ({ question: texts.whichOne(word, choices.map(({ label }) => label)), suggestions: [] }),
  })
}

function rowIn(work: Work, node: Node, block: BlockAt | undefined): RowAt {
  if (node.form === 'it') return touchedRow(work) ?? unfit('the clause before was about no row')
  if (node.form === 'next') return nextRow(work, node)
  if (node.form === 'bare') return bareRow(work, node, block)
  const { noun: word, name, ord, n } = node.parts
  const noun = rowNounOf(work, word)
  if (name) return namedRow(work, node, listsFor(work, noun, block))
  const list = findList(work, node, noun, block)
  const rows = rowsOf(work, list)
  const place = ord?.number ?? n?.number
  if (place === undefined) return focusedRow(work, list) ?? touchedRow(work, list) ?? onlyRow(work, node, list, rows.length)
  return rowAtPlace(work, node, list, place)
}

function rowAtPlace(work: Work, node: Node, list: ListAt, place: number): RowAt {
  const { length } = rowsOf(work, list)
  const index = place < 0 ? length + place : place - 1
  if (index < 0 || index >= length) throw askRow(work, node, [list], work.scene.texts.beyondEnd(node.parts['noun']?.text ?? '', length))
  return { ...list, index }
}

function namedRow(work: Work, node: Node, lists: readonly ListAt[]): RowAt {
  const { name, noun } = node.parts
  const wanted = (name?.text ?? '').trim().toLowerCase()
  const rows = lists.flatMap((list) => labelledRows(blockOf(work, list))
    .filter(({ listKey }) => listKey === list.listKey)
    .map(({ index, labels, row }) => ({ at: { ...list, index }, labels: node.form === 'author' ? textsOf(row['author']) : labels })))
  const equal = rows.filter(({ labels }) => labels.some(named(wanted)))
  const isLoose = name?.slot === 'Quoted' && wanted.length >= 3
  const like = isLoose ? rows.filter(({ labels }) => labels.some((label) => label.toLowerCase().includes(wanted))) : []
  const found = (equal.length > 0 ? equal : like).map(({ at }) => at)
  if (found.length === 0) throw askRow(work, node, lists, work.scene.texts.noSuchRow(noun?.text ?? ''))
  return choose(work, node, found, {
    toChoice: (at) => (lists.length > 1 ? rowElsewhere(work, at) : rowChoice(work, at)),
    inquiry: (choices) => ({ question: work.scene.texts.whichOne(noun?.text ?? '', choices.map(({ label }) => label)) }),
  })
}

/** `the second`, after a clause about another row of its list. */
function nextRow(work: Work, node: Node): RowAt {
  const { slug, id, listKey } = touchedRow(work) ?? unfit('the clause before was about no row')
  return rowAtPlace(work, node, { slug, id, listKey }, node.parts['ord']?.number ?? 0)
}

/** A row that is named by a text alone; exactly, and by nothing else on the page. */
function bareRow(work: Work, node: Node, block: BlockAt | undefined): RowAt {
  const { name } = node.parts
  const slug = block?.slug ?? pageInMind(work)
  const blocks = block ? [blockOf(work, block)] : pageOf(work, slug).blocks
  const isCalled = named(name?.text ?? '')
  const found = blocks.flatMap((owner) => labelledRows(owner).filter(({ labels }) => labels.some(isCalled))
    .filter(({ listKey }) => isDeclaredList(fieldsOf(work, owner)[listKey]))
    .map(({ listKey, index }): RowAt => ({ slug, id: owner.id, listKey, index })))
  if (found.length === 0) return unfit('no row is called so')
  if (!block && pagesIn(work.draft).some((page) => isNamed(page, work.draft.config, name?.text ?? ''))) throw new Ask({ question: work.scene.texts.missingField })
  const titled = blocks.find((owner) => titlesOf(owner).some(isCalled))
  if (titled) throw new Ask({ question: work.scene.texts.whichCalled(name?.text ?? '', [labelOfBlock(work, titled), ...found.map((at) => rowChoice(work, at).label)]) })
  return choose(work, node, found, {
    toChoice: (at) => rowElsewhere(work, at),
    inquiry: (choices) => ({ question: work.scene.texts.whichCalled(name?.text ?? '', choices.map(({ label }) => label)) }),
  })
}

const textsOf = (value: unknown) => (typeof value === 'string' ? [value] : [])

/** The row that is selected, where it is in this list. */
export function focusedRow({ scene: { input: { selection } } }: Work, list?: ListAt): RowAt | undefined {
  const [, listKey, index] = /^(\w+)\[(\d{1,6})\]/.exec(selection.path ?? '') ?? []
  if (selection.blockId === undefined || listKey === undefined) return undefined
  const at = { slug: selection.slug, id: selection.blockId, listKey, index: Number(index) }
  return !list || (list.id === at.id && list.listKey === at.listKey && list.slug === at.slug) ? at : undefined
}

function onlyRow(work: Work, node: Node, list: ListAt, count: number): RowAt {
  const all = Array.from({ length: count }, (_, index): RowAt => ({ ...list, index }))
  if (all.length === 0) throw askRow(work, node, [list], work.scene.texts.noSuchRow(node.parts['noun']?.text ?? ''))
  return choose(work, node, all, {
    toChoice: (at) => rowChoice(work, at),
    inquiry: (choices) => ({ question: work.scene.texts.whichOne(node.parts['noun']?.text ?? '', choices.map(({ label }) => label)) }),
  })
}

function askRow(work: Work, node: Node, lists: readonly ListAt[], question: string): Ask {
  const rows = lists.flatMap((list) => rowsOf(work, list).map((_, index): RowAt => ({ ...list, index })))
  return askAmong(work, node, rows, { toChoice: (at) => rowChoice(work, at), inquiry: () => ({ question }) })
}

/** A row as a choice among rows of several lists. */
function rowElsewhere(work: Work, at: RowAt) {
  const { id, label } = rowChoice(work, at)
  return { id, label: work.scene.texts.rowOf(label, labelOfBlock(work, blockOf(work, at))) }
}

/** A row as a choice: told by its first text, named by its place. */
export function rowChoice(work: Work, at: RowAt) {
  const { phrases, rowNouns } = work.scene.lexicon
  const block = blockOf(work, at)
  const noun = rowNouns.find(({ lists }) => lists.some(([type, key]) => type === block.type && key === at.listKey))
  const [label] = labelsOfRow(rowAt(work, at))
  const words = noun ? phrases.row(noun.singular[0] ?? '', at.index + 1) : undefined
  return { id: `${at.id}.${at.listKey}[${at.index}]`, label: label ?? `${at.index + 1}`, ...(words !== undefined && { words }) }
}
