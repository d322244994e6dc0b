import type { WordClass } from '../language/language.ts'
import type { Modifiers, Name, Noun, NounKind } from './noun.ts'
import { createMemo, ends, type Parser, isWord, step, textBetween } from './parser.ts'

const remember = createMemo<readonly Noun[]>()

/** All noun phrases that begin at a token, with every possible end. */
export function nounsAt(parser: Parser, at: number): readonly Noun[] {
  return remember(parser, String(at), () => {
    if (at >= parser.tokens.length) return []
    const heads = readModifiers(parser, at).flatMap(({ place, modifiers }) => [...headsAt(parser, place, modifiers), ...nthAt(parser, place, modifiers)])
    const all = heads.flatMap((noun) => [noun, ...possessives(parser, noun)])
    return unique([...all, ...all.flatMap((noun) => ofPhrases(parser, noun))])
  })
}

function unique(nouns: readonly Noun[]): readonly Noun[] {
  const key = ({ start: _start, ...noun }: Noun) => JSON.stringify(noun)
  return [...new Map(nouns.map((noun) => [key(noun), noun])).values()]
}

const determiners = [['isNew', 'a'], ['isThis', 'this'], ['isIts', 'its'], ['isAll', 'all'], ['isBoth', 'both'], ['isThe', 'the']] as const

type Modified = readonly { readonly place: number; readonly modifiers: Modifiers }[]

/** Articles, ordinals and counts in front of a noun. */
function readModifiers(parser: Parser, at: number, modifiers: Modifiers = { start: at }): Modified {
  step(parser)
  const here = { place: at, modifiers }
  if (at - modifiers.start > 4) return [here]
  const { language: { ordinals }, tokens } = parser
  const word = tokens[at]?.kind === 'word' ? tokens[at].word : ''
  const after = determiners.filter(([flag]) => flag !== 'isNew' || modifiers.ord === undefined).flatMap(([flag, name]) => ends(parser, at, name).flatMap((end) => readModifiers(parser, end, { ...modifiers, [flag]: true })))
  const ord = Object.hasOwn(ordinals, word) && modifiers.ord === undefined ? ordinals[word] : undefined
  const count = modifiers.count === undefined ? numberAt(parser, at) : undefined
  return [
    here, ...after,
    ...(ord === undefined ? [] : readModifiers(parser, at + 1, { ...modifiers, ord })),
    ...(count === undefined ? [] : readModifiers(parser, at + 1, { ...modifiers, count })),
  ]
}

export function numberAt({ tokens, language: { numbers } }: Pick<Parser, 'tokens' | 'language'>, at: number): number | undefined {
  const { word = '', kind } = tokens[at] ?? {}
  if (kind !== 'word') return undefined
  if (/^\d{1,4}$/.test(word)) return Number(word)
  return Object.hasOwn(numbers, word) ? numbers[word] : undefined
}

/** Nouns that consist of a phrase of one word class. */
const simpleNouns: readonly (readonly [kind: NounKind, name: WordClass, more?: Partial<Noun>])[] = [
  ['pages', 'pages'], ['this', 'thisBlock'], ['it', 'it'], ['thisText', 'thisText'], ['everything', 'everything'], ['everywhere', 'everywhere'],
  ['siteName', 'siteName'], ['site', 'site'], ['logo', 'logo'], ['menu', 'menu'], ['meta', 'metaTitle', { props: ['title'] }],
  ['meta', 'metaDescription', { props: ['description'] }], ['meta', 'metaImage', { props: ['ogImage'] }], ['metadata', 'metadata'],
  ['entry', 'menuLabel'], ['slug', 'slug', { cost: 12 }], ['pageTitle', 'pageTitle'],
]

