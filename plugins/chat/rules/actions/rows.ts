import { labelOf } from '../../../content/field-meta.ts'
import { isPolymorphic } from '../../../content/list-fields.ts'
import { requiredProps } from '../../../content/new-values.ts'
import { itemSchemaOf } from '../../../content/props-schema.ts'
import type { FieldMeta, Fields, Props } from '../../../content/model.ts'
import { Ask, unfit } from '../ask.ts'
import { listOf, type Node, type Parts } from '../grammar/node.ts'
import { findBlock } from '../resolve/blocks.ts'
import { placeIn } from '../resolve/places.ts'
import { findList, findRow, findRowOf, findRows, listsFor, rowAt, rowNounOf, rowsOf, uniqueRows, type ListAt } from '../resolve/rows.ts'
import { blockOf, fieldsOf, pageOf, perform, type RowAt, type Work } from '../work.ts'
import { need, textOf, type Action } from './action.ts'
import { added } from './blocks.ts'
import { contentOf, type NewContent } from './details.ts'
import { countOf, newBlock } from './new-block.ts'
import { placesOf } from './places.ts'

const mostRows = 10

/** New rows in a list; where no list takes them, some kinds of rows are blocks as well. The detail `rows` says that none are meant. */
export const addRow: Action = (work, parts, detail) => {
  const node = need(parts, 'noun')
  const noun = rowNounOf(work, node)
  const block = parts['block'] && findBlock(work, parts['block'])
  const details = [...listOf(parts['details']), ...listOf(parts['rest'])]
  if (detail === 'new' && details.length > 0 && details.every(({ form }) => form === 'author')) return unfit('this may be news')
  if (detail === 'new' && !block && noun.lists.some(([type]) => type === 'FAQAccordion') && details.every(({ form }) => form === 'main')) return unfit('this may be a question of theirs')
  if (noun.block !== undefined && !block && listsFor(work, noun, undefined).length === 0) {
    return added(work, [newBlock(work, noun.block, details)], parts['place'])
  }
  if (detail === 'rows' && listsFor(work, noun, block).length === 0) {
    throw new Ask({ question: work.scene.texts.noListFor(textOf(node), pageOf(work, block?.slug ?? work.slug).title), isFinal: true })
  }
  const list = findList(work, node, noun, block)
  const meta = fieldsOf(work, blockOf(work, list))[list.listKey]
  if (!meta) return unfit('the list is not declared')
  if (parts['titles']) return addTitled(work, list, meta, parts)
  const given = contentOf(work, meta.itemFields ?? {}, details, mainRowProps)
  const count = countOf(work, parts['n'], mostRows)
  return Array.from({ length: count }).reduce<Work>((after) => addOne(after, list, { ...defaults(work, list, meta), ...given }, parts['place']), work)
}

/** Several rows with their main texts: `the features "Tea" and "Cake"`. */
function addTitled(work: Work, list: ListAt, meta: FieldMeta, { titles, n, place }: Parts): Work {
  const named = listOf(titles)
  if (named.length > mostRows || (n && n.number !== named.length)) return unfit('there are as many texts as rows')
  const rows = named.map((v) => contentOf(work, meta.itemFields ?? {}, [{ ...v, form: 'main', parts: { v } }], mainRowProps))
  if (place && place.form !== 'end') return unfit('several rows go to the end')
  return rows.reduce<Work>((after, own) => addOne(after, list, { ...defaults(work, list, meta), ...own }, place), work)
}

/** What a text alone is for a new row: of a number with a label, the number. */
const mainRowProps = (fields: Fields): NewContent => {
  const main = ['value', 'title', 'q', 'quote', 'label', 'heading', 'caption'].find((name) => Object.hasOwn(fields, name))
  const named = ['label', 'title', 'q', 'quote', 'heading', 'caption'].find((name) => Object.hasOwn(fields, name))
  return { main, called: named, label: named, author: Object.hasOwn(fields, 'author') ? 'author' : undefined }
}

/** A new row has what a row must have; what may be missing is left to people. Rows of many kinds need somebody to choose one. */
function defaults(work: Work, list: ListAt, meta: FieldMeta): Props {
  const { registry, manifest } = work.scene.input
  const { type } = blockOf(work, list)
  const declared = manifest?.get(type) ?? registry.get(type)
  const schema = itemSchemaOf(declared?.propsSchema.properties?.[list.listKey]) ?? {}
  return isPolymorphic(meta) ? unfit('nobody knows which kind of row is meant') : requiredProps(declared?.fields[list.listKey]?.itemFields ?? {}, schema)
}

function addOne(work: Work, list: ListAt, item: Props, place: Node | undefined): Work {
  const { slug: pageSlug, id: blockId, listKey } = list
  const rows = rowsOf(work, list)
  const index = place ? rowPlace(work, place, list, rows.map((_, at) => at)) : rows.length
  const touched = { ...list, index }
  const afterIndex = index === rows.length || index === 0 ? undefined : index - 1
  const after = perform(work, { op: 'add_item', pageSlug, blockId, listKey, item, afterIndex }, touched)
  if (index !== 0 || rows.length === 0) return after
  return perform(after, { op: 'move_item', pageSlug, blockId, listKey, index: rows.length, afterIndex: undefined }, touched)
}

