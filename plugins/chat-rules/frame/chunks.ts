import type { VerbClass, WordClass } from '../language/language.ts'
import type { PhraseTable } from '../message/phrases.ts'
import { createMemo, ends, type Parser, isWord, step, textBetween } from './parser.ts'
import type { Noun } from './noun.ts'
import { nounsAt, numberAt } from './nouns.ts'
import { type Place, placesAt } from './places.ts'
import { textsBeforePlace, type Value, valuesAt } from './values.ts'
import type { Verb } from './vocabulary.ts'

/** The role of a chunk in a clause. */
export type Role =
  | 'verb' | 'modal' | 'duty' | 'particle' | 'filler' | 'comma' | 'lead' | 'object' | 'text' | 'value' | 'to' | 'in' | 'from' | 'as' | 'instead'
  | 'called' | 'saying' | 'labelled' | 'by' | 'about' | 'at' | 'detail' | 'linking' | 'place' | 'side' | 'columns' | 'case' | 'option' | 'switch'
  | 'unchanged' | 'with' | 'bits' | 'except' | 'group'

/** A span of tokens with a role. */
export interface Chunk {
  readonly role: Role
  readonly start: number
  readonly end: number
  readonly cost: number
  readonly noun?: Noun
  readonly value?: Value
  readonly place?: Place
  readonly classes?: readonly VerbClass[]
  /** A separable particle, or the one that the verb requires. */
  readonly particle?: string
  /** The chosen side, letter case, or on or off. */
  readonly choice?: string
  readonly options?: readonly string[]
  readonly n?: number
  /** A detail without a preposition. */
  readonly isBare?: boolean
  /** Joined to a chunk of the same role by `and`. */
  readonly isJoined?: boolean
}

const remember = createMemo<readonly Chunk[]>()

/** Every chunk that may begin at a token. The caller checks what depends on the preceding chunks. */
export function chunksAt(parser: Parser, at: number, last: number): readonly Chunk[] {
  return remember(parser, `${at} ${last}`, () => {
    step(parser)
    return [...functionWords(parser, at), ...nounChunks(parser, at), ...valueChunks(parser, at, last), ...choices(parser, at), ...details(parser, at, last)]
      .filter(({ end }) => end <= last)
  })
}

const chunk = (role: Role, start: number, end: number, more: Partial<Chunk> = {}): Chunk => ({ role, start, end, cost: 1, ...more })

const newly: readonly VerbClass[] = ['set', 'be', 'say', 'move', 'link', 'use', 'have', 'rename']

/** Chunks that consist of a phrase of one word class. */
const simpleChunks: readonly (readonly [role: Role, name: WordClass, more?: Partial<Chunk>])[] = [
  ['modal', 'modal'],
  ['duty', 'states', { classes: ['state'], choice: 'newly' }],
  ['duty', 'gone', { classes: ['remove', 'clear'], choice: 'newly' }],
  ['duty', 'newLink', { classes: ['link'], choice: 'newly' }],
  ['duty', 'newly', { classes: newly, choice: 'newly' }],
  ['filler', 'order', { choice: 'order' }], ['bits', 'bits'], ['columns', 'columns', { cost: 4 }],
  ['side', 'left', { choice: 'left' }], ['side', 'leftAligned', { choice: 'aligned' }], ['side', 'right', { choice: 'right' }],
  ['side', 'full', { choice: 'full' }], ['side', 'center', { choice: 'center' }], ['side', 'otherSide', { choice: 'other' }],
  ['case', 'upper', { choice: 'upper' }], ['case', 'lower', { choice: 'lower' }], ['case', 'title', { choice: 'title' }],
  ['switch', 'on', { choice: 'true' }], ['switch', 'off', { choice: 'false' }], ['unchanged', 'unchanged', { choice: '' }],
]

