import type { RowNoun, WordClass } from '../language/language.ts'
import { createMemo, ends, type Ground, isWord, step, textBetween } from './ground.ts'

export type NounKind =
  | 'block' | 'section' | 'row' | 'field' | 'page' | 'pages' | 'meta' | 'metadata' | 'siteName' | 'site' | 'logo' | 'slug' | 'pageTitle' | 'menu' | 'entry'
  | 'this' | 'it' | 'thisText' | 'name' | 'nth' | 'everything' | 'everywhere'

/** Words that name something, as far as the words tell. */
export interface Noun extends Modifiers {
  readonly kind: NounKind
  readonly end: number
  /** The noun itself, without what stands around it. */
  readonly text: string
  readonly types?: readonly string[]
  readonly row?: RowNoun
  /** Of a field or of metadata: the props it may mean, best first. */
  readonly props?: readonly string[]
  readonly name?: Name | undefined
  readonly page?: 'this' | 'home' | 'route' | 'named' | 'bare' | 'free'
  readonly isMany?: boolean
  /** What a field says now, as far as the sentence tells. */
  readonly was?: string
  readonly hasUnit?: boolean
  /** What it is a part of. */
  readonly owner?: Noun | undefined
  /** How far-fetched this reading is. */
  readonly cost: number
}

export interface Name {
  readonly text: string
  readonly isQuoted: boolean
  readonly isAuthor?: boolean
}

interface Modifiers {
  readonly start: number
  readonly isNew?: boolean
  readonly isThis?: boolean
  readonly isIts?: boolean
  readonly isAll?: boolean
  readonly isBoth?: boolean
  readonly isThe?: boolean
  readonly ord?: number | undefined
  readonly count?: number | undefined
  readonly n?: number | undefined
}

const remember = createMemo<readonly Noun[]>()

/** Everything that words at a place may name, with every possible end. */
export function nounsAt(ground: Ground, at: number): readonly Noun[] {
  return remember(ground, String(at), () => {
    if (at >= ground.tokens.length) return []
    const heads = modified(ground, at).flatMap(({ place, modifiers }) => [...headsAt(ground, place, modifiers), ...nthAt(ground, place, modifiers)])
    const all = heads.flatMap((noun) => [noun, ...chained(ground, noun)])
    return unique([...all, ...all.flatMap((noun) => attached(ground, noun))])
  })
}

function unique(nouns: readonly Noun[]): readonly Noun[] {
  const key = ({ start: _start, ...noun }: Noun) => JSON.stringify(noun)
  return [...new Map(nouns.map((noun) => [key(noun), noun])).values()]
}

interface Modified {
  readonly place: number
  readonly modifiers: Modifiers
}

const determiners = [['isNew', 'a'], ['isThis', 'this'], ['isIts', 'its'], ['isAll', 'all'], ['isBoth', 'both'], ['isThe', 'the']] as const

/** Articles, ordinals and counts in front of a noun. */
function modified(ground: Ground, at: number, modifiers: Modifiers = { start: at }): readonly Modified[] {
  step(ground)
  const here: Modified = { place: at, modifiers }
  if (at - modifiers.start > 4) return [here]
  const { language: { ordinals }, tokens } = ground
  const word = tokens[at]?.kind === 'word' ? tokens[at].word : ''
  const after = determiners.flatMap(([flag, name]) => ends(ground, at, name).flatMap((end) => modified(ground, end, { ...modifiers, [flag]: true })))
  const ord = Object.hasOwn(ordinals, word) && modifiers.ord === undefined ? ordinals[word] : undefined
  const count = modifiers.count === undefined ? numberAt(ground, at) : undefined
  return [
    here, ...after,
    ...(ord === undefined ? [] : modified(ground, at + 1, { ...modifiers, ord })),
    ...(count === undefined ? [] : modified(ground, at + 1, { ...modifiers, count })),
  ]
}

export function numberAt({ tokens, language: { numbers } }: Pick<Ground, 'tokens' | 'language'>, at: number): number | undefined {
  const { word = '', kind } = tokens[at] ?? {}
  if (kind !== 'word') return undefined
  if (/^\d{1,4}$/.test(word)) return Number(word)
  return Object.hasOwn(numbers, word) ? numbers[word] : undefined
}

