import { effectiveItemFields, isDeclaredList, isInternal } from '../../content/fields.ts'
import { rowKey } from '../../content/items.ts'
import type { BlockType, FieldMeta, Fields } from '../../content/model.ts'
import { isPlainObject, ownValue } from '../../content/plain-object.ts'
import { blockAt, blockTypeAt, type SiteInput } from '../lookup.ts'
import { newBlocks, withNewBlocks } from './new-rows.ts'
import { isOp, type Loose, type Row, without } from './row.ts'

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
const hasProps = (op: Loose): boolean => (isOp(op, 'update_props') && isPlainObject(op['patch'])) || newBlocks(op).length > 0
const hasItem = (op: Loose): boolean => isOp(op, 'add_item', 'update_item') && typeof op['listKey'] === 'string'

/** A row for the props of a block, new ones and patches alike. */
function ofProps(what: string, to: (props: Loose, type: BlockType) => Loose): Row {
  return {
    what,
    when: hasProps,
    becomes(op, { input }) {
      const target = isOp(op, 'update_props') ? blockAt(input, op)?.blockType : undefined
      if (isOp(op, 'update_props')) return target && isPlainObject(op['patch']) ? { ...op, patch: to(op['patch'], target) } : op
      return ofNewBlocks(op, input, to)
    },
  }
}

function ofNewBlocks(op: Loose, input: SiteInput, to: (props: Loose, type: BlockType) => Loose): Loose {
  return withNewBlocks(op, (block) => {
    const type = blockTypeAt(input, block['type'])
    return type && isPlainObject(block['props']) ? { ...block, props: to(block['props'], type) } : block
  })
}

/** A row for the rows of lists, alone or in the props of a block. */
function ofItems(what: string, to: (row: Loose, fields: Fields) => Loose): Row {
  const item = (row: Loose, list: FieldMeta): Loose => to(row, effectiveItemFields(list, row))
  const inProps = ofProps(what, (props, { fields }) => Object.fromEntries(Object.entries(props).map(([name, value]) => {
    const list = ownValue(fields, name)
    return [name, list && isDeclaredList(list) && Array.isArray(value) ? value.map((row: unknown) => (isPlainObject(row) ? item(row, list) : row)) : value]
  })))
  return {
    what,
    when: (op) => hasProps(op) || hasItem(op),
    becomes(op, place) {
      if (!hasItem(op)) return inProps.becomes(op, place)
      const list = ownValue(blockAt(place.input, op)?.blockType?.fields, String(op['listKey']))
      if (!list || !isDeclaredList(list)) return op
      const settled = ['item', 'patch'].flatMap((key) => (isPlainObject(op[key]) ? [[key, item(op[key], list)]] : []))
      return { ...op, ...Object.fromEntries(settled) }
    },
  }
}

/** Rows for the values of blocks and of their lists. */
export const valueRows: readonly Row[] = [
  ofProps('a patch inside of a patch', (props, { fields }) =>
    (isPlainObject(props['props']) && !isDeclared(fields, 'props') ? { ...without(props, ['props']), ...props['props'] } : props)),
  ofProps('lists under another name', (props, { type, fields }) => renamed(props, (name) => {
    const meant = ownValue(ownValue(otherLists, type), name)
    return meant !== undefined && Array.isArray(props[name]) && !isDeclared(fields, name) ? meant : undefined
  })),
  ofProps('a heading where the type has a title', (props, { fields }) => {
    if (props['heading'] === undefined || isDeclared(fields, 'heading') || !isDeclared(fields, 'title')) return props
    return { ...without(props, ['heading']), title: props['title'] ?? props['heading'] }
  }),
  ofProps('true, false and numbers where a text is to be chosen', (props, { propsSchema: { properties } }) => {
    const texts = Object.entries(props).filter(([name, value]) => {
      const choices = ownValue(properties, name)?.enum
      return (typeof value === 'boolean' || typeof value === 'number') && choices?.includes(String(value)) && !choices.includes(value)
    })
    return { ...props, ...Object.fromEntries(texts.map(([name, value]) => [name, String(value)])) }
  }),
  ofProps('internal props', (props, { fields }) => without(props, Object.keys(props).filter((name) => isInternal(name, ownValue(fields, name))))),
  ofItems('questions, answers and testimonials in full words', (row, fields) => renamed(row, (name) => {
    const meant = ownValue(fullWords, name)
    return meant !== undefined && !isDeclared(fields, name) && isDeclared(fields, meant) ? meant : undefined
  })),
  ofItems('keys of a row in another case', (row, fields) => renamed(row, (name) =>
    (isDeclared(fields, name) ? undefined : Object.keys(fields).find((key) => key.toLowerCase() === name.replaceAll(/[_-]/g, '').toLowerCase())))),
  ofItems('a text under a name that the row does not have', (row, fields) => {
    const free = preferredTexts.find((key) => isDeclared(fields, key) && row[key] === undefined)
    const name = looseTexts.find((key) => typeof row[key] === 'string' && !isDeclared(fields, key))
    return free === undefined || name === undefined ? row : { ...without(row, [name]), [free]: row[name] }
  }),
  {
    what: 'props of a new block that are missing, all or the required ones',
    when: (op) => newBlocks(op).length > 0,
    becomes: (op, { input }) => withNewBlocks(op, (block) => {
      const blockType = blockTypeAt(input, block['type'])
      if (!blockType) return block
      const props = isPlainObject(block['props']) ? block['props'] : {}
      const starter = Object.entries(blockType.starter())
      const isEmpty = Object.keys(props).length === 0
      const missing = starter.filter(([name]) => isEmpty || (blockType.propsSchema.required?.includes(name) && (props[name] ?? null) === null))
      return { ...block, props: { ...props, ...Object.fromEntries(missing) } }
    }),
  },
  {
    what: 'references in a new block',
    when: (op) => newBlocks(op).length > 0,
    becomes: (op, { input }) => ofNewBlocks(op, input, (props, { fields }) =>
      Object.fromEntries(Object.entries(props).map(([name, value]) => [name, ownValue(fields, name)?.kind === 'reference' ? null : value]))),
  },
  {
    what: 'a list that got longer',
    when: (op) => isOp(op, 'update_props') && isPlainObject(op['patch']),
    becomes(op, { input }) {
      const patch = isPlainObject(op['patch']) ? op['patch'] : {}
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
  },
]

/** The object with other keys; one that is taken stays. */
function renamed(object: Loose, to: (name: string) => string | undefined): Loose {
  return Object.keys(object).reduce<Loose>((soFar, name) => {
    const target = to(name)
    return target === undefined || soFar[target] !== undefined ? soFar : { ...without(soFar, [name]), [target]: soFar[name] }
  }, object)
}

/** Rows with keys stand where they stood, so that what comes after them is new. */
function keepsPlaces(stored: readonly unknown[], incoming: readonly Loose[]): boolean {
  const keys = stored.map((row) => (isPlainObject(row) ? rowKey(row) : undefined))
  return incoming.every((row, at) => {
    const key = rowKey(row)
    return key === undefined || (at < keys.length ? keys[at] === key : !keys.includes(key))
  })
}

/** Whether one value is another, or a part of it where objects leave keys out. */
function isPart(part: unknown, whole: unknown): boolean {
  if (Array.isArray(part)) return Array.isArray(whole) && part.length === whole.length && part.every((each, at) => isPart(each, whole[at]))
  if (isPlainObject(part)) return isPlainObject(whole) && Object.entries(part).every(([name, value]) => isPart(value, whole[name]))
  return part === whole
}
