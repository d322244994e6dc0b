import { engineBlockId, freeBlockId } from '../../content/block-ids.ts'
import { effectiveItemFields, isDeclaredList, isInternal } from '../../content/fields.ts'
import { rowKey } from '../../content/items.ts'
import type { BlockType, FieldMeta, Fields } from '../../content/model.ts'
import { isPlainObject, ownValue } from '../../content/plain-object.ts'
import { coerceSlug } from '../../content/slugs.ts'
import { asksForPage } from '../language.ts'
import { blockAt, blockTypeAt, pageAt } from '../lookup.ts'
import { firstText, isOp, type Loose, objectIn, type Place, type Row, type Rows, slugFor, typeName, without } from './row.ts'

const pageKeys = ['slug', 'path', 'route', 'pageSlug', 'newPageSlug', 'title', 'newTitle', 'id', 'meta', 'blocks', 'block', 'page']
const typeKeys = ['type', 'blockType', 'block_type', 'component']
const blockKeys = ['id', 'type', 'props']

/** What an operation creates: the block of `add_block`, the blocks of `create_page`. */
function newBlocks(op: Loose): readonly Loose[] {
  const { block, page } = op
  if (isOp(op, 'add_block')) return isPlainObject(block) ? [block] : []
  return isOp(op, 'create_page') && isPlainObject(page) && Array.isArray(page['blocks']) ? page['blocks'].filter(isPlainObject) : []
}

/** A row for every new block. */
function ofNewBlocks(to: (block: Loose, place: Place) => Loose): Row {
  return (op, place) => {
    const blocks = newBlocks(op).map((block) => to(block, place))
    if (blocks.length === 0) return op
    return isOp(op, 'add_block') ? { ...op, block: blocks[0] } : { ...op, page: { ...objectIn(op['page']), blocks } }
  }
}

/** A row for the props of every new block whose type is known. */
const ofNewProps = (to: (props: Loose, type: BlockType) => Loose): Row => ofNewBlocks((block, { input }) => {
  const type = blockTypeAt(input, block['type'])
  return type && isPlainObject(block['props']) ? { ...block, props: to(block['props'], type) } : block
})

/** Rows for pages and blocks that are created. */
export const newRows: Rows = {
  'a page outside of its envelope'(op) {
    if (!isOp(op, 'create_page') || isPlainObject(op['page'])) return op
    const slug = firstText(op, ['page', 'slug', 'path', 'route', 'newPageSlug', 'pageSlug'])
    const title = firstText(op, ['title', 'newTitle'])
    const blocks = Array.isArray(op['blocks']) ? op['blocks'] : isPlainObject(op['block']) && [op['block']]
    const meta = isPlainObject(op['meta']) && op['meta']
    const page = { ...(slug !== undefined && { slug }), ...(title !== undefined && { title }), ...(meta && { meta }), ...(blocks && { blocks }) }
    return Object.keys(page).length === 0 ? op : { ...without(op, pageKeys), page }
  },
  'a page that exists, with blocks for it'(op, { input }) {
    const { slug } = objectIn(op['page'])
    const isHere = slug === undefined || pageAt(input, slugFor(input, slug))?.slug === input.selection.slug
    const blocks = isOp(op, 'create_page') && isHere ? newBlocks(op) : []
    return blocks.length === 0 ? op : blocks.map((block) => ({ op: 'add_block', pageSlug: input.selection.slug, block }))
  },
  'a block outside of its envelope'(op) {
    if (!isOp(op, 'add_block') || isPlainObject(op['block'])) return op
    const type = firstText(op, ['type', 'blockType', 'block_type', 'block'])
    const props = [op['props'], op['patch']].find(isPlainObject)
    const id = firstText(op, ['blockId', 'newBlockId', 'id'])
    return type === undefined ? op : { ...op, block: { type, ...(props && { props }), ...(id !== undefined && { id }) } }
  },
  'a block for a page that is to be created'(op, { input, words, created }) {
    const blocks = isOp(op, 'add_block') && asksForPage(words) ? newBlocks(op) : []
    const slug = slugFor(input, op['pageSlug'])
    const isThere = slug === undefined || pageAt(input, slug) !== undefined || created.has(slug)
    return blocks.length === 0 || isThere ? op : { op: 'create_page', page: { slug, blocks } }
  },
  'the slug of a new page without its slash, or under another name'(op, { created }) {
    const { page } = op
    if (!isOp(op, 'create_page') || !isPlainObject(page)) return op
    const given = page['slug'] ?? page['path'] ?? page['route']
    const slug = coerceSlug(given) ?? given
    if (typeof slug === 'string') created.add(slug)
    return slug === page['slug'] ? op : { ...op, page: { ...without(page, ['path', 'route']), slug } }
  },
  'the type of a new block under another name, or in a loose spelling': ofNewBlocks((block, { input }) => {
    const key = typeKeys.find((name) => block[name] !== undefined) ?? ''
    return typeof block[key] === 'string' ? { ...without(block, [key]), type: typeName(block[key], input) } : block
  }),
  'props of a new block outside of their envelope': ofNewBlocks((block) => {
    const outside = Object.entries(block).filter(([name]) => !blockKeys.includes(name))
    if (block['props'] !== undefined || outside.length === 0) return block
    return { ...without(block, outside.map(([name]) => name)), props: Object.fromEntries(outside) }
  }),
  'the id of a new block that is missing or used': ofNewBlocks((block, place) => {
    const id = idOf(block, place)
    if (id !== undefined) place.given.add(id)
    return id === undefined ? block : { ...block, id }
  }),
}

