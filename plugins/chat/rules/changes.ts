/** What the forms do: the operations for items, fields and values that were read. */
import { engineBlockId } from '../../content/block-ids.ts'
import { effectiveItemFields, isText, labelOf, requiredProps } from '../../content/fields.ts'
import type { Block, FieldMeta, Fields, Props } from '../../content/model.ts'
import { ownValue, sameJson } from '../../content/plain-object.ts'
import { itemSchemaOf } from '../../content/props-schema.ts'
import { inTexts, isTexts, wholeWords } from '../../content/replace-text.ts'
import { seedFromWords, titleFromSlug } from '../../content/slugs.ts'
import type { Slots } from './match.ts'
import { propsByPhrase, typesNamed } from './names.ts'
import { anchorOf, type Destination } from './places.ts'
import { isTitled, listsNamed, one, pagesNamed, readItem } from './references.ts'
import { texts } from './texts.ts'
import { phraseOf, type Token, type Tokens } from './tokens.ts'
import { literal, readValue, type Value, valueFor } from './values.ts'
import {
  ask,
  blocksOn,
  type FormChange,
  type ItemField,
  fieldNamed,
  filledFields,
  isPinned,
  type Item,
  mainFields,
  pagesOf,
  placeBehind,
  itemsOf,
  siblingsOf,
  targetOf,
  type PlanState,
} from './work.ts'

/** Sets a field to a value in words. */
export function assign(work: PlanState, field: ItemField | undefined, value: Value): FormChange {
  const wanted = field && valueFor(work, field, value)
  return field && wanted !== undefined ? setField(work, field, wanted) : undefined
}

type SettingSlots = Pick<Slots, 'FIELD' | 'VALUE'>

export function set(work: PlanState, { FIELD, VALUE }: SettingSlots): FormChange {
  const field = one(work, FIELD)
  return onSide(work, field, VALUE) ?? assign(work, field, VALUE)
}

/** Puts an image on a side: `to the right`. */
export const putOnSide = (work: PlanState, { FIELD, VALUE }: SettingSlots): FormChange =>
  FIELD.candidates.every(({ meta }) => meta.kind === 'image')
    ? onSide(work, one(work, FIELD), VALUE)
    : undefined

/** Sets the place of an image in its block, if a value names one and the block has a field for it. */
function onSide(work: PlanState, { item, name, meta }: ItemField, { text }: Value): FormChange {
  if (meta.kind !== 'image') return undefined
  const [, side = ''] = /^(?:(?:to|on|at) )?(?:the )?(\w+?)(?:-?hand)?(?: side)?$/i.exec(text.trim()) ?? []
  const place = fieldNamed(item, `${name.replace(/Url$/, '')}Position`)
  const option = place?.meta.options?.find((each) => each === side.toLowerCase())
  return place && option !== undefined ? setField(work, place, option) : undefined
}

/** The operations on each kind of item. */
const operationsOn: Readonly<
  Record<Item['kind'], Readonly<Partial<Record<'set' | 'move' | 'remove', string>>>>
> = {
  site: { set: 'update_site_config' },
  page: { set: 'update_page_meta', move: 'move_page', remove: 'remove_page' },
  block: { set: 'update_props', move: 'move_block', remove: 'remove_block' },
  row: { set: 'update_item', move: 'move_item', remove: 'remove_item' },
}

/** What the fields of a page and of the site are called in operations. */
const settings: Readonly<Record<string, string>> = {
  metaTitle: 'title',
  metaDescription: 'description',
  socialImage: 'ogImage',
  site: 'name',
}

function setField(work: PlanState, { item, name }: ItemField, value: unknown): FormChange {
  const { kind } = item
  const target = targetOf(item)
  const key = kind === 'page' || kind === 'site' ? (settings[name] ?? name) : name
  if (kind === 'page' && key === 'pageSlug')
    return [{ op: 'rename_page', ...target, newPageSlug: value, newTitle: item.name }]
  if (kind === 'page' && key === 'pageTitle')
    return [{ op: 'rename_page', ...target, newTitle: freeTitle(work, String(value), item) }]
  if (key === 'menuLabel') return labelled(item, String(value))
  return [{ op: operationsOn[kind].set, ...target, patch: { [key]: value } }]
}

