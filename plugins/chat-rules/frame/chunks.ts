import type { VerbClass, WordClass } from '../language/language.ts'
import type { PhraseTable } from '../message/phrases.ts'
import { createMemo, ends, type Ground, isWord, step, textBetween } from './ground.ts'
import { type Noun, nounsAt, numberAt } from './nouns.ts'
import { type Place, placesAt } from './places.ts'
import { textsInFront, type Value, valuesAt } from './values.ts'
import type { Verb } from './vocabulary.ts'

/** The part that some words play in a clause. */
export type Role =
  | 'verb' | 'modal' | 'duty' | 'particle' | 'filler' | 'comma' | 'lead' | 'object' | 'text' | 'value' | 'to' | 'in' | 'from' | 'as' | 'instead'
  | 'called' | 'saying' | 'labelled' | 'by' | 'about' | 'at' | 'detail' | 'linking' | 'place' | 'side' | 'columns' | 'case' | 'option' | 'switch'
  | 'unchanged' | 'with' | 'bits' | 'except' | 'group'

export interface Chunk {
  readonly role: Role
  readonly start: number
  readonly end: number
  readonly cost: number
  readonly noun?: Noun
  readonly value?: Value
  readonly place?: Place
  readonly classes?: readonly VerbClass[]
  /** A particle, or the verb that wants one. */
  readonly particle?: string
  /** What was chosen: a side, a letter case, on or off. */
  readonly choice?: string
  readonly options?: readonly string[]
  readonly n?: number
  /** A detail without a word in front of it. */
  readonly isBare?: boolean
  /** Follows another one of its kind, joined by `and`. */
  readonly isJoined?: boolean
}

const remember = createMemo<readonly Chunk[]>()

/** Every part of a clause that may begin at a token. What depends on the parts before it is left to the caller. */
export function chunksAt(ground: Ground, at: number, last: number): readonly Chunk[] {
  return remember(ground, `${at} ${last}`, () => {
    step(ground)
    return [...around(ground, at), ...nounChunks(ground, at), ...valueChunks(ground, at, last), ...choices(ground, at), ...details(ground, at, last)]
      .filter(({ end }) => end <= last)
  })
}

const chunk = (role: Role, start: number, end: number, more: Partial<Chunk> = {}): Chunk => ({ role, start, end, cost: 1, ...more })

const newly: readonly VerbClass[] = ['set', 'be', 'say', 'move', 'link', 'use', 'have', 'rename']

/** Chunks that words of one class are. */
const plain: readonly (readonly [role: Role, name: WordClass, more?: Partial<Chunk>])[] = [
  ['modal', 'modal'],
  ['duty', 'states', { classes: ['state'], choice: 'newly' }],
  ['duty', 'gone', { classes: ['remove', 'clear'], choice: 'newly' }],
  ['duty', 'newly', { classes: newly, choice: 'newly' }],
  ['filler', 'order', { choice: 'order' }], ['bits', 'bits'], ['columns', 'columns', { cost: 4 }],
  ['side', 'left', { choice: 'left' }], ['side', 'leftAligned', { choice: 'aligned' }], ['side', 'right', { choice: 'right' }],
  ['side', 'full', { choice: 'full' }], ['side', 'center', { choice: 'center' }], ['side', 'otherSide', { choice: 'other' }],
  ['case', 'upper', { choice: 'upper' }], ['case', 'lower', { choice: 'lower' }], ['case', 'title', { choice: 'title' }],
  ['switch', 'on', { choice: 'true' }], ['switch', 'off', { choice: 'false' }], ['unchanged', 'unchanged', { choice: '' }],
]