/** Nouns that are words of a class and nothing else. */
const plain: readonly (readonly [kind: NounKind, name: WordClass, more?: Partial<Noun>])[] = [
  ['pages', 'pages'], ['this', 'thisBlock'], ['it', 'it'], ['thisText', 'thisText'], ['everything', 'everything'], ['everywhere', 'everywhere'],
  ['siteName', 'siteName'], ['site', 'site'], ['logo', 'logo'], ['menu', 'menu'], ['meta', 'metaTitle', { props: ['title'] }],
  ['meta', 'metaDescription', { props: ['description'] }], ['meta', 'metaImage', { props: ['ogImage'] }], ['metadata', 'metadata'],
  ['slug', 'slug', { cost: 12 }], ['pageTitle', 'pageTitle'],
]

/** The noun itself, at the place behind its modifiers. */
function headsAt(ground: Ground, at: number, modifiers: Modifiers): readonly Noun[] {
  step(ground)
  const { tokens, vocabulary: { types, rows, manyRows, fields } } = ground
  if (!tokens[at]) return []
  const made: Make = (kind, end, more = {}) => ({ ...modifiers, kind, end, text: textBetween(ground, at, end), cost: 10, ...more })
  const one = rows.find(tokens, at)
  const many = manyRows.find(tokens, at)
  const typed = types.find(tokens, at)
  const ended = (found: readonly { readonly end: number }[], end: number) => found.some((each) => each.end === end)
  const manyCost = modifiers.count === undefined ? 11 : 9
  const id = (place: number) => (tokens[place]?.kind === 'blockId' ? [made('block', place + 1, { name: unquoted(tokens[place].text) })] : [])
  return [
    ...typed.flatMap(({ values, end }) =>
      withNames(ground, made('block', end, { types: values, isMany: ended(many, end), cost: ended(one, end) ? 12 : 10 }))),
    ...one.flatMap(({ values, end }) => values.flatMap((row) => withNames(ground, made('row', end, { row })))),
    ...many.flatMap(({ values, end }) => values.flatMap((row) => withNames(ground, made('row', end, { row, isMany: true, cost: manyCost })))),
    ...fields.find(tokens, at)
      .map(({ values, end }) => made('field', end, { props: [...new Set(values.flat())], cost: typed.some((type) => type.end < end) ? 18 : 10.5 }))
      .flatMap((field) => [field, ...showing(ground, field)]),
    ...pagesAt(ground, at, made), ...namesAt(ground, at, made), ...id(at),
    ...plain.flatMap(([kind, name, more]) => ends(ground, at, name).filter((end) => kind !== 'it' || tokens[end]?.word !== 'of').map((end) => made(kind, end, more))),
    ...ends(ground, at, 'menuEntry').flatMap((end) => showing(ground, made('entry', end, { cost: 14 }))),
    ...ends(ground, at, 'unit').flatMap((end) => [...id(end), ...withNames(ground, made('section', end))]),
  ]
}

const unquoted = (text: string): Name => ({ text, isQuoted: false })

/** A place in a list alone: `the second`, `the last one`, `and 4`. */
function nthAt(ground: Ground, end: number, modifiers: Modifiers): readonly Noun[] {
  const n = modifiers.count
  if (end === modifiers.start || (modifiers.ord === undefined) === (n === undefined)) return []
  const noun: Noun = { ...modifiers, kind: 'nth', end, text: '', cost: 22, n, count: undefined }
  return [noun, ...ends(ground, end, 'position').map((to) => ({ ...noun, end: to }))]
}

/** A unit, a number or a name behind a noun: `FAQ section`, `card 2`, `section called "Prices"`, `testimonial by Ben`. */
function withNames(ground: Ground, noun: Noun): readonly Noun[] {
  const units = noun.kind !== 'block' || noun.hasUnit ? [] : ends(ground, noun.end, 'unit')
    .flatMap((end) => withNames(ground, { ...noun, end, hasUnit: true, cost: 10 }))
  const numbered = [noun.end, ...ends(ground, noun.end, 'number')].flatMap((at) => {
    const n = numberAt(ground, at)
    const isWay = (['up', 'down', 'front', 'end'] as const).some((name) => ends(ground, at + 1, name).length > 0)
    return n === undefined || noun.ord !== undefined || noun.isNew || isWay ? [] : [{ ...noun, n, end: at + 1 }]
  })
  const named = noun.isNew ? [] : [
    ...nameAt(ground, noun.end, false), ...ends(ground, noun.end, 'called').flatMap((end) => nameAt(ground, end, false)),
    ...(noun.kind === 'row' ? ends(ground, noun.end, 'by').flatMap((end) => nameAt(ground, end, true)) : []),
  ].map(({ name, end }) => ({ ...noun, name, end, cost: noun.cost + 1 }))
  return [noun, ...units, ...numbered, ...named]
}

