import { isPolymorphic, labelOf, requiredProps } from '../../content/fields.ts'
import type { FieldMeta, Props } from '../../content/model.ts'
import { itemSchemaOf } from '../../content/props-schema.ts'
import type { Chunk, Role } from '../frame/chunks.ts'
import { isHere, type Noun } from '../frame/noun.ts'
import type { Place } from '../frame/places.ts'
import { findBlock } from '../resolve/blocks.ts'
import { fitsPlace, placeIn } from '../resolve/places.ts'
import { findList, findRow, focusedRow, listsFor, rowAt, rowsFor, rowsOf, uniqueRows } from '../resolve/rows.ts'
import { ask, reject } from '../work/ask.ts'
import { applyOperation } from '../work/perform.ts'
import { blockOf, fieldsOf, type ListAt, refuseShifted, type RowAt, type Work } from '../work/work.ts'
import { type Action, isOriginWord, type Parts, partsOf, scopedTo, withText } from './action.ts'
import { inferAnchor, refuseNonMove } from './blocks.ts'
import { contentOf, contentRoles, countOf, rowMapping } from './content.ts'
import { addNewBlocks } from './new-blocks.ts'

const mostRows = 10

/** Adds rows to a list; without such a list, some row nouns add a block instead. */
function addRow(work: Work, parts: Parts, start: Work): Work {
  const { object: noun, object: { row, name, owner, isNew }, place, verbs, frame: { hasVerb } } = parts
  if (noun.kind !== 'row' || !row || noun.isThis || noun.isAll || noun.isBoth || noun.n !== undefined) return reject('not a new row')
  const named = withText(parts, name)
  if (noun.isMany && (name?.isQuoted ? named : parts).all('text').length > 1) return addNamed(work, name?.isQuoted ? named : parts, start)
  const isCounted = noun.count !== undefined
  if (noun.isMany && !isCounted) return reject('means the list')
  const isNamed = parts.has(...contentParts) || name?.isQuoted === true
  if ((noun.count ?? 1) > 1 && parts.has('called', 'saying', 'by')) return reject('one name for several rows')
  if (!hasVerb && work.ops.at(-1)?.op === 'add_block') return reject('may be content of the new block')
  if (name?.isAuthor || (noun.ord !== undefined && !isNew) || (place?.form === 'nth' && place.start < noun.start)) return reject('the row already exists')
  const isPut = verbs.includes('put') && !verbs.includes('add')
  if (parts.nouns('in').some(isHere) && focusedRow(work)) return reject('next to the selected row, or at the end')
  const isBare = !isNamed && !parts.has('labelled', 'by') && (noun.isThe || !hasVerb)
  if (!isNew && !isCounted && (isPut || isBare)) return reject('the row already exists')
  if (verbs.includes('announce') && !isNamed) return reject('may be an announcement')
  const isQuestion = row.lists.some(([type]) => type === 'FAQAccordion')
  if (verbs.includes('announce') && isQuestion && parts.all('text', 'value', 'detail').length < 2) return ask(work.context.texts.missingField)
  if (owner && isOriginWord(work.context.parser, owner.start - 1)) return reject('the row already exists')
  const targetWork = owner?.kind === 'page' ? scopedTo(work, owner) : work
  const lead = work.lead && listsFor(work, row, work.lead).length > 0 ? work.lead : undefined
  const block = owner && owner.kind !== 'page' ? findBlock(work, owner) : lead
  // `A card for Ana` is not a card in her testimonial.
  const isElsewhere = work.lead !== start.lead && (!lead || (work.touched !== start.touched && work.touched))
  if (isElsewhere) return reject('the scope has no such list')
  if (row.block !== undefined && !block && listsFor(targetWork, row, undefined).length === 0) {
    return addNewBlocks(targetWork, [{ type: row.block, count: noun.count ?? 1 }], parts, place)
  }
  const list = findList(targetWork, noun, row, block)
  if (work.lead && list.id !== work.lead.id) return reject('the list is in another block')
  refusePagePlace(work, parts)
  const meta = fieldsOf(targetWork, blockOf(targetWork, list))[list.listKey] ?? reject('the list is not declared')
  const item = { ...defaults(targetWork, list, meta), ...contentOf(targetWork, meta.itemFields ?? {}, named, rowMapping(meta.itemFields ?? {})) }
  const count = countOf(targetWork, noun.count, mostRows)
  const done = Array.from({ length: count }).reduce<Work>((after) => addOne(after, list, item, place), targetWork)
  return count > 1 || !hasVerb ? { ...done, touched: undefined, isUnclear: true } : done
}

