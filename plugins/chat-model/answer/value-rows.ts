import { effectiveItemFields, isDeclaredList, isInternal } from '../../content/fields.ts'
import { rowKey } from '../../content/items.ts'
import type { BlockType, FieldMeta, Fields } from '../../content/model.ts'
import { isPlainObject, ownValue } from '../../content/plain-object.ts'
import { blockAt, blockTypeAt } from '../lookup.ts'
import { ofNewBlocks, ofNewProps } from './new-rows.ts'
import { firstText, isOp, type Loose, objectIn, type Row, type Rows, without } from './row.ts'

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
    return Object.fromEntries(Object.entries(op).map(([key, value]) => [key, key === 'item' || key === 'patch' ? item(value, list) : value]))
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
      const choices = ownValue(properties, name)?.enum
      const isText = (typeof value === 'boolean' || typeof value === 'number') && choices?.includes(String(value)) && !choices.includes(value)
      return [name, isText ? String(value) : value]
    }))),
  'internal props': ofProps((props, { fields }) => without(props, Object.keys(props).filter((name) => isInternal(name, ownValue(fields, name))))),
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
