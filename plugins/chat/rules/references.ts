/** From words to what they refer to: pages, blocks, rows, fields and places. */
import { longestSuggestion } from '../port.ts'
import type { Props } from '../../content/model.ts'
import { ownValue, perObject } from '../../content/plain-object.ts'
import { canonicalSlug, home } from '../../content/slugs.ts'
import { shortened, wordsIn } from '../../content/words.ts'
import { isDeclaredList } from '../../content/fields.ts'
import { descriptions } from './descriptions.ts'
import { ordinalOf, singular, typesNamed, wordsOf } from './names.ts'
import { texts } from './texts.ts'
import { phraseOf, type Tokens } from './tokens.ts'
import {
  allBlocks,
  ask,
  blocksOn,
  type ItemField,
  filledFields,
  isPinned,
  type Item,
  labelFor,
  NotMeant,
  pageAt,
  pagesOf,
  itemsOf,
  selected,
  textsOf,
  type PlanState,
} from './work.ts'

/** What words refer to: every candidate, in the order of the page. */
export interface ReferenceMatches<T> {
  /** The words, which also identify the question about them. */
  readonly words: string
  readonly candidates: readonly T[]
  /** Whether the words are one text in quotes. */
  readonly isQuoted?: boolean
}

export const found = <T>(tokens: Tokens, candidates: readonly T[]): ReferenceMatches<T> => ({
  words: phraseOf(tokens),
  candidates,
  isQuoted: tokens.every(({ kind }) => kind === 'quoted'),
})
export const defined = <T>(...all: readonly (T | undefined)[]): readonly T[] =>
  all.filter((each) => each !== undefined)

const mostChoices = 10

/**
 * The only candidate, unless it is a guess, or the one chosen in an earlier answer; else asks. Throws `NotMeant` if the answer
 * chose what the words mean in another form.
 */
export function one<T extends Item | ItemField>(
  { answers }: PlanState,
  { words, candidates }: ReferenceMatches<T>,
): T {
  const [only, ...others] = candidates
  if (!only) return ask(texts.none(words))
  const answer = ownValue(answers, words)
  const chosen = candidates.find(({ id }) => id === answer)
  if (chosen) return chosen
  if (answer !== undefined) throw new NotMeant()
  const isGuess = 'meta' in only ? only.item.isGuess : only.isGuess
  return others.length > 0 || isGuess ? whichOf(words, candidates) : only
}

/** Asks which of several candidates is meant, or whether the only one is. */
export function whichOf(words: string, candidates: readonly (Item | ItemField)[]): never {
  const labels = candidates.map(labelFor)
  const choices = candidates.map(({ id }, at) => ({ id, label: buttonOf(labels[at] ?? id, at) }))
  return ask(texts.which(words, labels), { key: words, choices: choices.slice(0, mostChoices) })
}

/** A label for a button; the number tells shortened ones apart. */
const buttonOf = (label: string, at: number): string =>
  label.length <= longestSuggestion ? label : shortened(`${at + 1}. ${label}`, longestSuggestion - 1)

/** Whether a pronoun means the selection. After an earlier clause, it may mean what that one changed. */
export const isThis = ({ ops }: PlanState, tokens: Tokens): boolean =>
  ops.length === 0 && tokens.length === 1 && ['this', 'it', 'that'].includes(tokens[0]?.word ?? '')

export const prepositions: ReadonlySet<string> = new Set(['of', 'in', 'on', 'from', 'to', 'for'])

/** The parts before and behind each preposition. */
export const splits = (tokens: Tokens): readonly (readonly [part: Tokens, owner: Tokens])[] =>
  tokens.flatMap(({ word }, at) =>
    at > 0 && prepositions.has(word) ? [[tokens.slice(0, at), tokens.slice(at + 1)] as const] : [],
  )

/**
 * Reads an item on the page, or behind a preposition one of another page or of a block: `third card`,
 * `question 1`, `"Our story" section`, `b_hero_1`, `this`, `hero on /about`, `last stat of the second
 * section`, `about us page`.
 */