/** Sets what the menu calls a page. */
const labelled = ({ slug }: Item, label: string): FormChange => [
  { op: 'update_site_config', patch: { navLabels: { [slug]: label } } },
]

export function clear(work: PlanState, { FIELD }: Pick<Slots, 'FIELD'>): FormChange {
  const field = one(work, FIELD)
  if (field.meta.required)
    ask(texts.mustNotBeEmpty(labelOf(field.name, field.meta)), { opening: `Change ${FIELD.words} to ` })
  return setField(work, field, '')
}

/** Sets the main field of a block or row. */
export function setMain(work: PlanState, { ITEM, VALUE }: Pick<Slots, 'ITEM' | 'VALUE'>): FormChange {
  const item = one(work, ITEM)
  // `Change the opening hours` may mean what is under that title.
  if (isTitled(item, ITEM.words) && !work.message.toLowerCase().startsWith('rename')) ask(texts.twoReadings)
  // `Set the first stat to 17` means its value, and not its label.
  const hasValue = Object.hasOwn(item.fields, 'value') && !work.message.toLowerCase().startsWith('rename')
  if (hasValue && !/\d/.test(VALUE.text)) ask(texts.twoReadings)
  const name = hasValue ? 'value' : mainFields.find((each) => Object.hasOwn(item.fields, each))
  return assign(work, fieldNamed(item, name), VALUE)
}

/** Sets a link, or the link of a button. */
export function link(work: PlanState, { FIELD, VALUE }: SettingSlots): FormChange {
  const target = linkOf(one(work, FIELD))
  return target && assign(work, target, VALUE)
}

/** The link that a field is, or that belongs to a button. */
export function linkOf(field: ItemField): ItemField | undefined {
  const isLink = ({ meta: { kind } }: ItemField) => kind === 'url' || kind === 'link'
  const target = isLink(field) ? field : fieldNamed(field.item, field.name.replace(/Text$/, 'Href'))
  return target && isLink(target) ? target : undefined
}

/** Bounds the time for one message, in characters that are read and written. */
const mostCharacters = 1_000_000

/** Replaces whole words in the text fields of some blocks and rows, but not in the addresses of links. */
export function replace(
  items: readonly Item[],
  { text: wanted }: Token,
  { text: by, isQuoted }: Value,
): FormChange {
  if (!isQuoted) return undefined
  if (wanted.trim() === '') ask(texts.emptyValue)
  const words = wholeWords(wanted)
  let length = 0
  const ops = items.flatMap((item) => {
    const patch: Record<string, unknown> = {}
    for (const [name, meta] of filledFields(item)) {
      const value = ownValue(item.props, name)
      if (!isText(meta) && !isTexts(value, meta)) continue
      const replaced = inTexts(value, (text) => {
        if (!text.includes(wanted)) return text
        length += text.length + (text.split(wanted).length - 1) * by.length
        if (length > mostCharacters) ask(texts.tooLong)
        return text.replace(words, (found) => (found.startsWith('](') ? found : by))
      })
      const isEmptied = typeof replaced === 'string' && replaced.trim() === '' && replaced !== value
      if (isEmptied && meta.required)
        ask(texts.mustNotBeEmpty(labelOf(name, meta)), { opening: `Change "${wanted}" to ` })
      if (!sameJson(replaced, value)) patch[name] = replaced
    }
    return Object.keys(patch).length > 0
      ? [{ op: operationsOn[item.kind].set, ...targetOf(item), patch }]
      : []
  })
  return ops.length > 0 ? ops : ask(texts.textNotFound(wanted))
}

