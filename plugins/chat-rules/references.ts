import { pagesIn } from '../content/draft-view.ts'
import { effectiveItemFields, isDeclaredList, labelOf } from '../content/fields.ts'
import type { Fields, Page, Props } from '../content/model.ts'
import { isPlainObject, ownValue } from '../content/plain-object.ts'
import { canonicalSlug, home } from '../content/slugs.ts'
import { navigationOf } from '../content/navigation.ts'
import { isFieldName, ordinalOf, propsByPhrase, singular, typesNamed } from './names.ts'
import { texts } from './texts.ts'
import { phraseOf, type Token } from './tokens.ts'
import {
  allBlocks,
  ask,
  type BlockAt,
  blocksOn,
  type Choice,
  type FieldAt,
  type RowAt,
  type Work,
} from './work.ts'

type Tokens = readonly Token[]

/** What words refer to: every candidate, in the order of the page. */
export interface Found<T> {
  /** The words, which also identify the question about them. */
  readonly words: string
  readonly candidates: readonly T[]
}

const found = <T>(tokens: Tokens, candidates: readonly T[]): Found<T> => ({
  words: phraseOf(tokens),
  candidates,
})

const mostChoices = 10

/** The only candidate, or the one chosen in an earlier answer; else asks. */
export function one<T extends BlockAt | RowAt | FieldAt | Page>(
  { answers }: Work,
  { words, candidates }: Found<T>,
): T {
  const [only, ...others] = candidates
  if (!only) return ask(texts.none(words))
  if (others.length === 0) return only
  const answered = candidates.find((candidate) => choiceFor(candidate).id === ownValue(answers, words))
  if (answered) return answered
  const choices = candidates.map(choiceFor)
  return ask(
    texts.which(
      words,
      choices.map(({ label }) => label),
    ),
    { key: words, choices: choices.slice(0, mostChoices) },
  )
}

/** A candidate as a choice: `b_hero_1`, `b_cards_r.cards[2]`, `b_cards_r.cards[2].title`, or a slug. */
export function choiceFor(candidate: BlockAt | RowAt | FieldAt | Page): Choice {
  if ('blocks' in candidate) return { id: candidate.slug, label: candidate.title }
  if ('meta' in candidate) {
    const owner = choiceFor(candidate.at)
    return {
      id: `${owner.id}.${candidate.name}`,
      label: texts.fieldOf(labelOf(candidate.name, candidate.meta), owner.label),
    }
  }
  const { block, type } = candidate
  const label = labelled(type?.displayName ?? block.type, block.props)
  if (!('listKey' in candidate)) return { id: block.id, label }
  const { listKey, index, row, list } = candidate
  return {
    id: `${block.id}.${listKey}[${index}]`,
    label: labelled(`${labelOf(listKey, list)} ${index + 1}`, row),
  }
}

const longestTitle = 60

function labelled(name: string, props: Props): string {
  const title = textsOf(props)[0]
  return title === undefined
    ? name
    : texts.titled(name, title.length > longestTitle ? `${title.slice(0, longestTitle - 1)}…` : title)
}

/** The main fields of blocks and rows, in order. */
export const mainFields = ['heading', 'title', 'text', 'quote', 'q', 'question', 'label'] as const

const textsOf = (props: Props): readonly string[] =>
  mainFields
    .map((name) => props[name])
    .filter((value) => typeof value === 'string')
    .filter((value) => value.trim() !== '')

const same = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase()

/** Those that have a quoted text; else those that contain it. */
function withText<T>(all: readonly T[], quoted: Token | undefined, propsOf: (one: T) => Props): readonly T[] {
  if (!quoted) return all
  const equal = all.filter((one) => textsOf(propsOf(one)).some((text) => same(text, quoted.text)))
  const part = quoted.text.trim().toLowerCase()
  if (equal.length > 0 || part === '') return equal
  return all.filter((one) => textsOf(propsOf(one)).some((text) => text.toLowerCase().includes(part)))
}

/** Whether a pronoun means the selection. After an earlier clause, it may mean what that one changed. */
const isThis = ({ ops }: Work, tokens: Tokens): boolean =>
  ops.length === 0 && tokens.length === 1 && ['this', 'it', 'that'].includes(tokens[0]?.word ?? '')
