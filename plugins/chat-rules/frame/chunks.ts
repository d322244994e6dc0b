import type { VerbClass, WordClass } from '../language/language.ts'
import { createMemo, ends, type Ground, isWord, step, textBetween } from './ground.ts'
import { type Noun, nounsAt, numberAt } from './nouns.ts'
import { type Place, placesAt } from './places.ts'
import { type Span, type Value, valuesAt } from './values.ts'

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
export function chunksAt(ground: Ground, at: number, span: Span): readonly Chunk[] {
  return remember(ground, `${at} ${span.end} ${span.isLong}`, () => {
    step(ground)
    return [...around(ground, at), ...nounChunks(ground, at), ...valueChunks(ground, at, span), ...choices(ground, at), ...details(ground, at, span)]
      .filter(({ end }) => end <= span.end)
  })
}

const chunk = (role: Role, start: number, end: number, more: Partial<Chunk> = {}): Chunk => ({ role, start, end, cost: 1, ...more })

function around(ground: Ground, at: number): readonly Chunk[] {
  const { tokens, vocabulary } = ground
  const token = tokens[at]
  const isSmall = token?.text === token?.text.toLowerCase()
  return [
    ...vocabulary.verbs.find(tokens, at).flatMap(({ values, end }) => merged(values).map(({ classes, particle }) => chunk('verb', at, end, { classes, ...(particle !== undefined && { particle }) }))),
    ...vocabulary.duties.find(tokens, at).flatMap(({ values, end }) => merged(values).map(({ classes }) => chunk('duty', at, end, { classes }))),
    ...vocabulary.particles.find(tokens, at).map(({ end, phrase }) => chunk('particle', at, end, { particle: phrase })),
    ...ends(ground, at, 'modal').map((end) => chunk('modal', at, end)),
    ...ends(ground, at, 'states').map((end) => chunk('duty', at, end, { classes: ['state'], choice: 'newly' })),
    ...ends(ground, at, 'gone').map((end) => chunk('duty', at, end, { classes: ['remove', 'clear'], choice: 'newly' })),
    ...ends(ground, at, 'newly').map((end) => chunk('duty', at, end, { classes: ['set', 'be', 'say', 'move', 'link', 'use', 'have', 'rename'], choice: 'newly' })),
    ...(isSmall ? ends(ground, at, 'filler').map((end) => chunk('filler', at, end, { cost: 0.5 })) : []),
    ...(token?.word === ',' ? [chunk('comma', at, at + 1)] : []),
  ]
}

/** One verb for each particle, with everything that it may do. */
function merged<T extends { readonly classes: readonly VerbClass[]; readonly particle?: string }>(verbs: readonly T[]): readonly { readonly classes: readonly VerbClass[]; readonly particle?: string }[] {
  return [...Map.groupBy(verbs, ({ particle }) => particle ?? '')].map(([particle, same]) =>
    ({ classes: [...new Set(same.flatMap(({ classes }) => classes))], ...(particle !== '' && { particle }) }))
}

const prepositions = ['to', 'in', 'from', 'as', 'instead', 'except'] as const

function nounChunks(ground: Ground, at: number): readonly Chunk[] {
  const nouns = (from: number) => nounsAt(ground, from)
  return [
    ...nouns(at).map((noun) => chunk('object', at, noun.end, { noun, cost: noun.cost })),
    ...ends(ground, at, 'and').flatMap((end) => nouns(end)).map((noun) => chunk('object', at, noun.end, { noun, cost: noun.cost, isJoined: true })),
    ...prepositions.flatMap((role) => ends(ground, at, role).flatMap((end) => nouns(end))
      .map((noun) => chunk(role, at, noun.end, { noun, cost: noun.cost + 1 }))),
    ...ends(ground, at, 'with').flatMap((end) => nouns(end)).filter(({ kind }) => ['block', 'section', 'page'].includes(kind))
      .map((noun) => chunk('with', at, noun.end, { noun, cost: noun.cost + 1 })),
    ...ends(ground, at, 'here').map((end) => chunk('in', at, end, { noun: { kind: 'page', page: 'this', start: at, end, text: '', cost: 8 } })),
    ...ends(ground, at, 'order').map((end) => chunk('filler', at, end)),
    ...ends(ground, at, 'everywhere').map((end) => chunk('in', at, end, { noun: { kind: 'everywhere', start: at, end, text: '', cost: 8 } })),
    ...placesAt(ground, at).map((place) => chunk('place', at, place.end, { place, cost: 5 + (place.anchor?.cost ?? 0) + (place.other?.cost ?? 0) })),
  ]
}