/** Head nouns, after the modifiers. */
function headsAt(parser: Parser, at: number, modifiers: Modifiers): readonly Noun[] {
  step(parser)
  const { tokens, vocabulary: { types, rows, manyRows, fields } } = parser
  if (!tokens[at]) return []
  const made: Make = (kind, end, more = {}) => ({ ...modifiers, kind, end, text: textBetween(parser, at, end), cost: 10, ...more })
  const one = rows.find(tokens, at)
  const many = manyRows.find(tokens, at)
  const typed = types.find(tokens, at)
  const endsAt = (found: readonly { readonly end: number }[], end: number) => found.some((each) => each.end === end)
  const manyCost = modifiers.count === undefined ? 11 : 9
  const id = (place: number) => (tokens[place]?.kind === 'blockId' ? [made('block', place + 1, { name: unquoted(tokens[place].text) })] : [])
  return [
    ...typed.flatMap(({ values, end }) =>
      withNames(parser, made('block', end, { types: values, isMany: endsAt(many, end), cost: endsAt(one, end) ? 12 : 10 }))),
    ...one.flatMap(({ values, end }) => values.flatMap((row) => withNames(parser, made('row', end, { row })))),
    ...many.flatMap(({ values, end }) => values.flatMap((row) => withNames(parser, made('row', end, { row, isMany: true, cost: manyCost })))),
    ...fields.find(tokens, at)
      .map(({ values, end }) => made('field', end, { props: [...new Set(values.flat())], cost: typed.some((type) => type.end < end) ? 18 : 10.5 }))
      .flatMap((field) => [field, ...withCurrentText(parser, field)]),
    ...pagesAt(parser, at, made), ...namesAt(parser, at, made), ...id(at),
    ...simpleNouns.flatMap(([kind, name, more]) => ends(parser, at, name).filter((end) => kind !== 'it' || tokens[end]?.word !== 'of').map((end) => made(kind, end, more))),
    ...ends(parser, at, 'menuEntry').flatMap((end) => withCurrentText(parser, made('entry', end, { cost: 14 }))),
    ...ends(parser, at, 'unit').flatMap((end) => [...id(end), ...withNames(parser, made('section', end)), ...containers(parser, end, made)]),
  ]
}

/** `the section with the cards`. */
const containers = (parser: Parser, at: number, made: Make): readonly Noun[] => ends(parser, at, 'with').flatMap((end) => ends(parser, end - 1, 'the'))
  .flatMap((end) => parser.vocabulary.types.find(parser.tokens, end)).map(({ values, end }) => made('block', end, { types: values, hasUnit: true }))

const unquoted = (text: string): Name => ({ text, isQuoted: false })

/** An ordinal or number without a noun: `the second`, `the last one`, `and 4`. */
function nthAt(parser: Parser, end: number, modifiers: Modifiers): readonly Noun[] {
  const n = modifiers.count
  if (end === modifiers.start || (modifiers.ord === undefined) === (n === undefined)) return []
  const noun: Noun = { ...modifiers, kind: 'nth', end, text: '', cost: 22, n, count: undefined }
  const nouns = [...ends(parser, end, 'unit'), ...ends(parser, end, 'page')]
  const bare = ends(parser, end, 'position').filter((to) => !nouns.includes(to))
  return [noun, ...bare.map((to) => ({ ...noun, end: to }))]
}

/** A noun with a unit, a number or a name: `FAQ section`, `card 2`, `section called "Prices"`, `testimonial by Ben`. */
function withNames(parser: Parser, noun: Noun): readonly Noun[] {
  const units = noun.kind !== 'block' || noun.hasUnit ? [] : ends(parser, noun.end, 'unit')
    .flatMap((end) => withNames(parser, { ...noun, end, hasUnit: true, cost: 10 }))
  const numbered = [noun.end, ...ends(parser, noun.end, 'number')].flatMap((at) => {
    const n = numberAt(parser, at)
    const isDirection = (['up', 'down', 'front', 'end'] as const).some((name) => ends(parser, at + 1, name).length > 0)
    return n === undefined || noun.ord !== undefined || noun.isNew || isDirection ? [] : [{ ...noun, n, end: at + 1 }]
  })
  const named = noun.isNew ? [] : [
    ...nameAt(parser, noun.end, false), ...ends(parser, noun.end, 'called').flatMap((end) => nameAt(parser, end, false)),
    ...(noun.kind === 'row' ? ends(parser, noun.end, 'by').flatMap((end) => nameAt(parser, end, true)) : []),
  ].map(({ name, end }) => ({ ...noun, name, end, cost: noun.cost + 1 }))
  return [noun, ...units, ...numbered, ...named]
}

/** A field by its current text: `the label "Guests"`. */
const withCurrentText = (parser: Parser, noun: Noun): readonly Noun[] => [noun.end, ...ends(parser, noun.end, 'saying')]
  .flatMap((at) => nameAt(parser, at, false)).filter(({ name, isPage }) => name.isQuoted || (noun.kind === 'entry' && isPage))
  .map(({ name, end }) => ({ ...noun, name, end, cost: noun.cost + 1 }))

interface Named {
  readonly name: Name
  readonly end: number
  /** It is the name of a page. */
  readonly isPage?: boolean
}