function around(ground: Ground, at: number): readonly Chunk[] {
  const { tokens, vocabulary: { verbs, duties, particles } } = ground
  const token = tokens[at]
  const acting = (role: Role, table: PhraseTable<Verb>) => table.find(tokens, at)
    .flatMap(({ values, end }) => merged(values).map((verb) => chunk(role, at, end, verb)))
  const isSmall = token?.text === token?.text.toLowerCase()
  return [
    ...acting('verb', verbs), ...acting('duty', duties),
    ...particles.find(tokens, at).map(({ end, phrase }) => chunk('particle', at, end, { particle: phrase })),
    ...plain.flatMap(([role, name, more]) => ends(ground, at, name).map((end) => chunk(role, at, end, more))),
    ...(isSmall && ends(ground, at, 'instead').length === 0 && !(token?.word === 'next' && tokens[at + 1]?.word === 'to') ? ends(ground, at, 'filler').map((end) => chunk('filler', at, end, { cost: 0.5 })) : []),
    ...(token?.word === ',' ? [chunk('comma', at, at + 1)] : []),
  ]
}

/** One verb for each particle, with everything that it may do. */
const merged = (verbs: readonly Verb[]): readonly Verb[] => [...Map.groupBy(verbs, ({ particle }) => particle)].map(([particle, same]) =>
  ({ classes: [...new Set(same.flatMap(({ classes }) => classes))], ...(particle !== undefined && { particle }) }))

const prepositions = ['to', 'in', 'from', 'as', 'instead', 'except'] as const
const made: ReadonlySet<string> = new Set(['block', 'section', 'page'])

function nounChunks(ground: Ground, at: number): readonly Chunk[] {
  const nouns = (role: Role, name: WordClass, more = 0) => ends(ground, at, name).flatMap((end) => nounsAt(ground, end))
    .map((noun) => chunk(role, at, noun.end, { noun, cost: noun.cost + more }))
  const apart = (name: WordClass, noun: Pick<Noun, 'kind' | 'page'>) => ends(ground, at, name)
    .map((end) => chunk('in', at, end, { noun: { ...noun, start: at, end, text: '', cost: 8 } }))
  return [
    ...nounsAt(ground, at).map((noun) => chunk('object', at, noun.end, { noun, cost: noun.cost })),
    ...nouns('object', 'and').map((joined) => ({ ...joined, isJoined: true })),
    ...prepositions.flatMap((role) => nouns(role, role, 1)),
    ...nouns('with', 'with', 1).filter(({ noun }) => noun && made.has(noun.kind)),
    ...apart('here', { kind: 'page', page: 'this' }), ...apart('everywhere', { kind: 'everywhere' }),
    ...placesAt(ground, at).map((place) => chunk('place', at, place.end, { place, cost: 5 + (place.anchor?.cost ?? 0) + (place.other?.cost ?? 0) })),
  ]
}

/** Whether a value could as well be something else: it is not in quotes, and no address or figure. */
const isLoose = ({ form }: Value): boolean => form === 'text' || form === 'remark'

const named = ['called', 'saying', 'labelled', 'by', 'about'] as const

function valueChunks(ground: Ground, at: number, last: number): readonly Chunk[] {
  // A capital says that the verb is a part of the text: `to Say hello`.
  const isSaid = (end: number) => ground.tokens.slice(at + 1, end).every(({ text, word }) => text === word)
  const values = (name: WordClass, fits: (value: Value) => boolean = () => true, own = last) =>
    ends(ground, at, name).flatMap((end) => valuesAt(ground, end, own)).filter(fits)
  const behind = (role: Role, name: WordClass, fits?: (value: Value) => boolean) => ends(ground, at, name).filter(isSaid)
    .flatMap((end) => valuesAt(ground, end, last)).filter((value) => fits?.(value) ?? true)
    .map((value) => chunk(role, at, value.end, { value, cost: isLoose(value) ? 9 : 3 }))
  const toChunks = (role: Role, cost: number, more: Partial<Chunk> = {}) => (value: Value) => chunk(role, at, value.end, { value, cost, ...more })
  const isQuoted = ({ form }: Value) => form === 'quoted'
  const isAddress = ({ form }: Value) => form === 'address'
  return [
    ...valuesAt(ground, at, last).map((value) => chunk('text', at, value.end, { value, cost: isQuoted(value) || isAddress(value) ? 6 : 14 })),
    ...values('and', isQuoted).map(toChunks('text', 6, { isJoined: true })),
    ...behind('value', 'value'), ...behind('value', 'valueQuoted', (value) => !isLoose(value)), ...behind('at', 'at', isAddress),
    ...named.flatMap((role) => ends(ground, at, role).flatMap((end) => namesAt(ground, end, last)).map(toChunks(role, 6))),
    ...values('instead', isQuoted).map(toChunks('instead', 1)),
    ...values('from', (value) => !isLoose(value)).map(toChunks('from', 3)),
    ...values('linking', isAddress).map(toChunks('linking', 1)),
    ...ends(ground, at, 'linking').flatMap((end) => nounsAt(ground, end)).filter(({ kind }) => kind === 'page')
      .map((noun) => chunk('linking', at, noun.end, { noun })),
    ...groupsAt(ground, at),
  ]
}