export const prepositions: ReadonlySet<string> = new Set(['of', 'in', 'on', 'from', 'to', 'for'])

/** The first part before a preposition that reads as one thing, with the part behind it that reads as its owner. */
function split<A, B>(
  tokens: Tokens,
  readPart: (part: Tokens) => A | undefined,
  readOwner: (owner: Tokens) => B | undefined,
) {
  for (const [at, { word }] of tokens.entries()) {
    if (at === 0 || !prepositions.has(word)) continue
    const part = readPart(tokens.slice(0, at))
    const owner = part === undefined ? undefined : readOwner(tokens.slice(at + 1))
    if (part !== undefined && owner !== undefined) return { part, owner }
  }
  return undefined
}

/** A quoted text at the start or the end, and the tokens beside it. */
function withoutQuote(tokens: Tokens): { readonly quoted: Token | undefined; readonly rest: Tokens } {
  if (tokens[0]?.kind === 'quoted') return { quoted: tokens[0], rest: tokens.slice(1) }
  if (tokens.at(-1)?.kind === 'quoted') return { quoted: tokens.at(-1), rest: tokens.slice(0, -1) }
  return { quoted: undefined, rest: tokens }
}

const units: ReadonlySet<string> = new Set(['section', 'block', 'one'])

/** Reads a block: `hero`, `second section`, `"Our story" section`, `b_hero_1`, `this section`, `hero on /about`. */
export function readBlock(work: Work, tokens: Tokens): Found<BlockAt> | undefined {
  const here = blocksNamed(work, tokens, (work) => blocksOn(work, work.slug))
  if (here) return here
  const owned = split(
    tokens,
    (part) => (blocksNamed(work, part, () => []) ? part : undefined),
    (page) => readPage(work, page),
  )
  if (!owned) return undefined
  const slugs = owned.owner.candidates.map(({ slug }) => slug)
  const there = blocksNamed(work, owned.part, (work) => slugs.flatMap((slug) => blocksOn(work, slug)))
  return there && { words: phraseOf(tokens), candidates: there.candidates }
}

function blocksNamed(
  work: Work,
  tokens: Tokens,
  scope: (work: Work) => readonly BlockAt[],
): Found<BlockAt> | undefined {
  const { blockId, path } = work.input.selection
  if (tokens.length === 1 && tokens[0]?.kind === 'id') {
    return found(
      tokens,
      allBlocks(work).filter(({ block }) => block.id.toLowerCase() === tokens[0]?.word),
    )
  }
  const isSelected =
    (isThis(work, tokens) && path === undefined) ||
    /^(?:this|that|selected) (?:section|block|one)$/.test(phraseOf(tokens))
  if (isSelected)
    return found(
      tokens,
      allBlocks(work).filter(({ block }) => block.id === blockId),
    )
  const ordinal = ordinalOf(tokens[0])
  const { quoted, rest } = withoutQuote(ordinal === undefined ? tokens : tokens.slice(1))
  const hasUnit = units.has(rest.at(-1)?.word ?? '')
  const name = phraseOf(rest)
  const types =
    typesNamed(work.names, name) ??
    (hasUnit ? typesNamed(work.names, phraseOf(rest.slice(0, -1))) : undefined)
  const isAny = hasUnit && rest.length === 1 && (ordinal !== undefined || quoted !== undefined)
  if (!types && !isAny) return undefined
  const all = scope(work).filter(({ block, type }) => (types ? types.includes(block.type) : !type?.chrome))
  const named = withText(all, quoted, ({ block }) => block.props)
  return found(tokens, nth(named, ordinal))
}

function nth<T>(all: readonly T[], ordinal: number | undefined): readonly T[] {
  if (ordinal === undefined) return all
  const only = all.at(ordinal)
  return only === undefined ? [] : [only]
}

/** Reads several blocks: `the testimonials and the CTA`. */
export function readBlocks(work: Work, tokens: Tokens): readonly Found<BlockAt>[] | undefined {
  return listOf(tokens, (part) => readBlock(work, part))
}