/** The roles that give the content of a row. */
const contentParts: readonly Role[] = ['text', 'called', 'saying', 'value', 'detail']

/** `Add the features "A" and "B"`. */
function addNamed(work: Work, { frame, object, all }: Parts, start: Work): Work {
  const names = all('text')
  const isUnsupported = ({ role, value }: Chunk) => (role === 'text' ? value?.form !== 'quoted' : !['object', 'in', 'to'].includes(role))
  if (frame.chunks.some(isUnsupported) || (object.count ?? names.length) !== names.length) return reject('names and rows differ in number')
  const one: Chunk = { role: 'object', start: 0, end: 0, cost: 0, noun: { ...object, isMany: false, isNew: true, name: undefined, count: undefined } }
  return names.reduce((after, text) => addRow(after, partsOf({ ...frame, chunks: [one, text] }), after === work ? start : after), work)
}

/** The required props of a new row; rejects polymorphic lists, whose kind of row is ambiguous. */
function defaults(work: Work, list: ListAt, meta: FieldMeta): Props {
  const { registry, manifest } = work.context.input
  const { type } = blockOf(work, list)
  const declared = manifest?.get(type) ?? registry.get(type)
  const schema = itemSchemaOf(declared?.propsSchema.properties?.[list.listKey]) ?? {}
  return isPolymorphic(meta) ? reject('ambiguous kind of row') : requiredProps(declared?.fields[list.listKey]?.itemFields ?? {}, schema)
}

function addOne(work: Work, list: ListAt, item: Props, place: Place | undefined): Work {
  const { slug: pageSlug, id: blockId, listKey } = list
  const { length } = rowsOf(work, list)
  const index = place ? rowPlace(work, place, list, Array.from({ length }, (_, at) => at)) : length
  const touched = { slug: pageSlug, id: blockId, listKey, index }
  const after = applyOperation(work, { op: 'add_item', pageSlug, blockId, listKey, item, afterIndex: index === length || index === 0 ? undefined : index - 1 }, touched)
  if (index !== 0 || length === 0) return after
  return applyOperation(after, { op: 'move_item', pageSlug, blockId, listKey, index: length, afterIndex: undefined }, touched)
}

/** Asks when the place may be one on the page: `move Dry gear to the top of the page`. */
function refusePagePlace({ context: { texts } }: Work, { place, object: { owner }, nouns }: Parts): void {
  const isOnPage = owner?.page === 'this' || nouns('in', 'to').some(({ kind }) => kind === 'page')
  if (place && !place.anchor && isOnPage) ask(texts.missingPlace, { isFinal: true })
}

/** Resolves a place in a list; `others` are the rows without the one that moves. */
function rowPlace(work: Work, place: Place, list: ListAt, others: readonly number[], current?: number): number {
  const isInList = fitsPlace(work, place, [blockOf(work, list).type, list.listKey])
  if (!isInList) return reject('not a place in the list')
  if (place.form === 'nth') refuseShifted(work, list)
  const indexOf = (anchor: Noun) => {
    if (anchor.kind !== 'row' && anchor.kind !== 'name') return reject('the anchor is not a row')
    const at = findRow({ ...work, slug: list.slug, isPageUnclear: false, lead: { slug: list.slug, id: list.id } }, anchor)
    if (at.id !== list.id || at.listKey !== list.listKey) return reject('the rows are in different lists')
    if (at.index === current) ask(work.context.texts.besideItself)
    return others.indexOf(at.index)
  }
  return placeIn(work, place, { count: others.length, indexOf, ...(current !== undefined && { current }) })
}