function idOf({ id, type }: Loose, { input, now, given }: Place): string | undefined {
  const isUsed = (wanted: string): boolean => given.has(wanted) || input.draft.pages.some(({ blocks }) => blocks.some((block) => block.id === wanted))
  if (typeof id === 'string' && id.trim() !== '') return typeof type === 'string' ? freeBlockId(id, isUsed) : id
  return typeof type === 'string' ? engineBlockId(type, now, isUsed) : undefined
}

/** Keys that models give to the lists of some built-in types. */
const otherLists: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Carousel: { slides: 'items' },
  Gallery: { photos: 'images', pictures: 'images' },
  Table: { columns: 'headers', data: 'rows' },
}
const fullWords: Readonly<Record<string, string>> = { question: 'q', answer: 'a', testimonial: 'quote', review: 'quote' }
const looseTexts = ['label', 'name', 'text', 'heading', 'headline']
const preferredTexts = ['title', 'label', 'q', 'quote', 'heading', 'description', 'author', 'value']

const isDeclared = (fields: Fields, name: string): boolean => ownValue(fields, name) !== undefined

/** A row for the props of a block, new ones and patches alike. */
function ofProps(to: (props: Loose, type: BlockType) => Loose): Row {
  const inNew = ofNewProps(to)
  return (op, place) => {
    if (!isOp(op, 'update_props')) return inNew(op, place)
    const type = blockAt(place.input, op)?.blockType
    return type && isPlainObject(op['patch']) ? { ...op, patch: to(op['patch'], type) } : op
  }
}

/** A row for the rows of lists, alone or in the props of a block. */
function ofItems(to: (row: Loose, fields: Fields) => Loose): Row {
  const item = (row: unknown, list: FieldMeta): unknown => (isPlainObject(row) ? to(row, effectiveItemFields(list, row)) : row)
  const inProps = ofProps((props, { fields }) => Object.fromEntries(Object.entries(props).map(([name, value]) => {
    const list = ownValue(fields, name)
    return [name, list && isDeclaredList(list) && Array.isArray(value) ? value.map((row: unknown) => item(row, list)) : value]
  })))
  return (op, place) => {
    if (!isOp(op, 'add_item', 'update_item')) return inProps(op, place)
    const list = ownValue(blockAt(place.input, op)?.blockType?.fields, firstText(op, ['listKey']) ?? '')
    if (!list || !isDeclaredList(list)) return op
    return { ...op, ...Object.fromEntries(['item', 'patch'].filter((key) => Object.hasOwn(op, key)).map((key) => [key, item(op[key], list)])) }
  }
}