function listOf<T>(tokens: Tokens, read: (part: Tokens) => T | undefined): readonly T[] | undefined {
  const whole = read(tokens)
  if (whole !== undefined) return [whole]
  for (const [at, { word }] of tokens.entries()) {
    if (word !== 'and' && word !== ',') continue
    const first = read(tokens.slice(0, at))
    const others =
      first === undefined
        ? undefined
        : listOf(tokens.slice(tokens[at + 1]?.word === 'and' ? at + 2 : at + 1), read)
    if (first !== undefined && others) return [first, ...others]
  }
  return undefined
}

/** The rows of the lists of a block. */
export function rowsOf(at: BlockAt, keys?: readonly string[]): readonly RowAt[] {
  return Object.entries(at.type?.fields ?? {}).flatMap(([listKey, list]) => {
    const rows = at.block.props[listKey]
    if (!isDeclaredList(list) || !Array.isArray(rows) || (keys && !keys.includes(listKey))) return []
    return rows.flatMap((row, index) => (isPlainObject(row) ? [{ ...at, listKey, index, row, list }] : []))
  })
}

/** The lists that a noun names among some blocks: `card`, `question`. */
export function listsNamed({ names }: Work, noun: string, blocks: readonly BlockAt[]) {
  const lists = names.listsByPhrase.get(noun)
  return (
    lists &&
    blocks.flatMap((at) => {
      const keys = lists.filter(({ type }) => type === at.block.type).map(({ listKey }) => listKey)
      return keys.map((listKey) => ({ at, listKey }))
    })
  )
}

/** Reads a row: `third card`, `question 1`, `"Family" card`, `last stat of the second section`, `this`. */
export function readRow(work: Work, tokens: Tokens): Found<RowAt> | undefined {
  if (isThis(work, tokens)) {
    const row = selectedRow(work)
    return row && found(tokens, [row])
  }
  const here = rowsNamed(work, tokens, blocksOn(work, work.slug))
  if (here) return found(tokens, here)
  const owned = split(
    tokens,
    (part) => (rowsNamed(work, part, []) ? part : undefined),
    (owner) => blocksOf(work, owner),
  )
  return owned && found(tokens, rowsNamed(work, owned.part, owned.owner) ?? [])
}

/** The blocks of a page, or the blocks that tokens name. */
function blocksOf(work: Work, tokens: Tokens): readonly BlockAt[] | undefined {
  const page = readPage(work, tokens)
  return page
    ? page.candidates.flatMap(({ slug }) => blocksOn(work, slug))
    : readBlock(work, tokens)?.candidates
}

function rowsNamed(work: Work, tokens: Tokens, blocks: readonly BlockAt[]): readonly RowAt[] | undefined {
  const ordinal = ordinalOf(tokens[0])
  const { quoted, rest } = withoutQuote(ordinal === undefined ? tokens : tokens.slice(1))
  const number = rest.at(-1)?.kind === 'number' ? Number(rest.at(-1)?.text) - 1 : undefined
  const noun = phraseOf(number === undefined ? rest : rest.slice(0, -1))
  // `the first and second cards` share a plural.
  const lists = listsNamed(work, ordinal === undefined ? noun : singular(noun), blocks)
  if (!lists) return undefined
  return lists.flatMap(({ at, listKey }) =>
    nth(
      withText(rowsOf(at, [listKey]), quoted, ({ row }) => row),
      number === -1 ? Infinity : (ordinal ?? number),
    ),
  )
}

/** Reads two rows that share a noun, or several rows: `the first and second cards`. */
export function readRows(work: Work, tokens: Tokens): readonly Found<RowAt>[] | undefined {
  const at = tokens.findIndex(({ word }) => word === 'and')
  const isShared = at === 1 && ordinalOf(tokens[0]) !== undefined && ordinalOf(tokens[2]) !== undefined
  if (!isShared) return listOf(tokens, (part) => readRow(work, part))
  const [first, second] = [
    readRow(work, [...tokens.slice(0, 1), ...tokens.slice(3)]),
    readRow(work, tokens.slice(2)),
  ]
  return first && second && [first, second]
}