/** The blocks and rows in an item. */
export function withRows(work: PlanState, item: Item): readonly Item[] {
  if (item.kind === 'row') return [item]
  const blocks = item.kind === 'block' ? [item] : blocksOn(work, item.slug)
  return blocks.flatMap((block) => [block, ...itemsOf(block)])
}

/** The types that blocks can be added of. */
export const addable = ({ input: { manifest, registry } }: PlanState) =>
  (manifest ?? registry).types().filter(({ chrome }) => !chrome)

/** What a new row or block is made of. */
type ContentSlots = Partial<Pick<Slots, 'TITLE' | 'CONTENT' | 'AUTHOR'>>
type Added = ContentSlots & Pick<Slots, 'NAME'> & Partial<Pick<Slots, 'ITEM' | 'PLACE'>>

/** Adds a row, if the page or the block has a list of such rows; else a block. */
export function add(work: PlanState, { ITEM, NAME, PLACE, ...content }: Added): FormChange {
  const noun = phraseOf(/^(?:another|empty)$/.test(NAME[0]?.word ?? '') ? NAME.slice(1) : NAME)
  const owner = ITEM && one(work, ITEM)
  // `the banner` is one that is there, and a row has no rows.
  const isThere =
    NAME[0]?.article === 'the' && !content.TITLE && (readItem(work, NAME)?.candidates.length ?? 0) > 0
  if (isThere || owner?.kind === 'row') return undefined
  const slug = owner?.slug ?? work.slug
  const lists = listsNamed(work, noun, owner?.kind === 'block' ? [owner] : blocksOn(work, slug))
  if (lists && lists.length > 0) {
    const item = one(work, { words: noun, candidates: lists.map((list) => list.item) })
    return PLACE ? undefined : addRow(work, item, lists[0]?.listKey ?? '', content)
  }
  const [type] = typesNamed(work.names, noun) ?? []
  if (type !== undefined && owner?.kind !== 'block') return addBlock(work, slug, type, content, PLACE)
  return lists && ask(texts.noList(noun))
}

function addRow(work: PlanState, item: Item, listKey: string, content: ContentSlots): FormChange {
  const list = item.fields[listKey] ?? { kind: 'list' }
  const kind = kindOfRow(work, list)
  const fields = effectiveItemFields(list, kind)
  const given = contentIn(work, fields, content)
  const schema = itemSchemaOf(item.type?.propsSchema.properties?.[listKey]) ?? {}
  const row: Props = { ...requiredProps(fields, schema), ...kind, ...given }
  return given && [{ op: 'add_item', ...targetOf(item), listKey, item: row }]
}

/** The discriminator of a new row, asked for if the list has rows of several kinds. */
function kindOfRow({ answers }: PlanState, { discriminator, itemFieldsByType = {} }: FieldMeta): Props {
  const kinds = Object.keys(itemFieldsByType)
  if (discriminator === undefined || kinds.length === 0) return {}
  const kind = kinds.length === 1 ? kinds[0] : ownValue(answers, discriminator)
  const choices = kinds.map((id) => ({ id, label: id }))
  return { [discriminator]: kind ?? ask(texts.whichKind(kinds), { key: discriminator, choices }) }
}

function addBlock(
  work: PlanState,
  pageSlug: string,
  type: string,
  content: ContentSlots,
  place?: Destination,
): FormChange {
  const given = contentIn(work, work.names.types.get(type)?.fields ?? {}, content)
  if (!given) return undefined
  const block = newBlock(work, type, given)
  const blocks = blocksOn(work, pageSlug)
  const anchor = anchorOf({ ...work, slug: pageSlug }, blocks, place ?? { where: 'end' })
  const added = {
    op: 'add_block',
    pageSlug,
    block,
    ...(anchor && anchor !== blocks.at(-1) && placeBehind(anchor)),
  }
  if (anchor || blocks.length === 0) return [added]
  return [added, { op: 'move_block', pageSlug, blockId: block.id }]
}

