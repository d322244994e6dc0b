import { declaredType } from '../../../content/registry.ts'
import { engineBlockId } from '../../../content/block-ids.ts'
import { effectiveItemFields, isDeclaredList, isInternal } from '../../../content/fields.ts'
import type { BlockType, FieldMeta, Fields } from '../../../content/model.ts'
import { matchRows } from '../../../content/operations/rows.ts'
import { isPlainObject, mapValues, ownValue, picked } from '../../../content/plain-object.ts'
import { coerceSlug } from '../../../content/slugs.ts'
import { blockAt, pageAt } from '../lookup.ts'
import { typeName } from '../type-names.ts'
import {
  firstText,
  isOp,
  type Loose,
  objectIn,
  type RowContext,
  type Correction,
  type Corrections,
  slugFor,
  without,
} from './row.ts'

const pageKeys = 'slug path route pageSlug newPageSlug title newTitle id meta blocks block page'.split(' ')
const typeKeys = ['type', 'blockType', 'block_type', 'component']
const blockKeys = ['id', 'type', 'props']

/** Removes undefined values. */
const given = (values: Loose): Loose => picked(values, (value) => value !== undefined)

/** Returns the blocks that an operation creates: the one of `add_block`, or all of `create_page`. */
function newBlocks(op: Loose): readonly Loose[] {
  if (isOp(op, 'add_block')) return [op['block']].filter(isPlainObject)
  const blocks = isOp(op, 'create_page') ? objectIn(op['page'])['blocks'] : []
  return Array.isArray(blocks) ? blocks.filter(isPlainObject) : []
}

/** Creates a correction of every new block. */
function ofNewBlocks(to: (block: Loose, context: RowContext) => Loose): Correction {
  return (op, context) => {
    const blocks = newBlocks(op).map((block) => to(block, context))
    if (blocks.length === 0) return op
    const [block] = blocks
    return isOp(op, 'add_block') ? { ...op, block } : { ...op, page: { ...objectIn(op['page']), blocks } }
  }
}

/** Creates a correction of the props of every new block whose type is known. */
const ofNewProps = (to: (props: Loose, type: BlockType) => Loose): Correction =>
  ofNewBlocks((block, { input }) => {
    const type = declaredType(firstText(block, ['type']) ?? '', input)
    return type && isPlainObject(block['props']) ? { ...block, props: to(block['props'], type) } : block
  })

/** Matches "add a page about prices", but not "add a hero to the about page". */
const asksForPage = / (?:create|add|make|new|build) (?:(?!(?:to|on|into|in|at|onto) )\S+ ){0,4}?page /

/** Corrections of new pages and blocks. */
export const newRows: Corrections = {
  'a page outside of its envelope'(op) {
    if (!isOp(op, 'create_page') || isPlainObject(op['page'])) return op
    const { meta, block, blocks } = op
    const page = given({
      slug: firstText(op, ['page', 'slug', 'path', 'route', 'newPageSlug', 'pageSlug']),
      title: firstText(op, ['title', 'newTitle']),
      meta: isPlainObject(meta) ? meta : undefined,
      blocks: Array.isArray(blocks) ? blocks : isPlainObject(block) ? [block] : undefined,
    })
    return Object.keys(page).length === 0 ? op : { ...without(op, pageKeys), page }
  },
  'a page that exists, with blocks for it'(op, { input }) {
    const { slug } = objectIn(op['page'])
    const { slug: pageSlug } = input.selection
    const isHere = slug === undefined || pageAt(input, slugFor(input, slug))?.slug === pageSlug
    const blocks = isOp(op, 'create_page') && isHere ? newBlocks(op) : []
    return blocks.length === 0 ? op : blocks.map((block) => ({ op: 'add_block', pageSlug, block }))
  },
  'a block outside of its envelope'(op) {
    if (!isOp(op, 'add_block') || isPlainObject(op['block'])) return op
    const type = firstText(op, ['type', 'blockType', 'block_type', 'block'])
    const props = [op['props'], op['patch']].find(isPlainObject)
    const id = firstText(op, ['blockId', 'newBlockId', 'id'])
    return type === undefined ? op : { ...op, block: given({ type, props, id }) }
  },
  'a block for a page that is to be created'(op, { input, words, created }) {
    const blocks = isOp(op, 'add_block') && asksForPage.test(words.text) ? newBlocks(op) : []
    const slug = slugFor(input, op['pageSlug'])
    const isThere = slug === undefined || pageAt(input, slug) !== undefined || created.has(slug)
    return blocks.length === 0 || isThere ? op : { op: 'create_page', page: { slug, blocks } }
  },
  'the slug of a new page without its slash, or under another name'(op, { created }) {
    const { page } = op
    if (!isOp(op, 'create_page') || !isPlainObject(page)) return op
    const written = page['slug'] ?? page['path'] ?? page['route']
    const slug = coerceSlug(written) ?? written
    if (typeof slug === 'string') created.add(slug)
    return slug === page['slug'] ? op : { ...op, page: { ...without(page, ['path', 'route']), slug } }
  },
  'the type of a new block under another name, or in a loose spelling': ofNewBlocks((block, { input }) => {
    const key = typeKeys.find((name) => block[name] !== undefined) ?? ''
    const name = block[key]
    return typeof name === 'string' ? { ...without(block, [key]), type: typeName(name, input) } : block
  }),
  'props of a new block outside of their envelope': ofNewBlocks((block) => {
    const props = without(block, blockKeys)
    const isOutside = block['props'] === undefined && Object.keys(props).length > 0
    return isOutside ? { ...picked(block, (_, name) => blockKeys.includes(name)), props } : block
  }),
  'the id of a new block that is missing or used': ofNewBlocks((block, { now, freeId }) => {
    const { id, type } = block
    if (typeof type !== 'string') return block
    const isNamed = typeof id === 'string' && id.trim() !== ''
    return { ...block, id: freeId(isNamed ? id : engineBlockId(type, now, () => false)) }
  }),
}