function functionWords(parser: Parser, at: number): readonly Chunk[] {
  const { tokens, vocabulary: { verbs, duties, particles } } = parser
  const token = tokens[at]
  const verbChunks = (role: Role, table: PhraseTable<Verb>) => table.find(tokens, at)
    .flatMap(({ values, end }) => merged(values).map((verb) => chunk(role, at, end, verb)))
  const isLowerCase = token?.text === token?.text.toLowerCase()
  return [
    ...verbChunks('verb', verbs), ...verbChunks('duty', duties),
    ...particles.find(tokens, at).map(({ end, phrase }) => chunk('particle', at, end, { particle: phrase })),
    ...simpleChunks.flatMap(([role, name, more]) => ends(parser, at, name).map((end) => chunk(role, at, end, more))),
    ...(isLowerCase && ends(parser, at, 'instead').length === 0 && !(token?.word === 'next' && tokens[at + 1]?.word === 'to') ? ends(parser, at, 'filler').map((end) => chunk('filler', at, end, { cost: 0.5 })) : []),
    ...(token?.word === ',' ? [chunk('comma', at, at + 1)] : []),
  ]
}

/** Merges verbs with the same particle. */
const merged = (verbs: readonly Verb[]): readonly Verb[] => [...Map.groupBy(verbs, ({ particle }) => particle)].map(([particle, same]) =>
  ({ classes: [...new Set(same.flatMap(({ classes }) => classes))], ...(particle !== undefined && { particle }) }))

const prepositions = ['to', 'in', 'from', 'as', 'instead', 'except'] as const
const creatableKinds: ReadonlySet<string> = new Set(['block', 'section', 'page'])

function nounChunks(parser: Parser, at: number): readonly Chunk[] {
  const nouns = (role: Role, name: WordClass, more = 0) => ends(parser, at, name).flatMap((end) => nounsAt(parser, end))
    .map((noun) => chunk(role, at, noun.end, { noun, cost: noun.cost + more }))
  const adverbs = (name: WordClass, noun: Pick<Noun, 'kind' | 'page'>) => ends(parser, at, name)
    .map((end) => chunk('in', at, end, { noun: { ...noun, start: at, end, text: '', cost: 8 } }))
  return [
    ...nounsAt(parser, at).map((noun) => chunk('object', at, noun.end, { noun, cost: noun.cost })),
    ...nouns('object', 'and').map((joined) => ({ ...joined, isJoined: true })),
    ...prepositions.flatMap((role) => nouns(role, role, 1)),
    ...nouns('with', 'with', 1).filter(({ noun }) => noun && creatableKinds.has(noun.kind)),
    ...adverbs('here', { kind: 'page', page: 'this' }), ...adverbs('everywhere', { kind: 'everywhere' }),
    ...placesAt(parser, at).map((place) => chunk('place', at, place.end, { place, cost: 5 + (place.anchor?.cost ?? 0) + (place.other?.cost ?? 0) })),
  ]
}

/** Whether a value is unquoted text, and neither an address nor a figure. */
const isLoose = ({ form }: Value): boolean => form === 'text' || form === 'remark'

const namingRoles = ['called', 'saying', 'labelled', 'by', 'about'] as const

function valueChunks(parser: Parser, at: number, last: number): readonly Chunk[] {
  // A capital makes the verb a part of the text: `to Say hello`.
  const isLowerCase = (end: number) => parser.tokens.slice(at + 1, end).every(({ text, word }) => text === word)
  const values = (name: WordClass, fits: (value: Value) => boolean = () => true, own = last) =>
    ends(parser, at, name).flatMap((end) => valuesAt(parser, end, own)).filter(fits)
  const valuesAfter = (role: Role, name: WordClass, fits?: (value: Value) => boolean) => ends(parser, at, name)
    .filter(isLowerCase).flatMap((end) => valuesAt(parser, end, last)).filter((value) => fits?.(value) ?? true)
    .map((value) => chunk(role, at, value.end, { value, cost: isLoose(value) ? 9 : 3 }))
  const toChunks = (role: Role, cost: number, more: Partial<Chunk> = {}) => (value: Value) => chunk(role, at, value.end, { value, cost, ...more })
  const isQuoted = ({ form }: Value) => form === 'quoted'
  const isAddress = ({ form }: Value) => form === 'address'
  return [
    ...valuesAt(parser, at, last).map((value) => chunk('text', at, value.end, { value, cost: isQuoted(value) || isAddress(value) ? 6 : 14 })),
    ...values('and', isQuoted).map(toChunks('text', 6, { isJoined: true })),
    ...valuesAfter('value', 'value'), ...valuesAfter('value', 'valueQuoted', (value) => !isLoose(value)),
    ...valuesAfter('at', 'at', isAddress),
    ...namingRoles.flatMap((role) => ends(parser, at, role).flatMap((end) => namesAt(parser, end, last)).map(toChunks(role, 6))),
    ...values('instead', isQuoted).map(toChunks('instead', 1)),
    ...values('from', (value) => !isLoose(value)).map(toChunks('from', 3)),
    ...values('linking', isAddress).map(toChunks('linking', 1)),
    ...ends(parser, at, 'linking').flatMap((end) => nounsAt(parser, end)).filter(({ kind }) => kind === 'page')
      .map((noun) => chunk('linking', at, noun.end, { noun })),
    ...groupsAt(parser, at),
  ]
}