/** Quoted text, or a name on the site. */
function nameAt(parser: Parser, at: number, isAuthor: boolean): readonly Named[] {
  const { tokens, names } = parser
  const token = tokens[at]
  if (!token) return []
  const author = isAuthor ? { isAuthor } : {}
  if (token.kind === 'quoted') return [{ name: { text: token.text, isQuoted: true, ...author }, end: at + 1 }]
  if (/^\d+$/.test(token.word)) return []
  return names.find(tokens, at).map(({ end, values }) =>
    ({ isPage: values.includes('page'), name: { ...unquoted(textBetween(parser, at, end)), ...author }, end }))
}

type Make = (kind: NounKind, end: number, more?: Partial<Noun>) => Noun

/** A name alone, or before the noun: `"Family" card`, `Our story section`. */
function namesAt(parser: Parser, at: number, made: Make): readonly Noun[] {
  const { tokens, vocabulary: { types, rows, manyRows, fields } } = parser
  return nameAt(parser, at, false).flatMap(({ name, end }): readonly Noun[] => [
    made('name', end, { name, cost: name.isQuoted ? 12 : 13 }),
    ...types.find(tokens, end).flatMap(({ values, end: to }) => withUnit(parser, made('block', to, { types: values, name, cost: 11 }))),
    ...[...rows.find(tokens, end), ...manyRows.find(tokens, end)].flatMap(({ values, end: to }) => values.map((row) => made('row', to, { row, name }))),
    ...ends(parser, end, 'unit').map((to) => made('section', to, { name })),
    ...ends(parser, end, 'menuEntry').map((to) => made('entry', to, { name, cost: 12 })),
    ...fields.find(tokens, end).map(({ values, end: to }) => made('field', to, { props: values.flat(), name, cost: name.isQuoted ? 10 : 13 })),
  ])
}

const withUnit = (parser: Parser, noun: Noun): readonly Noun[] => [noun, ...ends(parser, noun.end, 'unit').map((end) => ({ ...noun, end, hasUnit: true }))]

const mostNameWords = 3

/** Whether a word may belong to the name of a new page. */
const isFree = (parser: Parser, at: number): boolean => parser.tokens[at]?.kind === 'word' && parser.vocabulary.verbs.find(parser.tokens, at).length === 0
  && !(['notName', 'the', 'a'] as const).some((name) => isWord(parser, at, name))

/** Capitalized names of new pages: `Team, Press and Jobs pages`. */
function newPages(parser: Parser, at: number, made: Make): readonly Noun[] {
  const isName = (place: number) => isFree(parser, place) && parser.tokens[place]?.text !== parser.tokens[place]?.word
  const names: string[] = []
  let end = at
  for (let start = at; isName(start); start = ends(parser, end, 'and')[0] ?? end) {
    end = start
    while (isName(end)) end += 1
    names.push(textBetween(parser, start, end))
  }
  return names.length < 2 ? [] : ends(parser, end, 'pages').map((to) => made('pages', to, { names }))
}

/** Pages: by route, as `this page` or `home`, or by a name before or after the noun. */
function pagesAt(parser: Parser, at: number, made: Make): readonly Noun[] {
  const { tokens } = parser
  const word = (place: number, name: WordClass) => ends(parser, place, name)
  const page = (end: number, more: Partial<Noun>) => made('page', end, more)
  const routeAt = (place: number, end = place + 1) =>
    (tokens[place]?.kind === 'route' ? [page(end, { page: 'route', name: unquoted(tokens[place].text) })] : [])
  const free: Noun[] = []
  for (let end = at + 1; end <= at + mostNameWords && isFree(parser, end - 1); end += 1) {
    free.push(...word(end, 'page').map((to) => page(to, { page: 'free', name: unquoted(textBetween(parser, at, end)), cost: 16 })))
  }
  return [
    ...routeAt(at), ...word(at + 1, 'page').flatMap((end) => routeAt(at, end)),
    ...free, ...newPages(parser, at, made),
    ...nameAt(parser, at, false).flatMap(({ name, end, isPage }) => [
      ...word(end, 'page').map((to) => page(to, { page: 'named', name })),
      ...word(end, 'pages').map((to) => page(to, { page: 'named', name, isMany: true })),
      ...(isPage ? [page(end, { page: 'bare', name, cost: 14 })] : []),
    ]),
    ...word(at, 'page').flatMap((end) => [
      // Pages have no numbers.
      ...(/^\d+$/.test(tokens[end]?.word ?? '') ? [] : [page(end, { page: 'this', cost: 11 })]),
      ...[end, ...word(end, 'at')].flatMap((place) => routeAt(place)),
      ...[end, ...word(end, 'called')].flatMap((to) => nameAt(parser, to, false)).map(({ name, end: last }) => page(last, { page: 'named', name })),
    ]),
    ...word(at, 'home').map((end) => page(end, { page: 'home' })),
    ...word(at, 'thisPage').map((end) => page(end, { page: 'this' })),
  ]
}

