/** Forms that add, remove, move and copy blocks and rows. */
import { authorityOf } from '../../content/authority.ts'
import { engineBlockId } from '../../content/block-ids.ts'
import { isPolymorphic, requiredProps } from '../../content/fields.ts'
import type { Block, Fields, Props } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import { itemSchemaOf } from '../../content/props-schema.ts'
import { type Change, form, type Form, type Readings } from '../match.ts'
import { propsByPhrase, typesNamed } from '../names.ts'
import {
  blocksOn,
  type Found,
  type Item,
  listsNamed,
  mainFields,
  one,
  type Destination,
  positionIn,
  readBlock,
  readItem,
  readRow,
  rowsOf,
} from '../references.ts'
import { texts } from '../texts.ts'
import { phraseOf, type Token, type Tokens } from '../tokens.ts'
import { readValue, targetOf, type Value, valueFor } from '../values.ts'
import { ask, latestChange, type Work } from '../work.ts'

/** A block with the content of its type. Asks if the site does not have the type, or pins it. */
export function newBlock(work: Work, type: string, content: Props = {}): Block {
  const authority = authorityOf(type, work.input)
  const { blockType } = authority.ok ? authority : ask(texts.typeNotHere(type))
  if (blockType.chrome) ask(texts.pinned(blockType.displayName))
  const id = engineBlockId(type, latestChange(work.input.draft.pages), work.draft.hasBlockId)
  return { id, type, props: { ...blockType.starter(), ...content } }
}

/** The types that blocks can be added of. */
export const addable = ({ input: { manifest, registry } }: Work) =>
  (manifest ?? registry).types().filter(({ chrome }) => !chrome)

const adding =
  'add|insert|create NAME [called|named|titled VALUE] [PLACE] [with CONTENT] [by AUTHOR] [to|in|on BLOCK] [to|in|on PAGE]'
type Adding = Readings<typeof adding>

/** Adds a row, if the page or the block has a list of such rows; else a block. */
function add(work: Work, { NAME, VALUE, BLOCK, PAGE, ...more }: Adding): Change {
  const words = NAME[0]?.word === 'another' ? NAME.slice(1) : NAME
  const quoted = words.at(-1)?.kind === 'quoted' ? words.slice(-1) : []
  const noun = phraseOf(words.slice(0, words.length - quoted.length))
  const title = quoted.length > 0 ? readValue(work, quoted) : VALUE
  if (VALUE && title !== VALUE) return undefined
  const slug = PAGE ? one(work, PAGE).slug : work.slug
  const lists = listsNamed(work, noun, BLOCK ? [one(work, BLOCK)] : blocksOn(work, slug))
  if (lists && lists.length > 0) {
    const item = one(work, { words: noun, candidates: lists.map((list) => list.item) })
    return addRow(work, item, lists[0]?.listKey ?? '', { title, ...more })
  }
  const [type] = typesNamed(work.names, noun) ?? []
  if (type !== undefined && !BLOCK) return addBlock(work, slug, type, { title, ...more })
  return lists && ask(texts.noList(noun))
}

interface Content extends Pick<Adding, 'CONTENT' | 'AUTHOR' | 'PLACE'> {
  readonly title?: Value | undefined
}

function addRow(work: Work, item: Item, listKey: string, { title, AUTHOR, CONTENT, PLACE }: Content): Change {
  const list = item.fields[listKey]
  if (!list || PLACE) return undefined
  if (isPolymorphic(list)) ask(texts.kindOfRow)
  const fields = list.itemFields ?? {}
  const content = [
    contentFor(work, fields, ['value', ...mainFields, 'caption'], title),
    contentFor(work, fields, ['author'], AUTHOR),
    contentOf(work, fields, CONTENT),
  ]
  if (content.includes(undefined)) return undefined
  const schema = itemSchemaOf(item.type?.propsSchema.properties?.[listKey]) ?? {}
  const props: Props = Object.assign({}, requiredProps(fields, schema), ...content)
  return [{ op: 'add_item', ...targetOf(item), listKey, item: props, afterIndex: undefined }]
}