/** A position, and those after an article there. */
const afterArticles = (parser: Parser, at: number) => [at, ...ends(parser, at, 'a'), ...ends(parser, at, 'the')]

/** A menu group: `under "Explore"`, `in a "More" dropdown`, `a dropdown called "Info"`. */
function groupsAt(parser: Parser, at: number): readonly Chunk[] {
  const group = (choice: string, place: number, end = place + 1): readonly Chunk[] => {
    const { kind, text = '' } = parser.tokens[place] ?? {}
    return kind === 'quoted' ? [chunk('group', at, end, { value: { text, form: 'quoted', end }, choice, cost: 6 })] : []
  }
  return [at, ...ends(parser, at, 'in')].flatMap((from) => afterArticles(parser, from)).flatMap((from) => [
    ...ends(parser, from, 'dropdown').flatMap((end) => ends(parser, end, 'called')).flatMap((end) => group('dropdown', end)),
    ...(from === at ? [] : group('heading', from)),
    ...ends(parser, from + 1, 'dropdown').flatMap((end) => group('dropdown', from, end)),
  ])
}

/** Names of something new: in quotes, the text up to the end or a place, or up to four capitalized words. */
function namesAt(parser: Parser, at: number, last: number): readonly Value[] {
  const isFree = (index: number) => {
    const token = parser.tokens[index]
    return token?.kind === 'word' && token.text !== token.word && !isWord(parser, index, 'notName')
  }
  const short: Value[] = []
  for (let end = at + 1; end <= at + 4 && end < last && isFree(end - 1); end += 1) short.push({ text: textBetween(parser, at, end), form: 'text', end })
  return [...valuesAt(parser, at, last), ...textsBeforePlace(parser, at, last), ...short]
}

function choices(parser: Parser, at: number): readonly Chunk[] {
  const { tokens, vocabulary } = parser
  const starts = [at, ...ends(parser, at, 'value')].flatMap((from) => afterArticles(parser, from))
  const options = starts.flatMap((from) => vocabulary.options.find(tokens, from)).flatMap(({ values, end }) => [end, ...ends(parser, end, 'looks')]
    .map((last) => chunk('option', at, last, { options: values, cost: 7 })))
  const columns = [at, ...ends(parser, at, 'in'), ...ends(parser, at, 'value')].flatMap((from) => {
    const n = numberAt(parser, from)
    return n === undefined ? [] : ends(parser, from + 1, 'columns').map((end) => chunk('columns', at, end, { n, cost: 4 }))
  })
  return [...columns, ...options]
}

/** A field of something new with its value: `with the description "…"`, `and link /about`. */
function details(parser: Parser, at: number, last: number): readonly Chunk[] {
  const { tokens, vocabulary } = parser
  const starts = [at, ...ends(parser, at, 'with').flatMap((end) => afterArticles(parser, end))]
  return starts.flatMap((from) => vocabulary.fields.find(tokens, from).flatMap(({ values, end }) =>
    [end, ...(tokens[end]?.text === tokens[end]?.word ? [...ends(parser, end, 'value'), ...ends(parser, end, 'of')] : [])].flatMap((to) => valuesAt(parser, to, last))
      .filter((value) => !isLoose(value))
      .map((value) => chunk('detail', at, value.end, { value, options: [...new Set(values.flat())], cost: 8, isBare: from === at }))))
}