const owners: Readonly<Partial<Record<NounKind, readonly NounKind[]>>> = {
  field: ['block', 'section', 'row', 'name', 'page', 'field', 'this', 'it'],
  row: ['block', 'section', 'name', 'page', 'this', 'it'],
  block: ['page'], section: ['page', 'block'], name: ['page', 'block', 'section'],
  meta: ['page', 'it'], slug: ['page', 'it'], pageTitle: ['page', 'it'], siteName: ['site'], entry: ['menu', 'page', 'name'],
}

const canBelongTo = (part: NounKind, owner: NounKind) => owners[part]?.includes(owner) === true

/** A part after its owner: `the hero's tagline`, `the FAQ's last question`, `second card title`. */
function possessives(parser: Parser, owner: Noun): readonly Noun[] {
  const { end } = owner
  const genitive = parser.tokens[end]?.word === "'s" ? end + 1 : end
  if (genitive === end && owner.kind === 'page' && owner.page !== 'route') return []
  return readModifiers(parser, genitive, { start: owner.start })
    .filter(({ modifiers: { isNew, isThe, isThis, isIts, isAll } }) => !isNew && !isThe && !isThis && !isIts && !isAll)
    .flatMap(({ place, modifiers }) => headsAt(parser, place, modifiers))
    .filter((part) => part.kind !== 'name' && canBelongTo(part.kind, owner.kind))
    .map((part) => ({ ...part, owner, cost: owner.cost + Math.min(part.cost, 10) / 2 }))
    .flatMap((part) => [part, ...possessives(parser, part)])
}

/** Fields described by their position relative to the owner: `the heading over the cards`, `the link behind the button`. */
const adjacentFields: Readonly<Record<string, 'before' | 'after'>> = {
  heading: 'before', title: 'before', eyebrow: 'before', ctaHref: 'after', url: 'after', caption: 'after',
}

/** A part before its owner: `the title of the second feature`. */
function ofPhrases(parser: Parser, part: Noun): readonly Noun[] {
  if (!owners[part.kind] || rootOf(part).kind === 'page') return []
  const side = part.kind === 'field' ? adjacentFields[part.props?.[0] ?? ''] : undefined
  const author = part.props?.[0] === 'quote' ? ends(parser, part.end, 'by') : []
  return [...ends(parser, part.end, 'of'), ...author, ...(side ? ends(parser, part.end, side) : [])].flatMap((end) => nounsAt(parser, end))
    .filter((owner) => canBelongTo(rootOf(part).kind, owner.kind) && !owner.isNew && !(part.isNew && owner.kind === 'name') && !isFromTo(parser, part, owner))
    .filter(() => !isRelativePosition(parser, part.end) || (side !== undefined && ends(parser, part.end, side).length > 0))
    // `The answer to the question`, but not `link the button to the page`.
    .filter(() => parser.tokens[part.end]?.word !== 'to' || part.props?.includes('a') === true)
    .map((owner) => ({ ...withOwner(part, owner), end: owner.end, cost: part.cost + owner.cost / 2 }))
}

/** Whether a position relative to another thing begins here, as in `the block above the hero`. */
export const isRelativePosition = (parser: Parser, at: number): boolean => ends(parser, at, 'before').length > 0 || ends(parser, at, 'after').length > 0

/** `from /rentals to /about` gives the old and new value, not the place. */
const isFromTo = (parser: Parser, { end }: Noun, owner: Noun): boolean => owner.page === 'route' && ends(parser, end, 'from').length > 0
  && [...ends(parser, owner.end, 'to'), ...ends(parser, owner.end, 'value')].some((next) => ['route', 'address'].includes(parser.tokens[next]?.kind ?? ''))

/** The outermost owner. */
const rootOf = (noun: Noun): Noun => (noun.owner ? rootOf(noun.owner) : noun)

const withOwner = (noun: Noun, owner: Noun): Noun => ({ ...noun, owner: noun.owner ? withOwner(noun.owner, owner) : owner })