function addBlock(
  work: Work,
  pageSlug: string,
  type: string,
  { title, AUTHOR, CONTENT, PLACE }: Content,
): Change {
  const fields = work.names.types.get(type)?.fields ?? {}
  const [titled, content] = [contentFor(work, fields, mainFields, title), contentOf(work, fields, CONTENT)]
  if (!titled || !content || AUTHOR) return undefined
  const block = newBlock(work, type, { ...titled, ...content })
  const anchor = PLACE && anchorFor(work, pageSlug, PLACE)
  const added: Operation = { op: 'add_block', pageSlug, block, afterBlockId: anchor ?? undefined }
  if (anchor !== null) return [added]
  return [added, { op: 'move_block', pageSlug, blockId: block.id, afterBlockId: undefined }]
}

const connectors: ReadonlySet<string> = new Set(['to', 'as', ':', ',', 'and', 'with'])

/** Reads `title "A", text "B" and link /c` as props; `undefined` if it is anything else. */
function contentOf(work: Work, fields: Fields, tokens: Tokens = []): Props | undefined {
  const names = propsByPhrase(fields)
  const content: Record<string, unknown> = {}
  let name: Token[] = []
  for (const token of tokens) {
    if (token.kind === 'word' || token.kind === 'sign') {
      if (!connectors.has(token.word)) name.push(token)
      continue
    }
    const prop = names.get(phraseOf(name)) ?? ''
    if (Object.hasOwn(content, prop)) return undefined
    const set = contentFor(work, fields, [prop], readValue(work, [token]))
    if (!set) return undefined
    Object.assign(content, set)
    name = []
  }
  return name.length > 0 ? undefined : content
}

/** Sets the first of some fields that a new block or row has; `undefined` if it has none of them. */
function contentFor(work: Work, fields: Fields, names: readonly string[], value?: Value): Props | undefined {
  if (!value) return {}
  const name = names.find((each) => Object.hasOwn(fields, each)) ?? ''
  const meta = fields[name]
  const wanted = meta && valueFor(work, { name, meta }, value)
  return wanted === undefined ? undefined : { [name]: wanted }
}

const isMovable = ({ type }: Item): boolean => !type?.chrome

/**
 * The block that a place is right after; `null` for the first place, and `undefined` for the end of the page.
 *
 * The bottom is above a pinned footer, and the top below a pinned header.
 */
function anchorFor(
  work: Work,
  slug: string,
  destination: Destination,
  moved?: string,
): string | null | undefined {
  const all = blocksOn(work, slug)
  const movable = all.filter(isMovable).map(({ id }) => id)
  const read = (anchor: Tokens) => {
    const block = readBlock({ ...work, slug }, anchor)
    return block && one(work, block)
  }
  const position = positionIn(movable, destination, read, moved)
  const others = movable.filter((id) => id !== moved)
  if (moved === undefined && position === others.length && all.at(-1)?.type?.chrome !== true) return undefined
  return others[position - 1] ?? all[all.findIndex(isMovable) - 1]?.id ?? null
}

function refusePinned({ type, block }: Item): void {
  if (type?.chrome) ask(texts.pinned(type.displayName ?? block.type))
}

const rowsBeside = (item: Item): readonly Item[] => rowsOf(item, item.row?.listKey)
const isSameList = (a: Item, b: Item): boolean =>
  a.block.id === b.block.id && a.row?.listKey === b.row?.listKey

function moveRow(item: Item, listKey: string, index: number, to: number): Change {
  const afterIndex = to === 0 ? undefined : to < index ? to - 1 : to
  return to === index ? [] : [{ op: 'move_item', ...targetOf(item), listKey, index, afterIndex }]
}

