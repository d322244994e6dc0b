import { isPolymorphic, labelOf, requiredProps } from '../../content/fields.ts'
import type { FieldMeta, Props } from '../../content/model.ts'
import { itemSchemaOf } from '../../content/props-schema.ts'
import type { Chunk, Role } from '../frame/chunks.ts'
import type { Noun } from '../frame/nouns.ts'
import type { Place } from '../frame/places.ts'
import { findBlock } from '../resolve/blocks.ts'
import { placeIn } from '../resolve/places.ts'
import { findList, findRow, listsFor, rowAt, rowsFor, rowsOf, uniqueRows } from '../resolve/rows.ts'
import { ask, unfit } from '../work/ask.ts'
import { perform } from '../work/perform.ts'
import { blockOf, fieldsOf, type ListAt, refuseShifted, type RowAt, type Work } from '../work/work.ts'
import { type Action, comesFrom, inside, type Parts, partsOf, withText } from './action.ts'
import { addNewBlocks, besideSame, refuseTurning } from './blocks.ts'
import { contentOf, contentRoles, countOf, rowMeanings } from './content.ts'

const mostRows = 10

/** New rows in a list; where the page has no such list, some kinds of rows are blocks as well. */
function addRow(work: Work, parts: Parts, start: Work): Work {
  const { object: noun, object: { row, name, owner, isNew }, place, verbs, frame: { hasVerb } } = parts
  if (noun.kind !== 'row' || !row || noun.isThis || noun.isAll || noun.isBoth || noun.n !== undefined) return unfit('no new row is meant')
  const named = withText(parts, name)
  if (noun.isMany && (name?.isQuoted ? named : parts).all('text').length > 1) return addNamed(work, name?.isQuoted ? named : parts, start)
  const isCounted = noun.count !== undefined
  if (noun.isMany && !isCounted) return unfit('the list is meant')
  const isNamed = parts.has(...naming) || name?.isQuoted === true
  if ((noun.count ?? 1) > 1 && parts.has('called', 'saying', 'by')) return unfit('several rows have several names')
  if (!hasVerb && work.ops.at(-1)?.op === 'add_block') return unfit('it may be what the new block begins with')
  if (name?.isAuthor || (noun.ord !== undefined && !isNew) || (place?.form === 'nth' && place.start < noun.start)) return unfit('the row is there already')
  const isPut = verbs.includes('put') && !verbs.includes('add')
  const isBare = !isNamed && !parts.has('labelled', 'by') && (noun.isThe || !hasVerb)
  if (!isNew && !isCounted && (isPut || isBare)) return unfit('the row is there already')
  if (verbs.includes('announce') && !isNamed) return unfit('this may be news')
  const isQuestion = row.lists.some(([type]) => type === 'FAQAccordion')
  if (verbs.includes('announce') && isQuestion && parts.all('text', 'value', 'detail').length < 2) return ask(work.scene.texts.missingField)
  if (owner && comesFrom(work.scene.ground, owner.start - 1)) return unfit('the row is there already')
  const there = owner?.kind === 'page' ? inside(work, owner) : work
  const lead = work.lead && listsFor(work, row, work.lead).length > 0 ? work.lead : undefined
  const block = owner && owner.kind !== 'page' ? findBlock(work, owner) : lead
  // `A card for Ana` is not one in her testimonial.
  const isElsewhere = work.lead !== start.lead && (!lead || (work.touched !== start.touched && work.touched))
  if (isElsewhere) return unfit('a row goes into a list')
  if (row.block !== undefined && !block && listsFor(there, row, undefined).length === 0) {
    return addNewBlocks(there, [{ type: row.block, count: noun.count ?? 1 }], parts, place)
  }
  const list = findList(there, noun, row, block)
  const meta = fieldsOf(there, blockOf(there, list))[list.listKey] ?? unfit('the list is not declared')
  const item = { ...defaults(there, list, meta), ...contentOf(there, meta.itemFields ?? {}, named, rowMeanings(meta.itemFields ?? {})) }
  return Array.from({ length: countOf(there, noun.count, mostRows) }).reduce<Work>((after) => addOne(after, list, item, place), there)
}

/** The parts that say what is in a row. */
const naming: readonly Role[] = ['text', 'called', 'saying', 'value', 'detail']

/** `Add the features "A" and "B"`. */
function addNamed(work: Work, { frame, object, all }: Parts, start: Work): Work {
  const names = all('text')
  const isOther = ({ role, value }: Chunk) => (role === 'text' ? value?.form !== 'quoted' : !['object', 'in', 'to'].includes(role))
  if (frame.chunks.some(isOther) || (object.count ?? names.length) !== names.length) return unfit('there are as many names as rows')
  const one: Chunk = { role: 'object', start: 0, end: 0, cost: 0, noun: { ...object, isMany: false, isNew: true, name: undefined, count: undefined } }
  return names.reduce((after, text) => addRow(after, partsOf({ ...frame, chunks: [one, text] }), after === work ? start : after), work)
}

/** A new row has what a row must have; rows of many kinds need a person to choose one. */
function defaults(work: Work, list: ListAt, meta: FieldMeta): Props {
  const { registry, manifest } = work.scene.input
  const { type } = blockOf(work, list)
  const declared = manifest?.get(type) ?? registry.get(type)
  const schema = itemSchemaOf(declared?.propsSchema.properties?.[list.listKey]) ?? {}
  return isPolymorphic(meta) ? unfit('which kind of row is open') : requiredProps(declared?.fields[list.listKey]?.itemFields ?? {}, schema)
}