/** A field by what it says now: `the label "Guests"`. */
const showing = (ground: Ground, noun: Noun): readonly Noun[] => [noun.end, ...ends(ground, noun.end, 'saying')]
  .flatMap((at) => nameAt(ground, at, false)).filter(({ name, isPage }) => name.isQuoted || (noun.kind === 'entry' && isPage))
  .map(({ name, end }) => ({ ...noun, name, end, cost: noun.cost + 1 }))

interface Named {
  readonly name: Name
  readonly end: number
  /** A page is called so. */
  readonly isPage?: boolean
}

/** Quoted text, or a name of something on the site. */
function nameAt(ground: Ground, at: number, isAuthor: boolean): readonly Named[] {
  const { tokens, names } = ground
  const token = tokens[at]
  if (!token) return []
  const author = isAuthor ? { isAuthor } : {}
  if (token.kind === 'quoted') return [{ name: { text: token.text, isQuoted: true, ...author }, end: at + 1 }]
  if (/^\d+$/.test(token.word)) return []
  return names.find(tokens, at).map(({ end, values }) =>
    ({ isPage: values.includes('page'), name: { ...unquoted(textBetween(ground, at, end)), ...author }, end }))
}

type Make = (kind: NounKind, end: number, more?: Partial<Noun>) => Noun

/** A name alone, or in front of what it names: `"Family" card`, `Our story section`. */
function namesAt(ground: Ground, at: number, made: Make): readonly Noun[] {
  const { tokens, vocabulary: { types, rows, manyRows, fields } } = ground
  return nameAt(ground, at, false).flatMap(({ name, end }): readonly Noun[] => [
    made('name', end, { name, cost: name.isQuoted ? 12 : 13 }),
    ...types.find(tokens, end).flatMap(({ values, end: to }) => withUnit(ground, made('block', to, { types: values, name, cost: 11 }))),
    ...[...rows.find(tokens, end), ...manyRows.find(tokens, end)].flatMap(({ values, end: to }) => values.map((row) => made('row', to, { row, name }))),
    ...ends(ground, end, 'unit').map((to) => made('section', to, { name })),
    ...ends(ground, end, 'menuEntry').map((to) => made('entry', to, { name, cost: 12 })),
    ...fields.find(tokens, end).map(({ values, end: to }) => made('field', to, { props: values.flat(), name, cost: name.isQuoted ? 10 : 13 })),
  ])
}

const withUnit = (ground: Ground, noun: Noun): readonly Noun[] => [noun, ...ends(ground, noun.end, 'unit').map((end) => ({ ...noun, end, hasUnit: true }))]

const mostNameWords = 3

/** Pages: by a route, by what they are, by their name before or behind the word. */
function pagesAt(ground: Ground, at: number, made: Make): readonly Noun[] {
  const { tokens, vocabulary: { verbs } } = ground
  const word = (place: number, name: WordClass) => ends(ground, place, name)
  const page = (end: number, more: Partial<Noun>) => made('page', end, more)
  const routeAt = (place: number, end = place + 1) =>
    (tokens[place]?.kind === 'route' ? [page(end, { page: 'route', name: unquoted(tokens[place].text) })] : [])
  const isFree = (index: number) => tokens[index]?.kind === 'word' && verbs.find(tokens, index).length === 0
    && !(['notName', 'the', 'a'] as const).some((name) => isWord(ground, index, name))
  const free: Noun[] = []
  for (let end = at + 1; end <= at + mostNameWords && isFree(end - 1); end += 1) {
    free.push(...word(end, 'page').map((to) => page(to, { page: 'free', name: unquoted(textBetween(ground, at, end)), cost: 16 })))
  }
  return [
    ...routeAt(at), ...word(at + 1, 'page').flatMap((end) => routeAt(at, end)),
    ...free,
    ...nameAt(ground, at, false).flatMap(({ name, end, isPage }) => [
      ...word(end, 'page').map((to) => page(to, { page: 'named', name })),
      ...word(end, 'pages').map((to) => page(to, { page: 'named', name, isMany: true })),
      ...(isPage ? [page(end, { page: 'bare', name, cost: 14 })] : []),
    ]),
    ...word(at, 'page').flatMap((end) => [
      page(end, { page: 'this', cost: 11 }),
      ...[end, ...word(end, 'at')].flatMap((place) => routeAt(place)),
      ...[end, ...word(end, 'called')].flatMap((to) => nameAt(ground, to, false)).map(({ name, end: last }) => page(last, { page: 'named', name })),
    ]),
    ...word(at, 'home').map((end) => page(end, { page: 'home' })),
    ...word(at, 'thisPage').map((end) => page(end, { page: 'this' })),
  ]
}