function move(work: Work, item: Item, destination: Destination): Change {
  const { row, slug, id } = item
  if (row) {
    const read = (anchor: Tokens) => {
      const other = readRow(work, anchor)
      return other && one(work, other)
    }
    const order = rowsBeside(item).map((each) => each.id)
    return moveRow(item, row.listKey, row.index, positionIn(order, destination, read, id))
  }
  refusePinned(item)
  const afterBlockId = anchorFor(work, slug, destination, id) ?? undefined
  const ids = blocksOn(work, slug).map((each) => each.id)
  if (afterBlockId === ids[ids.indexOf(id) - 1]) return []
  return [{ op: 'move_block', ...targetOf(item), afterBlockId }]
}

function swap(work: Work, [a, b, ...more]: readonly Item[]): Change {
  if (!a || !b || more.length > 0 || a.id === b.id || a.slug !== b.slug || !a.row !== !b.row) return undefined
  if (a.row && b.row) {
    if (!isSameList(a, b)) return undefined
    const { listKey } = a.row
    const [first, last] = [Math.min(a.row.index, b.row.index), Math.max(a.row.index, b.row.index)]
    return [...(moveRow(a, listKey, first, last) ?? []), ...(moveRow(a, listKey, last - 1, first) ?? [])]
  }
  ;[a, b].forEach(refusePinned)
  const ids = blocksOn(work, a.slug).map(({ id }) => id)
  const [first, last] = ids.indexOf(a.id) < ids.indexOf(b.id) ? [a, b] : [b, a]
  const down = { op: 'move_block', ...targetOf(first), afterBlockId: last.id } as const
  if (ids.indexOf(last.id) === ids.indexOf(first.id) + 1) return [down]
  return [down, { op: 'move_block', ...targetOf(last), afterBlockId: ids[ids.indexOf(first.id) - 1] }]
}

/** Copies a block, or a row right behind it, without its key. */
function copy(item: Item, toPageSlug: string | undefined): Change {
  if (item.row) {
    const { id: _id, _key, ...props } = item.props
    const { listKey, index } = item.row
    return toPageSlug === undefined
      ? [{ op: 'add_item', ...targetOf(item), listKey, item: props, afterIndex: index }]
      : undefined
  }
  refusePinned(item)
  const to = toPageSlug === item.slug ? undefined : toPageSlug
  const left = { newBlockId: undefined, afterBlockId: undefined }
  return [{ op: 'duplicate_block', ...targetOf(item), ...left, toPageSlug: to }]
}

/** Removes later rows of a list first, so that the positions of earlier ones stay. */
function remove(work: Work, { ITEMS }: { readonly ITEMS: readonly Found<Item>[] }): Change {
  const items = ITEMS.map((found) => one(work, found))
  if (new Set(items.map(({ id }) => id)).size < items.length) return undefined
  return items
    .toSorted((a, b) => (b.row?.index ?? 0) - (a.row?.index ?? 0))
    .map((item): Operation => {
      refusePinned(item)
      if (!item.row) return { op: 'remove_block', ...targetOf(item) }
      const { listKey, index } = item.row
      if (rowsBeside(item).length <= items.filter((each) => isSameList(each, item)).length) ask(texts.lastRow)
      return { op: 'remove_item', ...targetOf(item), listKey, index }
    })
}