/** The place in a list; `others` are the rows beside the one that moves. */
function rowPlace(work: Work, place: Node, list: ListAt, others: readonly number[], current?: number): number {
  const indexOf = (anchor: Node) => {
    const at = findRow({ ...work, slug: list.slug, isPageUnclear: false, lead: list }, anchor.parts['row'] ?? unfit('a row goes beside a row'))
    if (at.id !== list.id || at.listKey !== list.listKey) return unfit('the rows are in different lists')
    if (at.index === current) throw new Ask({ question: work.scene.texts.besideItself })
    return others.indexOf(at.index)
  }
  return placeIn(work, place, { others, indexOf, ...(current !== undefined && { current }) })
}

/** Later rows first, so that the places of the others hold. */
export const removeRow: Action = (work, parts) => {
  const rows = removedRows(work, parts).toSorted((a, b) => b.index - a.index)
  return rows.reduce((after, { slug: pageSlug, id: blockId, listKey, index }) => {
    const list = { slug: pageSlug, id: blockId, listKey }
    if (rowsOf(after, list).length === 1) {
      throw new Ask({ question: work.scene.texts.lastRow(labelOf(listKey, fieldsOf(after, blockOf(after, list))[listKey])) })
    }
    return perform(after, { op: 'remove_item', pageSlug, blockId, listKey, index }, { slug: pageSlug, id: blockId })
  }, work)
}

function removedRows(work: Work, { rows, row, noun, a, b, block, places, some, n }: Parts): readonly RowAt[] {
  if (row) return [findRow(work, row)]
  if (noun && a && b) return uniqueRows(rowsByPlace(work, noun, [a, b]))
  if (noun && (places || some)) return uniqueRows(rowsByPlace(work, noun, placesOf(listOf(places), some, n)))
  if (!block) return findRows(work, listOf(rows))
  const owner = findBlock(work, block)
  const found = uniqueRows(listOf(rows).map((node) => (node.form === 'bare' ? findRowOf(work, node, owner) : findRow({ ...work, lead: owner }, node))))
  return found.every(({ id }) => id === owner.id) ? found : unfit('the rows are in another block')
}

export const moveRow: Action = (work, parts) => {
  const row = findRow(work, need(parts, 'row'))
  const others = rowsOf(work, row).map((_, index) => index).filter((index) => index !== row.index)
  return moved(work, row, rowPlace(work, need(parts, 'place'), row, others, row.index))
}

function moved(work: Work, row: RowAt, index: number): Work {
  if (index === row.index) return { ...work, touched: row }
  const { slug: pageSlug, id: blockId, listKey } = row
  const afterIndex = index === 0 ? undefined : index < row.index ? index - 1 : index
  return perform(work, { op: 'move_item', pageSlug, blockId, listKey, index: row.index, afterIndex }, { ...row, index })
}

export const swapRows: Action = (work, parts) => {
  const { noun, some, n } = parts
  if (some && n?.number !== 2) return unfit('two rows are swapped')
  const [a, b] = noun && some ? rowsByPlace(work, noun, placesOf([], some, n))
    : noun && parts['a']?.number !== undefined ? rowsByPlace(work, noun, [need(parts, 'a'), need(parts, 'b')])
    : [findRow(work, need(parts, 'a')), findRow(work, need(parts, 'b'))]
  if (!a || !b || a.id !== b.id || a.listKey !== b.listKey || a.index === b.index) return unfit('two rows of one list are swapped')
  const [first, second] = [a, b].toSorted((one, other) => one.index - other.index)
  if (!first || !second) return unfit('two rows are swapped')
  const down = moved(work, first, second.index)
  return second.index === first.index + 1 ? down : moved(down, { ...second, index: second.index - 1 }, first.index)
}

function rowsByPlace(work: Work, noun: Node, places: readonly Node[]): readonly RowAt[] {
  const list = findList(work, noun, rowNounOf(work, noun), undefined)
  const rows = rowsOf(work, list)
  return places.map(({ number = 0 }) => {
    const index = number < 0 ? rows.length + number : number - 1
    if (index < 0 || index >= rows.length) throw new Ask({ question: work.scene.texts.beyondEnd(noun.text ?? '', rows.length) })
    return { ...list, index }
  })
}

/** The same content again, right behind; a key belongs to one row only. */
export const copyRow: Action = (work, parts) => {
  const row = findRow(work, need(parts, 'row'))
  const { slug: pageSlug, id: blockId, listKey, index } = row
  const { id: _id, _key: _ownKey, ...item } = rowAt(work, row)
  const copied = perform(work, { op: 'add_item', pageSlug, blockId, listKey, item, afterIndex: index })
  return { ...copied, touched: undefined, isUnclear: true }
}