/** Other keys that models use for lists of built-in types. */
const otherLists: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Carousel: { slides: 'items' },
  Gallery: { photos: 'images', pictures: 'images' },
  Table: { columns: 'headers', data: 'rows' },
}
const fullWords: Loose = { question: 'q', answer: 'a', testimonial: 'quote', review: 'quote' }
const looseTexts = ['label', 'name', 'text', 'heading', 'headline']
const preferredTexts = ['title', 'label', 'q', 'quote', 'heading', 'description', 'author', 'value']

const isDeclared = (fields: Fields, name: string): boolean => ownValue(fields, name) !== undefined

/** Creates a correction of block props, in new blocks and in patches. */
function ofProps(to: (props: Loose, type: BlockType) => Loose): Correction {
  const inNew = ofNewProps(to)
  return (op, context) => {
    if (!isOp(op, 'update_props')) return inNew(op, context)
    const type = blockAt(context.input, op)?.blockType
    return type && isPlainObject(op['patch']) ? { ...op, patch: to(op['patch'], type) } : op
  }
}

/** Creates a correction of list rows, alone or in the props of a block. */
function ofItems(to: (row: Loose, fields: Fields) => Loose): Correction {
  const item = (row: unknown, list: FieldMeta): unknown =>
    isPlainObject(row) ? to(row, effectiveItemFields(list, row)) : row
  const inProps = ofProps((props, { fields }) =>
    mapValues(props, (value, name) => {
      const list = ownValue(fields, name)
      if (!list || !isDeclaredList(list) || !Array.isArray(value)) return value
      return value.map((row: unknown) => item(row, list))
    }),
  )
  return (op, context) => {
    if (!isOp(op, 'add_item', 'update_item')) return inProps(op, context)
    const list = ownValue(blockAt(context.input, op)?.blockType?.fields, firstText(op, ['listKey']) ?? '')
    if (!list || !isDeclaredList(list)) return op
    return mapValues(op, (value, name) => (name === 'item' || name === 'patch' ? item(value, list) : value))
  }
}