/** A place and those behind an article. */
const behindArticles = (ground: Ground, at: number) => [at, ...ends(ground, at, 'a'), ...ends(ground, at, 'the')]

/** Under which heading of the menu: `under "Explore"`, `in a "More" dropdown`, `a dropdown called "Info"`. */
function groupsAt(ground: Ground, at: number): readonly Chunk[] {
  const made = (choice: string, place: number, end = place + 1): readonly Chunk[] => {
    const { kind, text = '' } = ground.tokens[place] ?? {}
    return kind === 'quoted' ? [chunk('group', at, end, { value: { text, form: 'quoted', end }, choice, cost: 6 })] : []
  }
  return [at, ...ends(ground, at, 'in')].flatMap((from) => behindArticles(ground, from)).flatMap((from) => [
    ...ends(ground, from, 'dropdown').flatMap((end) => ends(ground, end, 'called')).flatMap((end) => made('dropdown', end)),
    ...(from === at ? [] : made('heading', from)),
    ...ends(ground, from + 1, 'dropdown').flatMap((end) => made('dropdown', from, end)),
  ])
}

/** Names of something new: in quotes, or a few words that mean nothing else, in capitals where something follows them. */
function namesAt(ground: Ground, at: number, last: number): readonly Value[] {
  const isFree = (index: number) => {
    const token = ground.tokens[index]
    return token?.kind === 'word' && token.text !== token.word && !isWord(ground, index, 'notName')
  }
  const short: Value[] = []
  for (let end = at + 1; end <= at + 4 && end < last && isFree(end - 1); end += 1) short.push({ text: textBetween(ground, at, end), form: 'text', end })
  return [...valuesAt(ground, at, last), ...textsInFront(ground, at, last), ...short]
}

function choices(ground: Ground, at: number): readonly Chunk[] {
  const { tokens, vocabulary } = ground
  const starts = [at, ...ends(ground, at, 'value')].flatMap((from) => behindArticles(ground, from))
  const options = starts.flatMap((from) => vocabulary.options.find(tokens, from)).flatMap(({ values, end }) => [end, ...ends(ground, end, 'looks')]
    .map((last) => chunk('option', at, last, { options: values, cost: 7 })))
  const columns = [at, ...ends(ground, at, 'in'), ...ends(ground, at, 'value')].flatMap((from) => {
    const n = numberAt(ground, from)
    return n === undefined ? [] : ends(ground, from + 1, 'columns').map((end) => chunk('columns', at, end, { n, cost: 4 }))
  })
  return [...columns, ...options]
}

/** A field of something new, and what it says: `with the description "…"`, `and link /about`. */
function details(ground: Ground, at: number, last: number): readonly Chunk[] {
  const { tokens, vocabulary } = ground
  const starts = [at, ...ends(ground, at, 'with').flatMap((end) => behindArticles(ground, end))]
  return starts.flatMap((from) => vocabulary.fields.find(tokens, from).flatMap(({ values, end }) =>
    [end, ...(tokens[end]?.text === tokens[end]?.word ? [...ends(ground, end, 'value'), ...ends(ground, end, 'of')] : [])].flatMap((to) => valuesAt(ground, to, last))
      .filter((value) => !isLoose(value))
      .map((value) => chunk('detail', at, value.end, { value, options: [...new Set(values.flat())], cost: 8, isBare: from === at }))))
}
