import { isPolymorphic, labelOf, requiredProps } from '../../content/fields.ts'
import type { FieldMeta, Props } from '../../content/model.ts'
import { itemSchemaOf } from '../../content/props-schema.ts'
import type { Chunk } from '../frame/chunks.ts'
import type { Noun } from '../frame/nouns.ts'
import type { Place } from '../frame/places.ts'
import { findBlock } from '../resolve/blocks.ts'
import { placeIn } from '../resolve/places.ts'
import { findList, findRow, listsFor, rowAt, rowsFor, rowsOf, uniqueRows } from '../resolve/rows.ts'
import { ask, unfit } from '../work/ask.ts'
import { perform } from '../work/perform.ts'
import { backFrom, blockOf, fieldsOf, type ListAt, type RowAt, type Work } from '../work/work.ts'
import { type Action, inside, type Parts, within } from './action.ts'
import { addNewBlocks, besideSame, refuseTurning } from './blocks.ts'
import { contentOf, contentRoles, countOf, rowMeanings } from './content.ts'

const mostRows = 10

/** New rows in a list; where the page has no such list, some kinds of rows are blocks as well. */
function addRow(work: Work, parts: Parts): Work {
  const { object: noun, place, frame: { verbs, hasVerb } } = parts
  if (noun.kind !== 'row' || !noun.row || noun.isThis || noun.isAll || noun.isBoth) return unfit('no new row is meant')
  const isCounted = noun.count !== undefined
  const hasContent = parts.frame.chunks.some(({ role }) => ['text', 'called', 'saying', 'labelled', 'by', 'value', 'detail'].includes(role)) || noun.name?.isQuoted === true
  if ((noun.ord !== undefined && !noun.isNew) || (place?.form === 'nth' && place.start < noun.start)) return unfit('the row is there already')
  if (noun.isThe && !noun.isNew && !isCounted && !hasContent) return unfit('the row is there already')
  const names = [...(noun.name?.isQuoted ? [named(noun)] : []), ...parts.all('text')]
  if (noun.isMany && names.length > 1) return addNamed(work, parts, names)
  if (noun.isMany && !isCounted) return unfit('the list is meant')
  if (verbs.includes('put') && !verbs.includes('add') && !noun.isNew && !isCounted) return unfit('the row is there already')
  if (!noun.isNew && !isCounted && !hasContent && !hasVerb) return unfit('the row is there already')
  const isNamed = parts.frame.chunks.some(({ role }) => ['text', 'called', 'saying', 'value', 'detail'].includes(role)) || noun.name?.isQuoted === true
  if (verbs.includes('announce') && !isNamed) return unfit('this may be news')
  if (verbs.includes('announce') && noun.row.lists.some(([type]) => type === 'FAQAccordion') && parts.all('text').length + parts.all('value').length + parts.all('detail').length < 2) return ask(work.scene.texts.missingField)
  const at = within(work, parts)
  const block = noun.owner && noun.owner.kind !== 'page' ? findBlock(at, noun.owner) : (at.lead && listsFor(at, noun.row, at.lead).length > 0 ? at.lead : undefined)
  const there = noun.owner?.kind === 'page' ? inside(at, noun.owner) : at
  if (noun.row.block !== undefined && !block && listsFor(there, noun.row, undefined).length === 0) {
    return backFrom(work, addNewBlocks(there, [{ type: noun.row.block, count: noun.count ?? 1 }], parts, place))
  }
  const list = findList(there, noun, noun.row, block)
  const meta = fieldsOf(there, blockOf(there, list))[list.listKey] ?? unfit('the list is not declared')
  const main = noun.name && !noun.name.isAuthor ? { ...parts, all: (role: Parameters<Parts['all']>[0]) => (role === 'text' ? [named(noun), ...parts.all(role)] : parts.all(role)) } : parts
  if (noun.name?.isAuthor) return unfit('the row is there already')
  const given = contentOf(there, meta.itemFields ?? {}, main, rowMeanings(meta.itemFields ?? {}))
  const count = countOf(there, noun.count, mostRows)
  return backFrom(work, Array.from({ length: count }).reduce<Work>((after) => addOne(after, list, { ...defaults(there, list, meta), ...given }, place), there))
}