const owners: Readonly<Partial<Record<NounKind, readonly NounKind[]>>> = {
  field: ['block', 'section', 'row', 'name', 'page', 'field', 'this', 'it'],
  row: ['block', 'section', 'name', 'page', 'this', 'it'],
  block: ['page'], section: ['page', 'block'], name: ['page', 'block', 'section'],
  meta: ['page', 'it'], slug: ['page', 'it'], pageTitle: ['page', 'it'], siteName: ['site'], entry: ['menu'],
}

const fits = (part: NounKind, owner: NounKind) => owners[part]?.includes(owner) === true

/** What follows its owner: `the hero's tagline`, `the FAQ's last question`, `second card title`. */
function chained(ground: Ground, owner: Noun): readonly Noun[] {
  const { end } = owner
  const genitive = ground.tokens[end]?.word === "'s" ? end + 1 : end
  if (genitive === end && owner.kind === 'page' && owner.page !== 'route') return []
  return modified(ground, genitive, { start: owner.start })
    .filter(({ modifiers: { isNew, isThe, isThis, isIts, isAll } }) => !isNew && !isThe && !isThis && !isIts && !isAll)
    .flatMap(({ place, modifiers }) => headsAt(ground, place, modifiers))
    .filter((part) => part.kind !== 'name' && fits(part.kind, owner.kind))
    .map((part) => ({ ...part, owner, cost: owner.cost + Math.min(part.cost, 10) / 2 }))
    .flatMap((part) => [part, ...chained(ground, part)])
}

/** Fields that are said to be beside their owner: `the heading over the cards`, `the link behind the button`. */
const besideOwner: Readonly<Record<string, 'before' | 'after'>> = {
  heading: 'before', title: 'before', eyebrow: 'before', ctaHref: 'after', url: 'after', caption: 'after',
}

/** What precedes its owner: `the title of the second feature`. */
function attached(ground: Ground, part: Noun): readonly Noun[] {
  if (!owners[part.kind] || rootOf(part).kind === 'page') return []
  const side = part.kind === 'field' ? besideOwner[part.props?.[0] ?? ''] : undefined
  return [...ends(ground, part.end, 'of'), ...(side ? ends(ground, part.end, side) : [])].flatMap((end) => nounsAt(ground, end))
    .filter((owner) => fits(rootOf(part).kind, owner.kind) && !owner.isNew && !(part.isNew && owner.kind === 'name') && !isFromTo(ground, part, owner))
    .filter(() => !isBeside(ground, part.end) || (side !== undefined && ends(ground, part.end, side).length > 0))
    // `The answer to the question`, but `link the button to the page`.
    .filter(() => ground.tokens[part.end]?.word !== 'to' || part.props?.includes('a') === true)
    .map((owner) => ({ ...withOwner(part, owner), end: owner.end, cost: part.cost + owner.cost / 2 }))
}

/** `the block above the hero` is another block. */
export const isBeside = (ground: Ground, at: number): boolean => ends(ground, at, 'before').length > 0 || ends(ground, at, 'after').length > 0

/** `from /rentals to /about` says what changes, and not where. */
const isFromTo = (ground: Ground, { end }: Noun, owner: Noun): boolean => owner.page === 'route' && ends(ground, end, 'from').length > 0
  && [...ends(ground, owner.end, 'to'), ...ends(ground, owner.end, 'value')].some((next) => ['route', 'address'].includes(ground.tokens[next]?.kind ?? ''))

/** The outermost owner. */
const rootOf = (noun: Noun): Noun => (noun.owner ? rootOf(noun.owner) : noun)

const withOwner = (noun: Noun, owner: Noun): Noun => ({ ...noun, owner: noun.owner ? withOwner(noun.owner, owner) : owner })