/** Removes later rows first, so that the indexes stay valid. */
function removeRow(work: Work, parts: Parts): Work {
  const isOpen = parts.objects.some(({ kind, name }) => (kind === 'name' && name?.isQuoted === false) || kind === 'this' || kind === 'it')
  if (isOpen) return reject('ambiguous name')
  const rows = uniqueRows(parts.objects.flatMap((noun) => rowsFor(work, noun))).toSorted((a, b) => b.index - a.index)
  const isInBlock = parts.nouns('in', 'from').some(({ kind }) => kind !== 'page')
  if (isInBlock && rows.some(({ id }) => id !== work.lead?.id)) return reject('the rows are in another block')
  return rows.reduce((after, { slug: pageSlug, id: blockId, listKey, index }) => {
    const list = { slug: pageSlug, id: blockId, listKey }
    if (rowsOf(after, list).length === 1) ask(after.context.texts.lastRow(labelOf(listKey, fieldsOf(after, blockOf(after, list))[listKey])))
    return applyOperation(after, { op: 'remove_item', pageSlug, blockId, listKey, index }, { slug: pageSlug, id: blockId })
  }, work)
}

function moveRow(work: Work, parts: Parts): Work {
  const { place = reject('no place'), object } = parts
  refuseNonMove(parts)
  const isDistance = object.n !== undefined && (place.form === 'up' || place.form === 'down') && place.n === undefined
  if (isDistance || object.isNew) return reject('a new row, or a distance')
  const rows = rowsFor(work, object)
  const [row = reject('no row')] = rows
  if (work.lead && row.id !== work.lead.id) return reject('the row is in another block')
  refusePagePlace(work, parts)
  if (rows.length > 1) return moveRows(work, rows, place)
  if (place.form === 'up' || place.form === 'down') refuseShifted(work, row)
  const others = rowsOf(work, row).map((_, index) => index).filter((index) => index !== row.index)
  return moveTo(work, row, rowPlace(work, inferAnchor(object, place), row, others, row.index))
}

/** Moves adjacent rows to an end of their list, in their order. */
function moveRows(work: Work, rows: readonly RowAt[], { form }: Place): Work {
  const last = rowsOf(work, rows[0] ?? reject('no row')).length - 1
  const done = form === 'end'
    ? rows.reduce((after, row, nth) => moveTo(after, { ...row, index: row.index - nth }, last), work)
    : rows.toReversed().reduce((after, row, nth) => moveTo(after, { ...row, index: row.index + nth }, 0), work)
  return form === 'end' || form === 'front' ? { ...done, touched: undefined, isUnclear: true } : reject('not an end of the list')
}

function moveTo(work: Work, row: RowAt, index: number): Work {
  if (index === row.index) return { ...work, touched: row }
  const { slug: pageSlug, id: blockId, listKey } = row
  const afterIndex = index === 0 ? undefined : index < row.index ? index - 1 : index
  return applyOperation(work, { op: 'move_item', pageSlug, blockId, listKey, index: row.index, afterIndex }, { ...row, index })
}

/** After a swap, `it` is ambiguous. */
function swapRows(work: Work, parts: Parts): Work {
  const [a, b, ...others] = parts.nouns('object', 'as', 'with').flatMap((noun) => rowsFor(work, noun))
  if (!a || !b || others.length > 0 || a.id !== b.id || a.listKey !== b.listKey || a.index === b.index) return reject('a swap needs two rows of one list')
  const [first, second] = a.index < b.index ? [a, b] : [b, a]
  const down = moveTo(work, first, second.index)
  const isAdjacent = second.index === first.index + 1
  const done = isAdjacent ? down : moveTo(down, { ...second, index: second.index - 1 }, first.index)
  return { ...done, touched: undefined, isUnclear: true }
}

/** Duplicates a row directly after it, without its unique keys. */
function copyRow(work: Work, parts: Parts): Work {
  const row = findRow(work, parts.object)
  const { slug: pageSlug, id: blockId, listKey, index } = row
  const { id: _id, _key: _ownKey, ...item } = rowAt(work, row)
  return { ...applyOperation(work, { op: 'add_item', pageSlug, blockId, listKey, item, afterIndex: index }), touched: undefined, isUnclear: true }
}

export const rowActions: readonly Action[] = [
  { verbs: ['add', 'want', 'put'], roles: `object ${contentRoles} @to? @in? place?`, run: addRow },
  { verbs: ['remove'], roles: 'object+ @in? @from?', run: removeRow },
  { verbs: ['move', 'put', 'set', 'be', 'want'], roles: 'object place @in?', run: moveRow },
  { verbs: ['swap'], roles: 'object+ as? with? @in?', run: swapRows },
  { verbs: ['copy'], roles: 'object @in?', run: copyRow },
]