/** Rows for the values of blocks and of their lists. */
export const valueRows: Rows = {
  'a patch inside of a patch': ofProps((props, { fields }) =>
    (isPlainObject(props['props']) && !isDeclared(fields, 'props') ? { ...without(props, ['props']), ...props['props'] } : props)),
  'lists under another name': ofProps((props, { type, fields }) => renamed(props, (name) =>
    (Array.isArray(props[name]) && !isDeclared(fields, name) ? ownValue(ownValue(otherLists, type), name) : undefined))),
  'a heading where the type has a title': ofProps((props, { fields }) => {
    if (props['heading'] === undefined || isDeclared(fields, 'heading') || !isDeclared(fields, 'title')) return props
    return { ...without(props, ['heading']), title: props['title'] ?? props['heading'] }
  }),
  'true, false and numbers where a text is to be chosen': ofProps((props, { propsSchema: { properties } }) =>
    Object.fromEntries(Object.entries(props).map(([name, value]) => {
      const choices = ownValue(properties, name)?.enum ?? []
      const isScalar = typeof value === 'boolean' || typeof value === 'number'
      return [name, isScalar && choices.includes(String(value)) && !choices.includes(value) ? String(value) : value]
    }))),
  'internal props': ofProps((props, { fields }) =>
    without(props, Object.keys(props).filter((name) => isInternal(name, ownValue(fields, name))))),
  'questions, answers and testimonials in full words': ofItems((row, fields) => renamed(row, (name) => {
    const meant = ownValue(fullWords, name)
    return meant !== undefined && !isDeclared(fields, name) && isDeclared(fields, meant) ? meant : undefined
  })),
  'keys of a row in another case': ofItems((row, fields) => renamed(row, (name) =>
    (isDeclared(fields, name) ? undefined : Object.keys(fields).find((key) => key.toLowerCase() === name.replaceAll(/[_-]/g, '').toLowerCase())))),
  'a text under a name that the row does not have': ofItems((row, fields) => {
    const free = preferredTexts.find((key) => isDeclared(fields, key) && row[key] === undefined)
    const name = looseTexts.find((key) => typeof row[key] === 'string' && !isDeclared(fields, key))
    return free === undefined || name === undefined ? row : { ...without(row, [name]), [free]: row[name] }
  }),
  'props of a new block that are missing, all or the required ones': ofNewBlocks((block, { input }) => {
    const blockType = blockTypeAt(input, block['type'])
    if (!blockType) return block
    const props = objectIn(block['props'])
    const isEmpty = Object.keys(props).length === 0
    const missing = Object.entries(blockType.starter()).filter(([name]) =>
      isEmpty || (blockType.propsSchema.required?.includes(name) && (props[name] ?? null) === null))
    return { ...block, props: { ...props, ...Object.fromEntries(missing) } }
  }),
  'references in a new block': ofNewProps((props, { fields }) =>
    Object.fromEntries(Object.entries(props).map(([name, value]) => [name, ownValue(fields, name)?.kind === 'reference' ? null : value]))),
  'a list that got longer'(op, { input }) {
    const patch = isOp(op, 'update_props') ? objectIn(op['patch']) : {}
    const target = blockAt(input, op)
    const grown = Object.entries(patch).flatMap(([listKey, incoming]) => {
      const stored = target?.block.props[listKey]
      if (!isDeclaredList(ownValue(target?.blockType?.fields, listKey)) || !Array.isArray(incoming) || !Array.isArray(stored)) return []
      const isAppended = incoming.length > stored.length && stored.length > 0 && incoming.every(isPlainObject) && keepsPlaces(stored, incoming)
      return isAppended ? [{ listKey, head: incoming.slice(0, stored.length), tail: incoming.slice(stored.length) }] : []
    })
    if (!target || grown.length === 0) return op
    const update = { ...op, patch: { ...patch, ...Object.fromEntries(grown.map(({ listKey, head }) => [listKey, head])) } }
    const about = { pageSlug: op['pageSlug'], blockId: op['blockId'] }
    const added = grown.flatMap(({ listKey, tail }) => tail.map((item) => ({ op: 'add_item', ...about, listKey, item })))
    return [...(isPart(update.patch, target.block.props) ? [] : [update]), ...added]
  },
}

/** The object with other keys; one that is taken stays. */
function renamed(object: Loose, to: (name: string) => string | undefined): Loose {
  return Object.keys(object).reduce<Loose>((soFar, name) => {
    const target = to(name)
    return target === undefined || soFar[target] !== undefined ? soFar : { ...without(soFar, [name]), [target]: soFar[name] }
  }, object)
}

/** Whether rows with keys have kept their positions, so that those after them are new. */
function keepsPlaces(stored: readonly unknown[], incoming: readonly Loose[]): boolean {
  const keys = stored.map((row) => (isPlainObject(row) ? rowKey(row) : undefined))
  return incoming.every((row, at) => {
    const key = rowKey(row)
    return key === undefined || (at < keys.length ? keys[at] === key : !keys.includes(key))
  })
}

/** Whether one value is another, or a part of it where objects leave keys out. */
function isPart(part: unknown, all: unknown): boolean {
  if (Array.isArray(part)) return Array.isArray(all) && part.length === all.length && part.every((row, at) => isPart(row, all[at]))
  if (isPlainObject(part)) return isPlainObject(all) && Object.entries(part).every(([name, value]) => isPart(value, all[name]))
  return part === all
}