export function readItem(work: PlanState, tokens: Tokens): ReferenceMatches<Item> | undefined {
  const page = readPage(work, tokens)
  if (page) return page
  const here = itemsNamed(work, tokens, blocksOn(work, work.slug))
  if (here) return found(tokens, here)
  for (const [part, owner] of splits(tokens)) {
    const isItem = itemsNamed(work, part, []) !== undefined || descriptions(work, part).length > 0
    const owners = isItem ? readItem(work, owner)?.candidates : undefined
    const scope = owners?.flatMap((item) =>
      item.kind === 'page' ? blocksOn(work, item.slug) : item.kind === 'block' ? [item] : [],
    )
    if (scope) return found(tokens, itemsNamed(work, part, scope) ?? itemsSaying(work, part, scope))
  }
  const described = itemsSaying(work, tokens, blocksOn(work, work.slug))
  return described.length > 0 ? found(tokens, described) : undefined
}

/**
 * The items that a noun means and that say the rest, or those with this title.
 *
 * One that only mentions the words, or is of no kind that the noun names, is a guess: it is asked about.
 */
function itemsSaying(work: PlanState, tokens: Tokens, scope: readonly Item[]): readonly Item[] {
  for (const { noun, isSection, wanted, most } of descriptions(work, tokens)) {
    const named = isSection ? scope.filter((item) => !isPinned(item)) : (itemsNamed(work, noun, scope) ?? [])
    const isMentioned = (words: readonly string[]) =>
      words.length <= most && wanted.every((word) => words.includes(word))
    const isWhole = (words: readonly string[]) => isMentioned(words) && words.length === wanted.length
    const saying = named
      .filter(({ props }) => stemsIn(props).some(isMentioned))
      .map((item) => {
        const titles = headingsOf(item).map(stems)
        const isNamed = isSection ? titles.some(isWhole) : stemsIn(item.props).some(isWhole)
        return isNamed || (!isSection && titles.some(isMentioned)) ? item : { ...item, isGuess: true }
      })
    if (saying.length > 0) return saying
  }
  const phrase = wordsOf(phraseOf(tokens))
  return scope.flatMap((block) => [block, ...itemsOf(block)]).filter((item) => isTitled(item, phrase))
}

/** The texts that people name an item by: also those of pictures and people. */
const headingsOf = (item: Item): readonly string[] => [
  ...textsOf(item),
  ...['caption', 'alt', 'author'].flatMap((name) => {
    const value = item.props[name]
    return typeof value === 'string' ? [value] : []
  }),
]

/** Whether an item has a phrase as its title. */
export const isTitled = (item: Item, phrase: string): boolean =>
  textsOf(item).some((text) => wordsOf(text) === phrase)

const stems = (text: string): readonly string[] => wordsIn(text).map(singular)

/** The words of each text of an item, in the singular. */
const stemsIn = perObject((props: Props) =>
  Object.values(props)
    .filter((value) => typeof value === 'string')
    .map(stems),
)