/** A block with the content of its type. */
function newBlock(work: PlanState, type: string, content: Props): Block {
  const id = engineBlockId(type, work.now, work.draft.hasBlockId)
  return { id, type, props: { ...work.names.types.get(type)?.starter(), ...content } }
}

const connectors: ReadonlySet<string> = new Set(['to', 'as', ':', ',', 'and', 'with'])

/** Reads `title "A", text "B" and link /c` as fields with their values. */
function settingsIn(work: PlanState, fields: Fields, tokens: Tokens) {
  const names = propsByPhrase(fields)
  const settings: { readonly names: readonly string[]; readonly value: Value | undefined }[] = []
  let name: Token[] = []
  for (const token of tokens) {
    if (token.kind !== 'word' && token.kind !== 'sign') {
      settings.push({ names: [names.get(phraseOf(name)) ?? ''], value: readValue(work, [token]) })
      name = []
    } else if (!connectors.has(token.word)) name.push(token)
  }
  return name.length > 0 ? undefined : settings
}

/** The content of a new block or row; `undefined` if the words are not only that. */
function contentIn(
  work: PlanState,
  fields: Fields,
  { TITLE, AUTHOR, CONTENT = [] }: ContentSlots,
): Props | undefined {
  const settings = settingsIn(work, fields, CONTENT)
  const title = { names: ['value', ...mainFields, 'caption'], value: TITLE }
  const content: Record<string, unknown> = {}
  for (const { names, value } of [title, { names: ['author'], value: AUTHOR }, ...(settings ?? [])]) {
    if (!value) continue
    const name = names.find((each) => Object.hasOwn(fields, each)) ?? ''
    const meta = ownValue(fields, name)
    const wanted = meta && valueFor(work, { name, meta }, value)
    if (wanted === undefined || Object.hasOwn(content, name)) return undefined
    content[name] = wanted
  }
  return settings && content
}

/** Moves an item right behind another one; without an anchor, to the front. */
const behind = (item: Item, anchor: Item | undefined): Props => ({
  op: operationsOn[item.kind].move,
  ...targetOf(item),
  ...(anchor && placeBehind(anchor)),
})

export function moveTo(work: PlanState, item: Item, place: Destination): FormChange {
  const siblings = siblingsOf(work, item)
  const slug = item.kind === 'page' ? work.slug : item.slug
  const anchor = anchorOf({ ...work, slug }, siblings, place, item)
  const now = siblings.findIndex(({ id }) => id === item.id)
  return anchor?.id === siblings[now - 1]?.id ? [] : [behind(item, anchor)]
}

export function swap(work: PlanState, { PAIR }: Pick<Slots, 'PAIR'>): FormChange {
  const items = PAIR.map((each) => one(work, each))
  const siblings = items[0] ? siblingsOf(work, items[0]) : []
  const [first, last] = siblings.filter(({ id }) => items.some((each) => each.id === id))
  if (!first || !last || items.length !== 2) return undefined
  if (items.some(isPinned)) ask(texts.pinned)
  const [from, to] = [siblings.indexOf(first), siblings.indexOf(last)]
  const down = behind(first, last)
  if (to === from + 1) return [down]
  return [down, { ...behind(last, siblings[from - 1]), ...(last.row && { index: to - 1 }) }]
}

type Copying = Pick<Slots, 'ITEM'> & Partial<Pick<Slots, 'PAGE' | 'ROUTE'>>

/** Copies an item right behind itself, a block perhaps to another page, and a page perhaps to an address. */
export function copy(work: PlanState, { ITEM, PAGE, ROUTE }: Copying): FormChange {
  // `the banner to the prices page` is the banner here, and where its copy goes.
  const [, ...places] = ITEM.words.split(' to ')
  if (/^\/\S*$/.test(places.at(-1) ?? '') || places.join(' to ').endsWith(' page')) return undefined
  const item = one(work, ITEM)
  if (item.kind === 'page' ? PAGE : item.kind === 'row' ? (PAGE ?? ROUTE) : ROUTE) return undefined
  if (item.kind === 'page') return [{ op: 'duplicate_page', ...targetOf(item), newPageSlug: ROUTE?.text }]
  if (item.kind === 'row') {
    const { id: _id, _key, ...props } = item.props
    return [{ op: 'add_item', ...targetOf(item), item: props, ...placeBehind(item) }]
  }
  const page = PAGE && one(work, PAGE).slug
  return [{ op: 'duplicate_block', ...targetOf(item), ...(page !== item.slug && { toPageSlug: page }) }]
}