/** The parts of a path such as `heading` or `cards[1].title`. */
export function partsOf(path = ''): {
  readonly listKey?: string
  readonly index?: number
  readonly name?: string | undefined
} {
  const [, listKey, index, name] = /^(\w+)\[(\d+)\](?:\.(\w+))?$/.exec(path) ?? []
  return listKey === undefined ? { name: path || undefined } : { listKey, index: Number(index), name }
}

export function selectedBlock(work: Work): BlockAt | undefined {
  return allBlocks(work).find(({ block }) => block.id === work.input.selection.blockId)
}

export function selectedRow(work: Work): RowAt | undefined {
  const { listKey, index } = partsOf(work.input.selection.path)
  const at = selectedBlock(work)
  return at && listKey !== undefined ? rowsOf(at, [listKey]).find((row) => row.index === index) : undefined
}

/** The fields of a block or of a row. */
export function fieldsOf(at: BlockAt | RowAt): Fields {
  return 'listKey' in at ? effectiveItemFields(at.list, at.row) : (at.type?.fields ?? {})
}

/** A field by its prop name. */
export function fieldNamed(at: BlockAt | RowAt, name: string | undefined): FieldAt | undefined {
  const meta = name === undefined ? undefined : ownValue(fieldsOf(at), name)
  if (name === undefined || !meta || isDeclaredList(meta)) return undefined
  return { at, name, meta, value: ownValue('listKey' in at ? at.row : at.block.props, name) }
}

const fieldCalled = (at: BlockAt | RowAt, phrase: string): FieldAt | undefined =>
  fieldNamed(at, propsByPhrase(fieldsOf(at)).get(phrase))
const fieldsCalled = (owners: readonly (BlockAt | RowAt)[], phrase: string) =>
  owners.map((at) => fieldCalled(at, phrase)).filter((field) => field !== undefined)

export function focusedField(work: Work): FieldAt | undefined {
  const at = selectedRow(work) ?? selectedBlock(work)
  return at && fieldNamed(at, partsOf(work.input.selection.path).name)
}

/** Reads a field: `heading`, `hero heading`, `hero's heading`, `title of the second feature`, `this`. */
export function readField(work: Work, tokens: Tokens): Found<FieldAt> | undefined {
  if (isThis(work, tokens)) {
    const focused = focusedField(work)
    return focused && found(tokens, [focused])
  }
  const isName = (part: Tokens) => isFieldName(work.names, part)
  const readings: (readonly FieldAt[])[] = isName(tokens) ? [fieldsAlone(work, phraseOf(tokens))] : []
  for (let at = 1; at < tokens.length; at += 1) {
    const owner = tokens[at - 1]?.word === "'s" ? tokens.slice(0, at - 1) : tokens.slice(0, at)
    const owners = isName(tokens.slice(at)) ? ownersNamed(work, owner) : undefined
    if (owners) readings.push(fieldsCalled(owners, phraseOf(tokens.slice(at))))
  }
  const owned = split(
    tokens,
    (part) => (isName(part) ? phraseOf(part) : undefined),
    (owner) => ownersNamed(work, owner),
  )
  if (owned) readings.push(fieldsCalled(owned.owner, owned.part))
  if (readings.length === 0) return undefined
  const byId = new Map(readings.flat().map((field) => [choiceFor(field).id, field]))
  return found(tokens, [...byId.values()])
}

function ownersNamed(work: Work, tokens: Tokens): readonly (BlockAt | RowAt)[] | undefined {
  const [rows, blocks] = [readRow(work, tokens), readBlock(work, tokens)]
  return rows || blocks ? [...(rows?.candidates ?? []), ...(blocks?.candidates ?? [])] : undefined
}

const heroProps: ReadonlySet<string> = new Set(['heading', 'subheading', 'eyebrow'])

/** A field without its owner: of the selection, of the only hero, or of every block of the page that has it. */
function fieldsAlone(work: Work, phrase: string): readonly FieldAt[] {
  const selected = [selectedRow(work), selectedBlock(work)].filter((at) => at !== undefined)
  const [ofSelection] = fieldsCalled(selected, phrase)
  if (ofSelection) return [ofSelection]
  // Every field is a text.
  if (phrase === 'text') return []
  const all = fieldsCalled(blocksOn(work, work.slug), phrase)
  const heroes = all.filter(({ at, name }) => at.block.type === 'Hero' && heroProps.has(name))
  return heroes.length === 1 && phrase !== 'title' ? heroes : all
}