/** The blocks among some, and the rows in them, that words mean; `undefined` for words that name neither. */
function itemsNamed(work: PlanState, tokens: Tokens, scope: readonly Item[]): readonly Item[] | undefined {
  const [first] = tokens
  if (tokens.length === 1 && first?.kind === 'id')
    return allBlocks(work).filter(({ id }) => id.toLowerCase() === first.word)
  if (/^(?:this|that|selected) (?:section|block|one)$/.test(phraseOf(tokens)))
    return defined(selected(work).block)
  if (isThis(work, tokens)) {
    const { block, row } = selected(work)
    return row || work.input.selection.path === undefined ? defined(row ?? block) : undefined
  }
  const ordinal = ordinalOf(first)
  const behind = ordinal === undefined ? tokens : tokens.slice(1)
  const at = behind[0]?.kind === 'quoted' ? 0 : behind.length - 1
  const quoted = behind[at]?.kind === 'quoted' ? behind[at].text.trim().toLowerCase() : undefined
  const rest = quoted === undefined ? behind : behind.toSpliced(at, 1)
  const last = rest.at(-1)
  const number = last?.kind === 'number' ? Number(last.text) - 1 : undefined
  const noun = phraseOf(number === undefined ? rest : rest.slice(0, -1))
  const pick = <T extends Item>(all: readonly T[]) => picked(all, quoted, ordinal ?? number)

  const types = number === undefined ? typesNamed(work.names, noun) : undefined
  // `the last one` is one of a kind that was named before.
  const isAny = /^(?:section|block)$/.test(noun) && (ordinal !== undefined || quoted !== undefined)
  // `the first and second cards` share a plural.
  const lists = rowListsNamed(work, ordinal === undefined ? noun : singular(noun), scope)
  if (!types && !isAny && !lists) return undefined
  const isMeant = (item: Item) => (types ? types.has(item.type?.type ?? '') : isAny && !isPinned(item))
  const rows = (lists ?? []).flatMap(({ item, listKey }) => pick(itemsOf(item, listKey)))
  return [...rows, ...pick(scope.filter(isMeant))]
}

/** The items with a text, else those that contain it; of these the one at a position. */
function picked<T extends Item>(
  all: readonly T[],
  wanted: string | undefined,
  position: number | undefined,
): readonly T[] {
  const having = (fits: (text: string) => boolean) =>
    all.filter((item) => textsOf(item).some((text) => fits(text.trim().toLowerCase())))
  const equal = wanted === undefined ? all : having((text) => text === wanted)
  const chosen = equal.length > 0 || !wanted ? equal : having((text) => text.includes(wanted))
  const only = position === undefined || position < -1 ? undefined : chosen.at(position)
  return position === undefined ? chosen : only ? [only] : []
}

/** The lists that a noun names among some blocks: `card`, `question`. */
export function listsNamed({ names }: PlanState, noun: string, blocks: readonly Item[]) {
  const lists = names.listsByPhrase.get(noun)
  return (
    lists &&
    blocks.flatMap((item) => (lists.get(item.type?.type ?? '') ?? []).map((listKey) => ({ item, listKey })))
  )
}

/** What people call a row of any list. */
const anyRow = /^(?:row|item|entry)$/

/**
 * The lists whose rows a noun means: those that it names, else for `row` those of the selected block, or all.
 */
function rowListsNamed(work: PlanState, noun: string, blocks: readonly Item[]) {
  const lists = listsNamed(work, noun, blocks)
  if (!anyRow.test(noun) || lists?.length) return lists
  const all = blocks.flatMap((item) =>
    filledFields(item).flatMap(([listKey, meta]) => (isDeclaredList(meta) ? [{ item, listKey }] : [])),
  )
  const own = all.filter(({ item }) => item.id === selected(work).block?.id)
  return own.length > 0 ? own : all
}

/** Reads an item, or several of one kind: `the testimonials and the CTA`, `the first and second cards`. */
export function readItems(work: PlanState, tokens: Tokens): readonly ReferenceMatches<Item>[] | undefined {
  const whole = readItem(work, tokens)
  if (whole) return [whole]
  const parts: Tokens[] = [[]]
  for (const token of tokens) {
    if (token.word !== 'and' && token.word !== ',') parts.push([...(parts.pop() ?? []), token])
    else if (parts.at(-1)?.length !== 0) parts.push([])
  }
  const noun = [parts.at(-1), parts[0]].find((part) => part && part.length > 1)?.slice(1) ?? []
  const all = parts
    .map((part) =>
      readItem(work, part.length === 1 && ordinalOf(part[0]) !== undefined ? [...part, ...noun] : part),
    )
    .filter((each) => each !== undefined)
  if (all.length < parts.length) return ofOneNoun(work, parts)
  const kind = (['row', 'block'] as const).find((each) =>
    all.every(({ candidates }) => candidates.some((item) => item.kind === each)),
  )
  return all.map(({ words, candidates }) => ({
    words,
    candidates: candidates.filter((item) => !kind || item.kind === kind),
  }))
}

