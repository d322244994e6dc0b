import { pagesIn } from '../content/draft-view.ts'
import { effectiveItemFields, isDeclaredList, labelOf } from '../content/fields.ts'
import type { Block, BlockType, FieldMeta, Fields, Page, Props } from '../content/model.ts'
import { navigationOf } from '../content/navigation.ts'
import { isPlainObject, ownValue } from '../content/plain-object.ts'
import { canonicalSlug, home } from '../content/slugs.ts'
import { shortened, wordsIn } from '../content/words.ts'
import { ordinalOf, propsByPhrase, singular, typesNamed } from './names.ts'
import { texts } from './texts.ts'
import { phraseOf, type Token, type Tokens } from './tokens.ts'
import { ask, type Choice, type Work } from './work.ts'

/** A block, or a row of one of its lists. */
export interface Item {
  /** Such as `b_hero_1` or `b_cards_r.cards[2]`. */
  readonly id: string
  readonly slug: string
  readonly block: Block
  readonly type: BlockType | undefined
  readonly fields: Fields
  readonly props: Props
  readonly row?: { readonly listKey: string; readonly index: number; readonly list: FieldMeta }
}

/** A field of a block or row. */
export interface Field {
  readonly item: Item
  readonly name: string
  readonly meta: FieldMeta
  readonly value: unknown
}

/** What words refer to: every candidate, in the order of the page. */
export interface Found<T> {
  /** The words, which also identify the question about them. */
  readonly words: string
  readonly candidates: readonly T[]
}

const found = <T>(tokens: Tokens, candidates: readonly T[] = []): Found<T> => ({
  words: phraseOf(tokens),
  candidates,
})

const mostChoices = 10

/** The only candidate, or the one chosen in an earlier answer; else asks. */
export function one<T extends Item | Field | Page>({ answers }: Work, { words, candidates }: Found<T>): T {
  const [only, ...others] = candidates
  if (!only) return ask(texts.none(words))
  const chosen = candidates.find((each) => choiceFor(each).id === ownValue(answers, words))
  if (chosen || others.length === 0) return chosen ?? only
  const choices = candidates.map(choiceFor)
  const labels = choices.map(({ label }) => label)
  return ask(texts.which(words, labels), { key: words, choices: choices.slice(0, mostChoices) })
}

export function choiceFor(candidate: Item | Field | Page): Choice {
  if ('blocks' in candidate) return { id: candidate.slug, label: candidate.title }
  if ('meta' in candidate) {
    const { item, name, meta } = candidate
    const owner = choiceFor(item)
    return { id: `${owner.id}.${name}`, label: texts.fieldOf(labelOf(name, meta), owner.label) }
  }
  const { id, block, type, row, props } = candidate
  const name = row ? `${labelOf(row.listKey, row.list)} ${row.index + 1}` : (type?.displayName ?? block.type)
  const [title] = textsOf(props)
  return { id, label: title === undefined ? name : texts.titled(name, shortened(title, 60)) }
}

/** The main fields of blocks and rows, in order. */
export const mainFields = ['heading', 'title', 'text', 'quote', 'q', 'question', 'label'] as const

const textsOf = (props: Props): readonly string[] =>
  mainFields
    .map((name) => props[name])
    .filter((value) => typeof value === 'string')
    .filter((value) => value.trim() !== '')

export function blocksOn(work: Work, slug: string): readonly Item[] {
  return (work.draft.page(slug)?.blocks ?? []).map((block) => {
    const type = work.names.types.get(block.type)
    return { id: block.id, slug, block, type, fields: type?.fields ?? {}, props: block.props }
  })
}

export const allBlocks = (work: Work): readonly Item[] =>
  work.draft.order.flatMap((slug) => blocksOn(work, slug))

/** The rows of a block, of one list or of all. */
export function rowsOf(item: Item, only?: string): readonly Item[] {
  const lists = Object.entries(item.type?.fields ?? {}).filter(
    ([listKey, list]) => isDeclaredList(list) && (only === undefined || only === listKey),
  )
  return lists.flatMap(([listKey, list]) => {
    const rows = item.block.props[listKey]
    return (Array.isArray(rows) ? rows : []).flatMap((props: unknown, index) => {
      if (!isPlainObject(props)) return []
      const id = `${item.block.id}.${listKey}[${index}]`
      return [{ ...item, id, fields: effectiveItemFields(list, props), props, row: { listKey, index, list } }]
    })
  })
}