/** Reads a page: `/about`, `this page`, `home page`, `about us page`. A page that does not exist has no candidates. */
export function readPage(work: Work, tokens: Tokens): Found<Page> | undefined {
  const [first] = tokens
  const phrase = phraseOf(tokens)
  const page = (slug: string | undefined): Found<Page> => {
    const known = slug === undefined ? undefined : work.draft.page(slug)
    return found(tokens, known ? [known] : [])
  }
  const route =
    tokens.length === 2 && first?.word === 'page' ? tokens[1] : tokens.length === 1 ? first : undefined
  if (route?.kind === 'route') return page(canonicalSlug(route.text))
  if (phrase === 'this page' || phrase === 'current page') return page(work.slug)
  if (/^home ?page$/.test(phrase)) return page(home)
  if (first?.word === 'page' && route?.kind === 'quoted') return found(tokens, pagesNamed(work, route.text))
  const name = tokens.slice(0, -1)
  const isName =
    name.length > 0 &&
    name.every(({ kind, word }) => kind !== 'sign' && kind !== 'route' && !prepositions.has(word))
  if (tokens.at(-1)?.word !== 'page' || !isName || ordinalOf(first) !== undefined) return undefined
  return found(tokens, pagesNamed(work, phraseOf(name)))
}

/** The pages with a title, a menu label or an address of these words. */
export function pagesNamed({ draft, input }: Work, name: string): readonly Page[] {
  const wordsIn = (text: string) =>
    text
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}']+/gu)
      ?.join(' ') ?? ''
  const { items } = navigationOf({ slugs: draft.order, config: draft.config, siteId: input.siteId })
  const labels = new Map(
    items
      .flatMap((item) => ('children' in item ? item.children : [item]))
      .map(({ slug, label }) => [slug, label]),
  )
  const wanted = wordsIn(name)
  return pagesIn(draft).filter(({ slug, title }) =>
    [title, labels.get(slug) ?? '', slug].some((own) => wordsIn(own) === wanted && wanted !== ''),
  )
}

/** Where something goes. */
export type Place =
  | { readonly where: 'front' | 'end' | 'up' | 'down'; readonly anchor?: undefined }
  | { readonly where: 'before' | 'after'; readonly anchor: Tokens }

const edges: readonly (readonly [RegExp, 'front' | 'end' | 'up' | 'down'])[] = [
  [/^(?:(?:at|to|on) )?(?:top|start|beginning|front)(?: of (?:this )?page)?$/, 'front'],
  [/^(?:(?:at|to) )?(?:bottom|end)(?: of (?:this )?page)?$/, 'end'],
  [/^(?:(?:at|to|in) )?first(?: position| place)?$/, 'front'],
  [/^(?:(?:at|to|in) )?last(?: position| place)?$/, 'end'],
  [/^up(?: one place)?$/, 'up'],
  [/^down(?: one place)?$/, 'down'],
]

/** Reads a place: `to the top`, `last`, `up`, `below the hero`. */
export function readPlace(_work: Work, tokens: Tokens): Place | undefined {
  const edge = edges.find(([pattern]) => pattern.test(phraseOf(tokens)))
  if (edge) return { where: edge[1] }
  const [first, ...anchor] = tokens
  if (anchor.length === 0) return undefined
  if (['before', 'above'].includes(first?.word ?? '')) return { where: 'before', anchor }
  return ['after', 'below', 'under', 'behind'].includes(first?.word ?? '')
    ? { where: 'after', anchor }
    : undefined
}

/** The index of a place among others, without the moved one; `now` is the index of the moved one. */
export function indexOf(
  place: Place,
  count: number,
  anchorAt: (anchor: Tokens) => number,
  now = count,
): number {
  const { where, anchor } = place
  if (anchor) {
    const index = anchorAt(anchor)
    if (index < 0) ask(texts.besideItself)
    return where === 'before' ? index : index + 1
  }
  return { front: 0, end: count, up: Math.max(now - 1, 0), down: Math.min(now + 1, count) }[where]
}