/** Reads names that share a noun in the plural: `the Before and After tabs`. */
function ofOneNoun(work: PlanState, parts: readonly Tokens[]): readonly ReferenceMatches<Item>[] | undefined {
  const [noun, ...name] = (parts.at(-1) ?? []).toReversed()
  if (!noun || parts.length < 2 || name.length === 0 || noun.word === singular(noun.word)) return undefined
  const one = { ...noun, word: singular(noun.word) }
  const all = [...parts.slice(0, -1), name.toReversed()]
    .map((part) => readItem(work, [...part, one]))
    .filter((each) => each !== undefined)
  return all.length === parts.length ? all : undefined
}

/** Reads the first or the last two rows of a list: `the first two pictures`. */
function readTwo(
  work: PlanState,
  [place, two, noun, ...owner]: Tokens,
): readonly ReferenceMatches<Item>[] | undefined {
  if (!noun || !/^(?:first|last) (?:two|2)$/.test(`${place?.word} ${two?.word}`)) return undefined
  const { words, candidates } =
    readItem(work, [{ ...noun, word: singular(noun.word) }, ...owner]) ?? found([], [])
  const rows = candidates.filter(({ kind }) => kind === 'row')
  const lists = new Set(rows.map(({ row }) => `${row?.blockId} ${row?.listKey}`))
  const pair = place?.word === 'first' ? rows.slice(0, 2) : rows.slice(-2)
  return lists.size === 1
    ? pair.map((row, at) => ({ words: `${words} ${at}`, candidates: [row] }))
    : undefined
}

/**
 * Reads two items that are there: `the hero with the banner`, but not `with a banner`, which is a new one.
 */
export const readPair = (work: PlanState, tokens: Tokens): readonly ReferenceMatches<Item>[] | undefined =>
  tokens.some(({ article = '' }) => /^an?$/.test(article))
    ? undefined
    : (readTwo(work, tokens) ??
      readItems(
        work,
        tokens.map((token) => (token.word === 'with' ? { ...token, word: 'and' } : token)),
      ))

/**
 * Reads a page: `/about`, `page /about`, `page "About us"`, `this page`, `home page`, `about us page`. A page
 * that does not exist has no candidates.
 */
export function readPage(work: PlanState, tokens: Tokens): ReferenceMatches<Item> | undefined {
  const [first, second] = tokens
  const phrase = phraseOf(tokens)
  const address = first?.word === 'page' ? second : first
  if (address?.kind === 'route' && address === tokens.at(-1))
    return found(tokens, defined(pageAt(work, canonicalSlug(address.text))))
  if (second?.kind === 'quoted' && address === tokens.at(-1))
    return found(tokens, pagesNamed(work, second.text))
  if (/^(?:this|current) page$/.test(phrase) || (phrase === 'page' && first?.article === 'the'))
    return found(tokens, defined(pageAt(work, work.slug)))
  if (/^home ?page$/.test(phrase)) return found(tokens, defined(pageAt(work, home)))
  const name = tokens.slice(0, -1)
  const isName =
    tokens.at(-1)?.word === 'page' &&
    name.length > 0 &&
    ordinalOf(first) === undefined &&
    name.every(({ kind, word }) => kind !== 'sign' && kind !== 'route' && !prepositions.has(word))
  return isName ? found(tokens, pagesNamed(work, phraseOf(name))) : undefined
}

const plain = (text: string): string => wordsIn(text).join(' ')

/** The pages with a title, a menu label or an address of these words. */
export function pagesNamed(work: PlanState, name: string): readonly Item[] {
  const wanted = plain(name)
  const { navLabels } = work.draft.config
  return pagesOf(work).filter(
    ({ name: title, slug }) =>
      wanted !== '' && [title, slug, ownValue(navLabels, slug) ?? ''].some((each) => plain(each) === wanted),
  )
}