/** The selected block, the selected row of it and the focused field. */
export function selected(work: Work): { readonly block?: Item; readonly row?: Item; readonly field?: Field } {
  const { blockId, path = '' } = work.input.selection
  const block = allBlocks(work).find(({ id }) => id === blockId)
  if (!block) return {}
  const [, inRow, ofRow, ofBlock] = /^(\w+\[\d+\])(?:\.(\w+))?$|^(\w+)$/.exec(path) ?? []
  const row = inRow === undefined ? undefined : rowsOf(block).find(({ id }) => id === `${block.id}.${inRow}`)
  const field = fieldNamed(row ?? block, ofRow ?? ofBlock)
  return { block, ...(row && { row }), ...(field && { field }) }
}

/** A field by its prop name. */
export function fieldNamed(item: Item, name: string | undefined): Field | undefined {
  const meta = name === undefined ? undefined : ownValue(item.fields, name)
  if (name === undefined || !meta || isDeclaredList(meta)) return undefined
  return { item, name, meta, value: ownValue(item.props, name) }
}

/** Whether a pronoun means the selection. After an earlier clause, it may mean what that one changed. */
const isThis = ({ ops }: Work, tokens: Tokens): boolean =>
  ops.length === 0 && tokens.length === 1 && ['this', 'it', 'that'].includes(tokens[0]?.word ?? '')

export const prepositions: ReadonlySet<string> = new Set(['of', 'in', 'on', 'from', 'to', 'for'])

/** The parts before and behind each preposition. */
const splits = (tokens: Tokens): readonly (readonly [part: Tokens, owner: Tokens])[] =>
  tokens.flatMap(({ word }, at) =>
    at > 0 && prepositions.has(word) ? [[tokens.slice(0, at), tokens.slice(at + 1)] as const] : [],
  )

/** A reference without its ordinal and its quoted text, as in `second "Our story" section`. */
function partsOf(tokens: Tokens) {
  const ordinal = ordinalOf(tokens[0])
  const rest = ordinal === undefined ? tokens : tokens.slice(1)
  const at = rest[0]?.kind === 'quoted' ? 0 : rest.length - 1
  const quoted = rest[at]?.kind === 'quoted' ? rest[at] : undefined
  return { ordinal, quoted, rest: quoted ? rest.toSpliced(at, 1) : rest }
}

/** Those with a quoted text, else those that contain it; of these the one at a position. */
function picked(all: readonly Item[], quoted: Token | undefined, position: number | undefined) {
  const wanted = quoted?.text.trim().toLowerCase()
  const having = (fits: (text: string) => boolean) =>
    all.filter(({ props }) => textsOf(props).some((text) => fits(text.trim().toLowerCase())))
  const equal = wanted === undefined ? all : having((text) => text === wanted)
  const chosen = equal.length > 0 || !wanted ? equal : having((text) => text.includes(wanted))
  return position === undefined ? chosen : [chosen.at(position)].filter((each) => each !== undefined)
}

/** Reads items on the page, or behind a preposition those of another page or of a block. */
function readIn(
  work: Work,
  tokens: Tokens,
  read: (work: Work, tokens: Tokens, scope: readonly Item[]) => readonly Item[] | undefined,
): Found<Item> | undefined {
  const here = read(work, tokens, blocksOn(work, work.slug))
  if (here) return found(tokens, here)
  for (const [part, owner] of splits(tokens)) {
    const scope = read(work, part, []) && blocksIn(work, owner)
    if (scope) return found(tokens, read(work, part, scope))
  }
  return undefined
}

/** The blocks of a page, or the blocks that tokens name. */
function blocksIn(work: Work, tokens: Tokens): readonly Item[] | undefined {
  const page = readPage(work, tokens)
  if (page) return page.candidates.flatMap(({ slug }) => blocksOn(work, slug))
  return readBlock(work, tokens)?.candidates
}

/** Reads a block: `hero`, `second section`, `"Our story" section`, `b_hero_1`, `this section`, `hero on /about`. */
export const readBlock = (work: Work, tokens: Tokens): Found<Item> | undefined =>
  readIn(work, tokens, blocksNamed)

function blocksNamed(work: Work, tokens: Tokens, scope: readonly Item[]): readonly Item[] | undefined {
  if (tokens.length === 1 && tokens[0]?.kind === 'id')
    return allBlocks(work).filter(({ id }) => id.toLowerCase() === tokens[0]?.word)
  const isSelected = isThis(work, tokens) && work.input.selection.path === undefined
  if (isSelected || /^(?:this|that|selected) (?:section|block|one)$/.test(phraseOf(tokens)))
    return [selected(work).block].filter((block) => block !== undefined)
  const { ordinal, quoted, rest } = partsOf(tokens)
  const noun = phraseOf(rest)
  const types = typesNamed(work.names, noun)
  const isAny = /^(?:section|block|one)$/.test(noun) && (ordinal !== undefined || quoted !== undefined)
  if (!types && !isAny) return undefined
  const all = scope.filter(({ block, type }) => (types ? types.has(block.type) : !type?.chrome))
  return picked(all, quoted, ordinal)
}