function valueChunks(ground: Ground, at: number, span: Span): readonly Chunk[] {
  // A capital says that the verb is a part of the text: `to Say hello`.
  const isSaid = (end: number) => ground.tokens.slice(at + 1, end).every(({ text, word }) => text === word)
  const behind = (role: Role, name: WordClass, cost = 3) => ends(ground, at, name).filter(isSaid).flatMap((end) => valuesAt(ground, end, span))
    .map((value) => chunk(role, at, value.end, { value, cost: cost + (value.form === 'text' || value.form === 'remark' ? 6 : 0) }))
  const names = (role: Role, name: WordClass) => ends(ground, at, name).flatMap((end) => namesAt(ground, end, span)).map((value) => chunk(role, at, value.end, { value, cost: 6 }))
  return [
    ...valuesAt(ground, at, span).map((value) => chunk('text', at, value.end, { value, cost: value.form === 'quoted' || value.form === 'address' ? 6 : 14 })),
    ...ends(ground, at, 'and').flatMap((end) => valuesAt(ground, end, { ...span, isLong: false })).filter(({ form }) => form === 'quoted')
      .map((value) => chunk('text', at, value.end, { value, cost: 6, isJoined: true })),
    ...behind('value', 'value'), ...behind('value', 'valueQuoted').filter(({ value }) => value?.form !== 'text' && value?.form !== 'remark'), ...names('called', 'called'), ...names('saying', 'saying'), ...names('labelled', 'labelled'), ...names('by', 'by'),
    ...names('about', 'about'), ...behind('at', 'at').filter(({ value }) => value?.form === 'address'),
    ...ends(ground, at, 'instead').flatMap((end) => valuesAt(ground, end, span)).filter(({ form }) => form === 'quoted').map((value) => chunk('instead', at, value.end, { value })),
    ...ends(ground, at, 'from').flatMap((end) => valuesAt(ground, end, span)).filter(({ form }) => form !== 'text' && form !== 'remark').map((value) => chunk('from', at, value.end, { value, cost: 3 })),
    ...ends(ground, at, 'linking').flatMap((end) => [
      ...valuesAt(ground, end, span).filter(({ form }) => form === 'address').map((value) => chunk('linking', at, value.end, { value })),
      ...nounsAt(ground, end).filter(({ kind }) => kind === 'page').map((noun) => chunk('linking', at, noun.end, { noun })),
    ]),
    ...ends(ground, at, 'bits').map((end) => chunk('bits', at, end)),
    ...groupsAt(ground, at),
  ]
}

/** Under which heading of the menu: `under "Explore"`, `in a "More" dropdown`, `a dropdown called "Info"`. */
function groupsAt(ground: Ground, at: number): readonly Chunk[] {
  const { tokens } = ground
  const quoted = (place: number) => (tokens[place]?.kind === 'quoted' ? tokens[place] : undefined)
  return [at, ...ends(ground, at, 'in')].flatMap((from) => [from, ...ends(ground, from, 'a'), ...ends(ground, from, 'the')]).flatMap((from): readonly Chunk[] => {
    const label = quoted(from)
    const made = (text: string, end: number, choice: string) => chunk('group', at, end, { value: { text, form: 'quoted', end }, choice, cost: 6 })
    const behind = ends(ground, from, 'dropdown').flatMap((end) => ends(ground, end, 'called')).flatMap((end) => {
      const name = quoted(end)
      return name ? [made(name.text, end + 1, 'dropdown')] : []
    })
    if (!label) return behind
    return [...(from === at ? [] : [made(label.text, from + 1, 'heading')]), ...ends(ground, from + 1, 'dropdown').map((end) => made(label.text, end, 'dropdown'))]
  })
}

/** Names of something new: in quotes, or a few words that mean nothing else, in capitals where something follows them. */
function namesAt(ground: Ground, at: number, span: Span): readonly Value[] {
  const whole = valuesAt(ground, at, span)
  const isFree = (index: number) => ground.tokens[index]?.kind === 'word' && !isWord(ground, index, 'notName') && ground.tokens[index].text !== ground.tokens[index].word
  const short: Value[] = []
  for (let end = at + 1; end <= at + 4 && end < span.end && isFree(end - 1); end += 1) short.push({ text: textBetween(ground, at, end), form: 'text', end })
  return [...whole, ...short]
}

function choices(ground: Ground, at: number): readonly Chunk[] {
  const { tokens, vocabulary } = ground
  const named = (role: Role, choice: string, name: WordClass) => ends(ground, at, name).map((end) => chunk(role, at, end, { choice }))
  const starts = [at, ...ends(ground, at, 'value')].flatMap((from) => [from, ...ends(ground, from, 'a'), ...ends(ground, from, 'the')])
  const intoColumns = ends(ground, at, 'in').concat(at).flatMap((from) => {
    const count = numberAt(ground, from)
    return count === undefined ? [] : ends(ground, from + 1, 'columns').map((end) => chunk('columns', at, end, { n: count, cost: 4 }))
  })
  return [
    ...named('side', 'left', 'left'), ...named('side', 'aligned', 'leftAligned'), ...named('side', 'right', 'right'), ...named('side', 'full', 'full'), ...named('side', 'center', 'center'),
    ...named('side', 'other', 'otherSide'), ...named('case', 'upper', 'upper'), ...named('case', 'lower', 'lower'), ...named('case', 'title', 'title'),
    ...named('switch', 'true', 'on'), ...named('switch', 'false', 'off'), ...named('unchanged', '', 'unchanged'),
    ...intoColumns, ...ends(ground, at, 'columns').map((end) => chunk('columns', at, end, { cost: 4 })),
    ...starts.flatMap((from) => vocabulary.options.find(tokens, from).flatMap(({ values, end }) => [end, ...ends(ground, end, 'looks')]
      .map((last) => chunk('option', at, last, { options: values, cost: 7 })))),
  ]
}

/** A field of something new, and what it says: `with the description "…"`, `and link /about`. */
function details(ground: Ground, at: number, span: Span): readonly Chunk[] {
  const { tokens, vocabulary } = ground
  const starts = [at, ...ends(ground, at, 'with').flatMap((end) => [end, ...ends(ground, end, 'the'), ...ends(ground, end, 'a')])]
  return starts.flatMap((from) => vocabulary.fields.find(tokens, from).flatMap(({ values, end }) => [end, ...ends(ground, end, 'value'), ...ends(ground, end, 'of')]
    .flatMap((to) => valuesAt(ground, to, { ...span, isLong: false })).filter(({ form }) => form !== 'text' && form !== 'remark')
    .map((value) => chunk('detail', at, value.end, { value, options: [...new Set(values.flat())], cost: 8, isBare: from === at }))))
}