function addOne(work: Work, list: ListAt, item: Props, place: Place | undefined): Work {
  const { slug: pageSlug, id: blockId, listKey } = list
  const { length } = rowsOf(work, list)
  const index = place ? rowPlace(work, place, list, Array.from({ length }, (_, at) => at)) : length
  const touched = { slug: pageSlug, id: blockId, listKey, index }
  const after = perform(work, { op: 'add_item', pageSlug, blockId, listKey, item, afterIndex: index === length || index === 0 ? undefined : index - 1 }, touched)
  if (index !== 0 || length === 0) return after
  return perform(after, { op: 'move_item', pageSlug, blockId, listKey, index: length, afterIndex: undefined }, touched)
}

/** The place in a list; `others` are the rows beside the one that moves. */
function rowPlace(work: Work, place: Place, list: ListAt, others: readonly number[], current?: number): number {
  if (place.form === 'nth') refuseShifted(work, list)
  const indexOf = (anchor: Noun) => {
    if (anchor.kind !== 'row' && anchor.kind !== 'name') return unfit('a row goes beside a row')
    const at = findRow({ ...work, slug: list.slug, isPageUnclear: false, lead: { slug: list.slug, id: list.id } }, anchor)
    if (at.id !== list.id || at.listKey !== list.listKey) return unfit('the rows are in different lists')
    if (at.index === current) ask(work.scene.texts.besideItself)
    return others.indexOf(at.index)
  }
  return placeIn(work, place, { count: others.length, indexOf, ...(current !== undefined && { current }) })
}

/** Later rows first, so that the places of the others hold. */
function removeRow(work: Work, parts: Parts): Work {
  const isOpen = parts.objects.some(({ kind, name }) => (kind === 'name' && name?.isQuoted === false) || kind === 'this' || kind === 'it')
  if (isOpen) return unfit('what is called so is open')
  const rows = uniqueRows(parts.objects.flatMap((noun) => rowsFor(work, noun))).toSorted((a, b) => b.index - a.index)
  const isInBlock = parts.nouns('in', 'from').some(({ kind }) => kind !== 'page')
  if (isInBlock && rows.some(({ id }) => id !== work.lead?.id)) return unfit('the rows are in another block')
  return rows.reduce((after, { slug: pageSlug, id: blockId, listKey, index }) => {
    const list = { slug: pageSlug, id: blockId, listKey }
    if (rowsOf(after, list).length === 1) ask(after.scene.texts.lastRow(labelOf(listKey, fieldsOf(after, blockOf(after, list))[listKey])))
    return perform(after, { op: 'remove_item', pageSlug, blockId, listKey, index }, { slug: pageSlug, id: blockId })
  }, work)
}

function moveRow(work: Work, parts: Parts): Work {
  const { place = unfit('no place is said'), object } = parts
  refuseTurning(parts)
  const isFar = object.n !== undefined && (place.form === 'up' || place.form === 'down') && place.n === undefined
  if (isFar || object.isNew) return unfit('a new row is meant, or the number tells how far')
  const row = findRow(work, object)
  const others = rowsOf(work, row).map((_, index) => index).filter((index) => index !== row.index)
  return moved(work, row, rowPlace(work, besideSame(object, place), row, others, row.index))
}

function moved(work: Work, row: RowAt, index: number): Work {
  if (index === row.index) return { ...work, touched: row }
  const { slug: pageSlug, id: blockId, listKey } = row
  const afterIndex = index === 0 ? undefined : index < row.index ? index - 1 : index
  return perform(work, { op: 'move_item', pageSlug, blockId, listKey, index: row.index, afterIndex }, { ...row, index })
}

function swapRows(work: Work, parts: Parts): Work {
  const [a, b, ...others] = parts.nouns('object', 'as', 'with').flatMap((noun) => rowsFor(work, noun))
  if (!a || !b || others.length > 0 || a.id !== b.id || a.listKey !== b.listKey || a.index === b.index) return unfit('two rows of one list are swapped')
  const [first, second] = a.index < b.index ? [a, b] : [b, a]
  const down = moved(work, first, second.index)
  return second.index === first.index + 1 ? down : moved(down, { ...second, index: second.index - 1 }, first.index)
}

/** The same content again, right behind; a key belongs to one row only. */
function copyRow(work: Work, parts: Parts): Work {
  const row = findRow(work, parts.object)
  const { slug: pageSlug, id: blockId, listKey, index } = row
  const { id: _id, _key: _ownKey, ...item } = rowAt(work, row)
  return { ...perform(work, { op: 'add_item', pageSlug, blockId, listKey, item, afterIndex: index }), touched: undefined, isUnclear: true }
}

export const rowActions: readonly Action[] = [
  { verbs: ['add', 'want', 'put'], roles: `object ${contentRoles} @to? @in? place?`, does: addRow },
  { verbs: ['remove'], roles: 'object+ @in? @from?', does: removeRow },
  { verbs: ['move', 'put', 'set', 'be', 'want'], roles: 'object place @in?', does: moveRow },
  { verbs: ['swap'], roles: 'object+ as? with? @in?', does: swapRows },
  { verbs: ['copy'], roles: 'object @in?', does: copyRow },
]