/** The lists that a noun names among some blocks: `card`, `question`. */
export function listsNamed({ names }: Work, noun: string, blocks: readonly Item[]) {
  const lists = names.listsByPhrase.get(noun)
  return (
    lists &&
    blocks.flatMap((item) =>
      Object.keys(item.fields)
        .filter((listKey) => lists.has(`${item.block.type}.${listKey}`))
        .map((listKey) => ({ item, listKey })),
    )
  )
}

/** Reads a row: `third card`, `question 1`, `"Family" card`, `last stat of the second section`, `this`. */
export const readRow = (work: Work, tokens: Tokens): Found<Item> | undefined =>
  readIn(work, tokens, rowsNamed)

function rowsNamed(work: Work, tokens: Tokens, scope: readonly Item[]): readonly Item[] | undefined {
  if (isThis(work, tokens)) {
    const { row } = selected(work)
    return row && [row]
  }
  const { ordinal, quoted, rest } = partsOf(tokens)
  const last = rest.at(-1)
  const number = last?.kind === 'number' ? Number(last.text) - 1 : undefined
  const noun = phraseOf(number === undefined ? rest : rest.slice(0, -1))
  // `the first and second cards` share a plural.
  const lists = listsNamed(work, ordinal === undefined ? noun : singular(noun), scope)
  const position = ordinal ?? (number === -1 ? Infinity : number)
  return lists?.flatMap(({ item, listKey }) => picked(rowsOf(item, listKey), quoted, position))
}

/** Reads a row or a block. */
export function readItem(work: Work, tokens: Tokens): Found<Item> | undefined {
  const [rows, blocks] = [readRow(work, tokens), readBlock(work, tokens)]
  return rows || blocks
    ? found(tokens, [...(rows?.candidates ?? []), ...(blocks?.candidates ?? [])])
    : undefined
}

/** Reads a row or a block, or several of one kind: `the testimonials and the CTA`, `the first and second cards`. */
export function readItems(work: Work, tokens: Tokens): readonly Found<Item>[] | undefined {
  const whole = readItem(work, tokens)
  if (whole) return [whole]
  const [first, and, ...others] = tokens
  if (first && and?.word === 'and' && ordinalOf(first) !== undefined && ordinalOf(others[0]) !== undefined)
    return readAll([[first, ...others.slice(1)], others], (part) => readRow(work, part))
  const parts: Token[][] = [[]]
  for (const token of tokens) {
    if (token.word !== 'and' && token.word !== ',') parts.at(-1)?.push(token)
    else if (parts.at(-1)?.length !== 0) parts.push([])
  }
  return readAll(parts, (part) => readBlock(work, part)) ?? readAll(parts, (part) => readRow(work, part))
}

function readAll<T>(
  parts: readonly Tokens[],
  read: (part: Tokens) => T | undefined,
): readonly T[] | undefined {
  const all = parts.map(read)
  return all.every((each) => each !== undefined) ? all : undefined
}

const heroProps: ReadonlySet<string> = new Set(['heading', 'subheading', 'eyebrow'])

/** Reads a field: `heading`, `hero heading`, `hero's heading`, `title of the second feature`, `this`. */
export function readField(work: Work, tokens: Tokens): Found<Field> | undefined {
  if (isThis(work, tokens)) {
    const { field } = selected(work)
    return field && found(tokens, [field])
  }
  const isName = (part: Tokens) =>
    part.every(({ kind }) => kind === 'word') && work.names.fields.has(phraseOf(part))
  const readings = isName(tokens) ? [fieldsAlone(work, phraseOf(tokens))] : []
  const read = (part: Tokens, owner: Tokens) => {
    const items = isName(part) ? readItem(work, owner)?.candidates : undefined
    if (items) readings.push(fieldsCalled(items, phraseOf(part)))
  }
  for (let at = 1; at < tokens.length; at += 1)
    read(tokens.slice(at), tokens.slice(0, tokens[at - 1]?.word === "'s" ? at - 1 : at))
  for (const [part, owner] of splits(tokens)) read(part, owner)
  if (readings.length === 0) return undefined
  const byId = new Map(readings.flat().map((field) => [choiceFor(field).id, field]))
  return found(tokens, [...byId.values()])
}

/** The fields of some blocks and rows that a name means. */
export const fieldsCalled = (items: readonly Item[], phrase: string): readonly Field[] =>
  items
    .map((item) => fieldNamed(item, propsByPhrase(item.fields).get(phrase)))
    .filter((field) => field !== undefined)