/** Removes later rows of a list first, so that the positions of earlier ones stay. */
export function remove(work: PlanState, { ITEMS }: Pick<Slots, 'ITEMS'>): FormChange {
  const items = ITEMS.map((each) => one(work, each))
  const ids = new Set(items.map(({ id }) => id))
  if (ids.size < items.length) return undefined
  return items
    .toSorted((a, b) => (b.row?.index ?? 0) - (a.row?.index ?? 0))
    .map((item) => {
      if (item.kind === 'row' && siblingsOf(work, item).every(({ id }) => ids.has(id))) ask(texts.lastRow)
      return { op: operationsOn[item.kind].remove, ...targetOf(item) }
    })
}

/** A title, which no other page may have. */
function freeTitle(work: PlanState, title: string, except?: Item): string {
  const isSame = (page: Item) => page.id !== except?.id && page.name.toLowerCase() === title.toLowerCase()
  const same = pagesOf(work).find(isSame)
  return same ? ask(texts.titleTaken(same.slug)) : title
}

/** Makes a page with a name, an address or both. In front of a route a name needs no quotes. */
export function createPage(
  work: PlanState,
  { TITLE, ROUTE }: Partial<Pick<Slots, 'TITLE' | 'ROUTE'>>,
): FormChange {
  if (!TITLE && !ROUTE)
    return ask(texts.missingName, { opening: `${work.message.slice(0, work.end)} called ` })
  // The address belongs to the page, not to its name.
  if (!ROUTE && TITLE?.tokens.some(({ kind }) => kind === 'route')) return undefined
  const text = TITLE && literal(work, { ...TITLE, isLast: TITLE.isLast || ROUTE !== undefined })?.trim()
  if (TITLE && text === undefined) return undefined
  const title = freeTitle(work, text ?? titleFromSlug(ROUTE?.text ?? ''))
  const slug = ROUTE?.text ?? `/${seedFromWords(title)}`
  const { manifest } = work.input
  const hasHero = !manifest || manifest.get('Hero') !== undefined
  const blocks = hasHero ? [newBlock(work, 'Hero', { heading: title })] : []
  return [{ op: 'create_page', page: { slug, title, blocks } }]
}

/** A name changes title and address, an address only the address; the home page keeps its own. */
export function renamePage(work: PlanState, { PAGE, VALUE }: Pick<Slots, 'PAGE' | 'VALUE'>): FormChange {
  const page = one(work, PAGE)
  if (VALUE.tokens.length === 1 && VALUE.tokens[0]?.kind === 'route')
    return [{ op: 'rename_page', ...targetOf(page), newPageSlug: VALUE.text, newTitle: page.name }]
  const title = literal(work, VALUE)
  if (title === undefined) return undefined
  const newTitle = freeTitle(work, title, page)
  const newPageSlug = isPinned(page) ? undefined : `/${seedFromWords(newTitle)}`
  return [{ op: 'rename_page', ...targetOf(page), newTitle, newPageSlug }]
}

/** Sets the label of a page in the menu. */
export function relabel(work: PlanState, { NAME, VALUE }: Pick<Slots, 'NAME' | 'VALUE'>): FormChange {
  const [words, label] = [phraseOf(NAME), literal(work, VALUE)?.trim()]
  const candidates = pagesNamed(work, words)
  if (label === undefined || candidates.length === 0) return undefined
  return labelled(one(work, { words, candidates }), label)
}