/** `Add the features "A" and "B"`. */
function addNamed(work: Work, parts: Parts, names: readonly Chunk[]): Work {
  const { object: { name: _name, count = names.length, ...noun }, place } = parts
  const isOther = parts.frame.chunks.some(({ role, value }) => !['object', 'text', 'in', 'to'].includes(role) || (role === 'text' && value?.form !== 'quoted'))
  if (place || isOther || count !== names.length) return unfit('there are as many names as rows')
  const one = { ...noun, isMany: false, isNew: true }
  return names.reduce((after, text) => addRow(after, { ...parts, object: one, all: (role) => (role === 'text' ? [text] : parts.all(role)) }), work)
}

const named = ({ name, end, start }: Noun) => ({ role: 'text' as const, start, end, cost: 0, value: { text: name?.text ?? '', form: name?.isQuoted ? 'quoted' as const : 'text' as const, end } })

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
  const at = within(work, parts)
  if (parts.objects.some(({ kind, name }) => (kind === 'name' && name?.isQuoted === false) || kind === 'this' || kind === 'it')) return unfit('what is called so is open')
  const rows = uniqueRows(parts.objects.flatMap((noun) => rowsFor(at, noun))).toSorted((a, b) => b.index - a.index)
  if (parts.all('in').concat(parts.all('from')).some(({ noun }) => noun && noun.kind !== 'page') && rows.some(({ id }) => id !== at.lead?.id)) return unfit('the rows are in another block')
  return backFrom(work, rows.reduce((after, { slug: pageSlug, id: blockId, listKey, index }) => {
    const list = { slug: pageSlug, id: blockId, listKey }
    if (rowsOf(after, list).length === 1) ask(after.scene.texts.lastRow(labelOf(listKey, fieldsOf(after, blockOf(after, list))[listKey])))
    return perform(after, { op: 'remove_item', pageSlug, blockId, listKey, index }, { slug: pageSlug, id: blockId })
  }, at))
}

function moveRow(work: Work, parts: Parts): Work {
  const at = within(work, parts)
  const { place, object: { n, isNew } } = parts
  refuseTurning(parts)
  if (n !== undefined && (place?.form === 'up' || place?.form === 'down') && place.n === undefined) return unfit('the number tells how far')
  const row = findRow(at, parts.object)
  if (isNew) return unfit('a new row is meant')
  const others = rowsOf(at, row).map((_, index) => index).filter((index) => index !== row.index)
  return backFrom(work, moved(at, row, rowPlace(at, besideSame(parts.object, place ?? unfit('no place is said')), row, others, row.index)))
}

function moved(work: Work, row: RowAt, index: number): Work {
  if (index === row.index) return { ...work, touched: row }
  const { slug: pageSlug, id: blockId, listKey } = row
  const afterIndex = index === 0 ? undefined : index < row.index ? index - 1 : index
  return perform(work, { op: 'move_item', pageSlug, blockId, listKey, index: row.index, afterIndex }, { ...row, index })
}

function swapRows(work: Work, parts: Parts): Work {
  const at = within(work, parts, ['in'])
  const nouns = [...parts.objects, ...parts.all('value').flatMap(({ noun }) => noun ?? []), ...parts.all('as').flatMap(({ noun }) => noun ?? []), ...parts.all('with').flatMap(({ noun }) => noun ?? [])]
  const [a, b, ...others] = nouns.flatMap((noun) => rowsFor(at, noun))
  if (!a || !b || others.length > 0 || a.id !== b.id || a.listKey !== b.listKey || a.index === b.index) return unfit('two rows of one list are swapped')
  const [first, second] = a.index < b.index ? [a, b] : [b, a]
  const down = moved(at, first, second.index)
  return backFrom(work, second.index === first.index + 1 ? down : moved(down, { ...second, index: second.index - 1 }, first.index))
}

/** The same content again, right behind; a key belongs to one row only. */
function copyRow(work: Work, parts: Parts): Work {
  const at = within(work, parts)
  const row = findRow(at, parts.object)
  const { slug: pageSlug, id: blockId, listKey, index } = row
  const { id: _id, _key: _ownKey, ...item } = rowAt(at, row)
  return { ...backFrom(work, perform(at, { op: 'add_item', pageSlug, blockId, listKey, item, afterIndex: index })), touched: undefined, isUnclear: true }
}

export const rowActions: readonly Action[] = [
  { verbs: ['add', 'want', 'put'], roles: `object ${contentRoles} to? in? place?`, does: addRow },
  { verbs: ['remove'], roles: 'object+ in? from?', does: removeRow },
  { verbs: ['move', 'put', 'set', 'be', 'want'], roles: 'object place in?', does: moveRow },
  { verbs: ['swap'], roles: 'object+ as? with? in?', does: swapRows },
  { verbs: ['copy'], roles: 'object in?', does: copyRow },
]