/** A field without its owner: of the selection, of the only hero, or of every block of the page that has it. */
function fieldsAlone(work: Work, phrase: string): readonly Field[] {
  const { row, block } = selected(work)
  const ofSelection = fieldsCalled(row && block ? [row, block] : block ? [block] : [], phrase)
  if (ofSelection.length > 0) return ofSelection.slice(0, 1)
  // Every field is a text.
  if (phrase === 'text') return []
  const all = fieldsCalled(blocksOn(work, work.slug), phrase)
  const heroes = all.filter(({ item, name }) => item.block.type === 'Hero' && heroProps.has(name))
  return heroes.length === 1 && phrase !== 'title' ? heroes : all
}

/** Reads a page: `/about`, `this page`, `home page`, `about us page`. A page that does not exist has no candidates. */
export function readPage(work: Work, tokens: Tokens): Found<Page> | undefined {
  const [first, second] = tokens
  const phrase = phraseOf(tokens)
  const at = (slug = '') =>
    found(
      tokens,
      [work.draft.page(slug)].filter((page) => page !== undefined),
    )
  const address =
    tokens.length === 1 ? first : tokens.length === 2 && first?.word === 'page' ? second : undefined
  if (address?.kind === 'route') return at(canonicalSlug(address.text))
  if (address?.kind === 'quoted' && address === second) return found(tokens, pagesNamed(work, address.text))
  if (phrase === 'this page' || phrase === 'current page') return at(work.slug)
  if (/^home ?page$/.test(phrase)) return at(home)
  const name = tokens.slice(0, -1)
  const isName =
    tokens.at(-1)?.word === 'page' &&
    name.length > 0 &&
    ordinalOf(first) === undefined &&
    name.every(({ kind, word }) => kind !== 'sign' && kind !== 'route' && !prepositions.has(word))
  return isName ? found(tokens, pagesNamed(work, phraseOf(name))) : undefined
}

/** The pages with a title, a menu label or an address of these words. */
export function pagesNamed({ draft, input }: Work, name: string): readonly Page[] {
  const plain = (text = '') => wordsIn(text).join(' ')
  const { items } = navigationOf({ slugs: draft.order, config: draft.config, siteId: input.siteId })
  const links = items.flatMap((item) => ('children' in item ? item.children : [item]))
  const labels = new Map(links.map(({ slug, label }) => [slug, label]))
  const wanted = plain(name)
  return pagesIn(draft).filter(
    ({ slug, title }) => wanted !== '' && [title, labels.get(slug), slug].map(plain).includes(wanted),
  )
}

/** Where something goes. */
export type Destination =
  | { readonly where: 'front' | 'end' | 'up' | 'down' }
  | { readonly where: 'before' | 'after'; readonly anchor: Tokens }

const places = [
  [/^(?:(?:at|to|on) )?(?:top|start|beginning|front)(?: of (?:this )?page)?$/, 'front'],
  [/^(?:(?:at|to) )?(?:bottom|end)(?: of (?:this )?page)?$/, 'end'],
  [/^(?:(?:at|to|in) )?first(?: position| place)?$/, 'front'],
  [/^(?:(?:at|to|in) )?last(?: position| place)?$/, 'end'],
  [/^up(?: one place)?$/, 'up'],
  [/^down(?: one place)?$/, 'down'],
] as const

/** Reads a destination: `to the top`, `last`, `up`, `below the hero`. */
export function readDestination(_work: Work, tokens: Tokens): Destination | undefined {
  const [, where] = places.find(([pattern]) => pattern.test(phraseOf(tokens))) ?? []
  if (where) return { where }
  const [first, ...anchor] = tokens
  if (anchor.length === 0) return undefined
  if (/^(?:before|above)$/.test(first?.word ?? '')) return { where: 'before', anchor }
  return /^(?:after|below|under|behind)$/.test(first?.word ?? '') ? { where: 'after', anchor } : undefined
}

/** The index of a destination among ordered ids without the moved one. Asks if it is beside itself. */
export function positionIn(
  order: readonly string[],
  destination: Destination,
  read: (anchor: Tokens) => { readonly id: string } | undefined,
  moved?: string,
): number {
  const others = order.filter((id) => id !== moved)
  const now = moved === undefined ? others.length : order.indexOf(moved)
  if ('anchor' in destination) {
    const at = others.indexOf((read(destination.anchor) ?? ask(texts.none(phraseOf(destination.anchor)))).id)
    return (at < 0 ? ask(texts.besideItself) : at) + (destination.where === 'after' ? 1 : 0)
  }
  const { where } = destination
  return { front: 0, end: others.length, up: Math.max(now - 1, 0), down: Math.min(now + 1, others.length) }[
    where
  ]
}