/** Corrections of the values of blocks and their lists. */
export const valueRows: Corrections = {
  'a patch inside of a patch': ofProps((props, { fields }) => {
    const { props: inner, ...rest } = props
    return isPlainObject(inner) && !isDeclared(fields, 'props') ? { ...rest, ...inner } : props
  }),
  'lists under another name': ofProps((props, { type, fields }) =>
    renamed(props, fields, (name) =>
      Array.isArray(props[name]) ? ownValue(ownValue(otherLists, type), name) : undefined,
    ),
  ),
  'a heading where the type has a title': ofProps((props, { fields }) => {
    const { heading, ...rest } = props
    const isTitle = heading !== undefined && !isDeclared(fields, 'heading') && isDeclared(fields, 'title')
    return isTitle ? { ...rest, title: props['title'] ?? heading } : props
  }),
  'true, false and numbers where a text is to be chosen': ofProps((props, { propsSchema: { properties } }) =>
    mapValues(props, (value, name) => {
      const choices = ownValue(properties, name)?.enum ?? []
      const isScalar = typeof value === 'boolean' || typeof value === 'number'
      return isScalar && choices.includes(String(value)) && !choices.includes(value) ? String(value) : value
    }),
  ),
  'internal props': ofProps((props, { fields }) =>
    picked(props, (_, name) => !isInternal(name, ownValue(fields, name))),
  ),
  'questions, answers and testimonials in full words': ofItems((row, fields) =>
    renamed(row, fields, (name) => Object.keys(fields).find((key) => key === ownValue(fullWords, name))),
  ),
  'keys of a row in another case': ofItems((row, fields) =>
    renamed(row, fields, (name) => {
      const flat = name.replaceAll(/[_-]/g, '').toLowerCase()
      return Object.keys(fields).find((key) => key.toLowerCase() === flat)
    }),
  ),
  'a text under a name that the row does not have': ofItems((row, fields) => {
    const free = preferredTexts.find((key) => isDeclared(fields, key) && row[key] === undefined)
    const name = looseTexts.find((key) => typeof row[key] === 'string' && !isDeclared(fields, key))
    return free === undefined || name === undefined ? row : { ...without(row, [name]), [free]: row[name] }
  }),
  'props of a new block that are missing, all or the required ones': ofNewBlocks((block, { input }) => {
    const blockType = declaredType(firstText(block, ['type']) ?? '', input)
    if (!blockType) return block
    const props = objectIn(block['props'])
    const isEmpty = Object.keys(props).length === 0
    const missing = picked(
      blockType.starter(),
      (_, name) =>
        isEmpty || Boolean(blockType.propsSchema.required?.includes(name) && (props[name] ?? null) === null),
    )
    return { ...block, props: { ...props, ...missing } }
  }),
  'references in a new block': ofNewProps((props, { fields }) =>
    mapValues(props, (value, name) => (ownValue(fields, name)?.kind === 'reference' ? null : value)),
  ),
  'a list that got longer'(op, { input }) {
    const target = isOp(op, 'update_props') ? blockAt(input, op) : undefined
    if (!target) return op
    const patch = objectIn(op['patch'])
    const { pageSlug, blockId } = op
    const lists = picked(patch, (_, name) => isDeclaredList(ownValue(target.blockType?.fields, name)))
    const tails = mapValues(lists, (incoming, listKey) => appended(target.block.props[listKey], incoming))
    const added = Object.entries(tails).flatMap(([listKey, rows]) =>
      rows.map((item) => ({ op: 'add_item', pageSlug, blockId, listKey, item })),
    )
    if (added.length === 0) return op
    const rest = mapValues(patch, (value, name) =>
      Array.isArray(value) ? value.slice(0, value.length - (ownValue(tails, name) ?? []).length) : value,
    )
    return [...(isPart(rest, target.block.props) ? [] : [{ ...op, patch: rest }]), ...added]
  },
}

/** Renames undeclared keys of an object; a key whose new name is taken stays. */
function renamed(object: Loose, fields: Fields, to: (name: string) => string | undefined): Loose {
  return Object.keys(object).reduce<Loose>((soFar, name) => {
    const target = isDeclared(fields, name) ? undefined : to(name)
    if (target === undefined || soFar[target] !== undefined) return soFar
    return { ...without(soFar, [name]), [target]: soFar[name] }
  }, object)
}

/** Returns the rows of a list after the stored ones; none if rows with keys have changed their positions. */
function appended(stored: unknown, incoming: unknown): readonly Loose[] {
  if (!Array.isArray(stored) || !Array.isArray(incoming) || stored.length === 0) return []
  const rows: readonly unknown[] = incoming
  const areInPlace = matchRows(stored, rows).every((match, at) => match.stored === stored[at])
  return areInPlace && rows.every(isPlainObject) ? rows.slice(stored.length) : []
}

/** Whether a value equals another one, apart from keys that its objects leave out. */
function isPart(part: unknown, all: unknown): boolean {
  if (Array.isArray(part)) {
    return Array.isArray(all) && part.length === all.length && part.every((row, at) => isPart(row, all[at]))
  }
  if (!isPlainObject(part)) return part === all
  return isPlainObject(all) && Object.entries(part).every(([name, value]) => isPart(value, all[name]))
}