export const itemForms: readonly Form[] = [
  form(
    adding,
    add,
    `/: Add an FAQ => +block FAQAccordion end on /
    /: add a stats section at the top => +block Stats front on /
    /: Insert a testimonials section after the feature grid => +block Testimonials after b_feat_1 on /
    /: add an FAQ to the about us page => +block FAQAccordion end on /about
    /rentals: Add a CTA at the end with title "Questions?", button text "Write to us" and link mailto:hi@example.org => +block CTA {title: "Questions?", ctaText: "Write to us", ctaHref: "mailto:hi@example.org"} end on /rentals
    /rentals: add a rich text section titled "Opening hours" => +block RichText {title: "Opening hours"} end on /rentals
    /: add a tab => CLARIFY
    /: add another feature called "Hot cocoa" => +item b_feat_1.features {title: "Hot cocoa"}
    /rentals: Add a question "Is parking free?" with the answer "Yes, behind the boathouse." => +item b_faq_r.items {q: "Is parking free?", a: "Yes, behind the boathouse."}
    /rentals: Add a card titled "Canoe" with description "Open and stable." and link /rentals => +item b_cards_r.cards {title: "Canoe", description: "Open and stable.", ctaHref: "/rentals"}
    /: add a testimonial "Loved it" by Carla => +item b_quotes_1.items {quote: "Loved it", author: "Carla"}`,
  ),
  form(
    'add|insert|create section|block [PLACE]',
    (work) => ask(texts.missingType(addable(work).map(({ displayName }) => displayName))),
    '/: add a section => CLARIFY',
  ),
  form(
    'put NAME PLACE',
    (work, { NAME, PLACE }) => {
      if (/^an?$/.test(NAME[0]?.article ?? '')) return add(work, { NAME, PLACE })
      const item = readItem(work, NAME)
      return item && move(work, one(work, item), PLACE)
    },
    `/rentals: put a CTA at the bottom => +block CTA end on /rentals
    /: put the feature grid above the CTA => mv b_feat_1 after b_quotes_1`,
  ),
  form(
    'remove|delete|drop ITEMS',
    remove,
    `/: Remove the feature grid => -block b_feat_1
    /: delete the second section => -block b_feat_1
    /: drop the testimonials and the CTA => -block b_quotes_1; -block b_cta_1
    /: remove the rich text => CLARIFY
    / b_cta_1: remove this section => -block b_cta_1
    /: delete it => CLARIFY
    /: remove the gallery => CLARIFY
    /: remove the hero from /about => -block b_hero_a
    /rentals: remove the hero and add a banner at the top => -block b_hero_r; +block Banner front on /rentals
    /: Can you remove the testimonials? => -block b_quotes_1
    /rentals: Remove the second question => -item b_faq_r.items[1]
    /rentals: delete the "Family" card => -item b_cards_r.cards[2]
    /: remove the last testimonial => -item b_quotes_1.items[1]
    /rentals: remove the question => CLARIFY`,
  ),
  form('get rid of ITEMS', remove, '/: get rid of the "Safety first" section => -block b_text_2'),
  form(
    'move ITEM PLACE',
    (work, { ITEM, PLACE }) => move(work, one(work, ITEM), PLACE),
    `/: Move the CTA to the top => mv b_cta_1 front
    /: move the testimonials below the hero => mv b_quotes_1 after b_hero_1
    /: move the hero up => NOOP
    /rentals: Move the third card to the top => mvitem b_cards_r.cards[2] front`,
  ),
  form(
    'move|put ITEM',
    (work, { ITEM }) => (one(work, ITEM), ask(texts.missingPlace, { joint: ' ' })),
    '/: move the CTA => CLARIFY',
  ),
  form(
    'swap ITEMS',
    (work, { ITEMS }) =>
      swap(
        work,
        ITEMS.map((found) => one(work, found)),
      ),
    `/: swap the testimonials and the feature grid => mv b_feat_1 after b_quotes_1; mv b_quotes_1 after b_hero_1
    /rentals: swap the first and second cards => mvitem b_cards_r.cards[0] after 1`,
  ),
  form(
    'duplicate|copy ITEM [to PAGE]',
    (work, { ITEM, PAGE }) => copy(one(work, ITEM), PAGE && one(work, PAGE).slug),
    `/: Duplicate the feature grid => dup b_feat_1
    /rentals: duplicate the "Double" card => +item b_cards_r.cards {title: "Double", description: "For two.", ctaText: "Rent", ctaHref: "/rentals"} after 1`,
  ),
]
