/**
 * For a message that no form understands: a sentence that one does, with every name and text of the message.
 */
import { wordsIn } from '../../content/words.ts'
import { labelOf } from '../../content/fields.ts'
import { capitalised, seedFromWords } from '../../content/slugs.ts'
import { numberOf, ordinalOf, singular, typesNamed, wordsOf } from './names.ts'
import { type ReferenceMatches, listsNamed, readDestination, readField, readItem } from './references.ts'
import { contrastAt, reworded } from './rewordings.ts'
import { texts } from './texts.ts'
import { fillers, phraseOf, readRequest, type Token, type Tokens } from './tokens.ts'
import {
  AskError,
  blocksOn,
  filledFields,
  itemsOf,
  type ItemField,
  type Item,
  pageAt,
  textsOf,
  type PlanState,
} from './work.ts'

/** A sentence, and how it is offered. */
interface Offer {
  readonly sentence: string
  readonly hint: string
}

/** Bound the work for one message, in tokens and sentences. */
const longestMessage = 60
const longestPart = 6
const mostTried = 60

/** The verbs of each kind of sentence. A message that has one of them is offered no other kind. */
const verbs = {
  remove: /^(?:remove|delete|drop|hide|erase|eliminate|cut|scrap|rid|away|off|out|gone)$/,
  clear: /^(?:remove|delete|drop|hide|erase|eliminate|cut|scrap|rid|away|off|out|gone|clear|empty)$/,
  move: /^(?:move|shift|bring|push|drag|swap|switch|exchange|reorder)$/,
  copy: /^(?:duplicate|copy|copies|clone|repeat)$/,
  add: /^(?:add|insert|create|include|append|another|new|missing)$/,
  set: /^(?:set|change|update|rename|edit|write|replace|correct|fix|link|links|point|points|leads?|typo)$/,
} as const
type VerbKind = keyof typeof verbs
const kinds: Readonly<Record<string, VerbKind>> = {
  Remove: 'remove',
  Clear: 'clear',
  Move: 'move',
  Swap: 'move',
  Duplicate: 'copy',
  Add: 'add',
  Create: 'add',
}
const kindOf = (sentence: string): VerbKind => kinds[sentence.split(' ', 1)[0] ?? ''] ?? 'set'

/** A wish for something to be there, or for a page, without such a verb. */
const wantsMore = /^(?:want|need|needs|like|get|have|put|build|make)$/
/** What hides a page or leaves the menu stays on the site, which no sentence does. */
const notRemoved = /^(?:hide|off|out|away|cut)$/
const inMenu = /\b(?:in|on) (?:menu|navigation)\b/
const isSwap = /\b(?:swap|switch|exchange)\b.* and\b/
/** A text stands behind the first ones, and behind the others if it is written like one. */
const beforeText = /^(?:say|says|read|reads|:|called|named|titled)$/
const beforeTitle = /^(?:to|as|into|be|with|by)$/
/** What follows one of these is a place or an owner, not what is to be added. */
const beforePlace =
  /^(?:to|in|on|into|onto|at|of|from|with|by|before|above|after|below|under|behind|for|about)$/

/**
 * The first sentence of those made from the fields, items, places, kinds and texts that a message names which
 * `planned` admits and which covers the message.
 */
export function nearestSentence(
  work: PlanState,
  tokens: Tokens,
  planned: (sentence: string) => PlanState | AskError | undefined,
): Offer | undefined {
  if (tokens.length > longestMessage) return undefined
  for (const sentence of [...new Set(sentencesFor(work, tokens))].slice(0, mostTried)) {
    const plan = sentence === work.message ? undefined : planned(sentence)
    const omitted = plan && omittedBy(work, tokens, sentence, plan)
    if (omitted) return { sentence, hint: hintOf(work, sentence, plan, omitted) }
  }
  return undefined
}

/**
 * The words of a message that a sentence leaves out; `undefined` if it may not. Only an empty addition and
 * the question for a text may leave out words, and none that name something.
 */
function omittedBy(
  work: PlanState,
  tokens: Tokens,
  sentence: string,
  plan: PlanState | AskError,
): Tokens | undefined {
  const kind = kindOf(sentence)
  const said = new Set(readRequest(sentence).tokens.flatMap(wordsOfToken))
  const touched = plan instanceof AskError ? [] : touchedBy(work, plan)
  const isReworded = reworded(work, tokens).includes(sentence)
  const replaced = isReworded ? tokens.slice(contrastAt(tokens)) : []
  const names = new Set(
    touched.flatMap((item) => [...namesOf(work, item), ...(isReworded ? saidBy(item) : [])]),
  )
  const isCovered = (token: Token): boolean => {
    if (leavesApart(token, kind) || isLikeness(tokens, token)) return false
    if (token.kind === 'sign' || fillers.has(token.word) || verbs[kind].test(token.word)) return true
    if (token.kind === 'quoted') return sentence.includes(token.text)
    if (/^(?:every|all|each)$/.test(token.word)) return sentence.endsWith(' everywhere')
    if (replaced.includes(token) || (isReworded && /^(?:now|spelled|written)$/.test(token.word))) return true
    // The page that is shown.
    const isPage = token.word === 'page' && touched.some(({ slug }) => slug === work.slug)
    const isNext = !(plan instanceof AskError) && isNextRow(work, plan, token)
    return isPage || isNext || wordsOfToken(token).every((word) => said.has(word) || names.has(word))
  }
  if (isPageOmitted(work, tokens, sentence, touched)) return undefined
  const omitted = tokens.filter((token) => !isCovered(token))
  if (omitted.length === 0) return isHiding(tokens, plan) ? undefined : omitted
  const isOpen = kind === 'add' ? !sentence.includes('"') : kind === 'set' && isTextAsked(plan)
  return isOpen && !omitted.some((token) => isName(work, token)) && !titleIn(work, omitted)
    ? omitted
    : undefined
}

/** Whether a word sets something apart, as in `the last but one`, or adds to a field to be cleared. */
const leavesApart = ({ word }: Token, kind: VerbKind): boolean =>
  word === 'but' || (word === 'and' && kind === 'clear')

/** Whether a sentence leaves out another page, whose title may be of words such as `about us`. */
function isPageOmitted(work: PlanState, tokens: Tokens, sentence: string, touched: readonly Item[]): boolean {
  const [message, offered] = [tokens, readRequest(sentence).tokens].map((each) => ` ${phraseOf(each)} `)
  return work.draft.order.some((slug) => {
    const title = ` ${wordsOf(work.draft.page(slug)?.title ?? '')} `
    const isElsewhere = slug !== work.slug && !touched.some((item) => item.slug === slug)
    return isElsewhere && title.trim() !== '' && message?.includes(title) && !offered?.includes(title)
  })
}

/** Whether `like` compares, other than in `I would like`. */
const isLikeness = (tokens: Tokens, token: Token): boolean =>
  token.word === 'like' && !/^(?:i|i'd|we|we'd|would)$/.test(tokens[tokens.indexOf(token) - 1]?.word ?? 'i')

/** The words of the type, the title and the page of an item. */
const namesOf = (work: PlanState, item: Item): readonly string[] =>
  [
    item.name,
    ...[...work.names.typesByPhrase].flatMap(([phrase, types]) =>
      types.has(item.type?.type ?? '') ? [phrase] : [],
    ),
    item.slug,
    pageAt(work, item.slug)?.name ?? '',
    ...textsOf(item),
  ].flatMap((text) => wordsIn(wordsOf(text)).map(singular))

/** The words of all texts of an item, and of the names of their fields. */
const saidBy = (item: Item): readonly string[] =>
  filledFields(item).flatMap(([name, meta]) => {
    const value = item.props[name]
    return typeof value === 'string' ? wordsIn(`${labelOf(name, meta)} ${value}`).map(singular) : []
  })

/** Whether an ordinal is the place of the row that a plan adds. */
const isNextRow = (work: PlanState, { ops: [op] }: PlanState, token: Token): boolean => {
  if (op?.op !== 'add_item') return false
  const block = blocksOn(work, op.pageSlug).find(({ id }) => id === op.blockId)
  return block !== undefined && itemsOf(block, op.listKey).length === ordinalOf(token)
}

const wordsOfToken = ({ word, text }: Token): readonly string[] =>
  wordsIn(word || text).map((each) => numberOf(each) ?? singular(each))

/** The blocks and rows that a plan changes, moves or adds, and the pages. */
function touchedBy(work: PlanState, { draft, ops }: PlanState): readonly Item[] {
  return ops.flatMap((op) => {
    const slug = 'pageSlug' in op ? op.pageSlug : undefined
    const page = pageAt(work, slug)
    const at = op.op === 'add_block' ? { ...work, draft } : work
    const id = 'blockId' in op ? op.blockId : op.op === 'add_block' ? op.block.id : undefined
    const blocks = slug === undefined ? [] : blocksOn(at, slug).filter((block) => block.id === id)
    const rows =
      'index' in op ? blocks.flatMap((block) => itemsOf(block, op.listKey)[op.index ?? -1] ?? []) : []
    return [...(page ? [page] : []), ...blocks, ...rows]
  })
}

/** Whether a word names a kind of section, of row or of field, a page or a verb of a form, or is exact. */
function isName({ names, draft }: PlanState, { kind, word }: Token): boolean {
  if (kind !== 'word' || (ordinalOf({ word }) ?? numberOf(word)) !== undefined) return true
  return (
    typesNamed(names, word) !== undefined ||
    [word, singular(word)].some((each) => names.listsByPhrase.has(each) || names.fields.has(each)) ||
    /^(?:rows?|columns?|cells?|tables?|items?|entry|entries|menu|navigation|pages?|all|every|only|both|each)$/.test(
      word,
    ) ||
    Object.values(verbs).some((pattern) => pattern.test(word)) ||
    draft.order.some((slug) => wordsIn(`${slug} ${draft.page(slug)?.title ?? ''}`).includes(word))
  )
}

/** Whether words have the whole title of a section of the page. */
function titleIn(work: PlanState, tokens: Tokens): boolean {
  const phrase = ` ${phraseOf(tokens)} `
  return blocksOn(work, work.slug).some((block) =>
    textsOf(block).some((text) => phrase.includes(` ${wordsOf(text)} `)),
  )
}

/** A page that is to be hidden is not to be removed. */
const isHiding = (tokens: Tokens, plan: PlanState | AskError): boolean =>
  !(plan instanceof AskError) &&
  plan.ops.some(({ op }) => op === 'remove_page') &&
  tokens.some(({ word }) => notRemoved.test(word))

const isTextAsked = (plan: PlanState | AskError): boolean =>
  plan instanceof AskError && plan.answerable.opening !== undefined

function hintOf(
  { message }: PlanState,
  sentence: string,
  plan: PlanState | AskError,
  omitted: Tokens,
): string {
  const missing = isTextAsked(plan) ? 'text' : plan instanceof AskError ? 'choice' : undefined
  const rest = omitted.map(({ start, end }, at) => {
    const isApart = at > 0 && start > (omitted[at - 1]?.end ?? 0) + 1
    return `${isApart ? '… ' : ''}${message.slice(start, end)}`
  })
  return texts.canDo(sentence, missing, rest.join(' '))
}

/** All sentences that the words of a message may stand for, the most exact first. */
function sentencesFor(work: PlanState, tokens: Tokens): readonly string[] {
  const first = tokens[0]?.word ?? ''
  const isVerb =
    /^(?:take|put|get|make)$/.test(first) || Object.values(verbs).some((each) => each.test(first))
  const parts = phrasesOf(isVerb ? tokens.slice(1) : tokens)
  const phrase = phraseOf(tokens)
  const wants = (kind: VerbKind): boolean => tokens.some(({ word }) => verbs[kind].test(word))
  const textOf = (part: Tokens): string =>
    work.message.slice(part[0]?.start, part.at(-1)?.end).replace(/^(?:the|an?|my|our) /i, 'the ')
  const before = ([first]: Tokens): string => (first && tokens[tokens.indexOf(first) - 1]?.word) ?? ''
  const pages = parts.filter((part) => readItem(work, part)?.candidates.some(({ kind }) => kind === 'page'))
  const elsewhere = pages.find(
    (part) =>
      /^(?:on|in)$/.test(before(part)) &&
      readItem(work, part)?.candidates.some(({ slug }) => slug !== work.slug),
  )
  const there = elsewhere ? ` on ${textOf(elsewhere)}` : ''
  /** What is named beside another page is on that page. */
  const named = (read: (work: PlanState, part: Tokens) => ReferenceMatches<Item | ItemField> | undefined) =>
    parts
      .filter((part) => !part.some((token) => elsewhere?.includes(token)))
      .filter((part) => (elsewhere ? read(work, part) : (read(work, part)?.candidates.length ?? 0) > 0))
  const [fieldParts, itemParts] = [named(readField), named(readItem)]
  const inFull = (part: Tokens): string => textOf(part) + there
  const [fields, items] = [fieldParts.map(inFull), itemParts.map(inFull)]
  const places = parts.filter((part) => readDestination(work, part)).map(textOf)
  const [quoted, second] = quotedIn(tokens)
  const titled = quoted === undefined ? [] : ['section', 'entry'].map((kind) => `the "${quoted}" ${kind}`)
  const movable = itemParts.filter(
    (part) => !/^(?:before|above|after|below|under|behind)$/.test(before(part)),
  )
  // What is removed from it is a part of it.
  const removable = itemParts.filter((part) => !/^(?:from|in)$/.test(before(part)))
  const targets = [
    ...tokens.filter(({ kind }) => kind === 'address' || kind === 'route').map(({ text }) => text),
    ...pages.filter((part) => /^(?:to|at)$/.test(before(part))).map(textOf),
  ]
  const hasTarget = tokens.some(({ kind }) => kind === 'address')
  const given = second ?? (isReplaced(tokens) ? undefined : quoted)
  const value = hasTarget ? undefined : (given ?? unquoted(work, tokens, elsewhere))
  const owned = fieldParts.flatMap((field) =>
    itemParts
      .filter((item) => !item.some((token) => field.includes(token)))
      .map((item) => `${textOf(field)} of ${textOf(item)}${there}`),
  )
  const isOther = (['clear', 'move', 'copy', 'add'] as const).some(wants)
  const numbers = tokens.filter(({ word }) => numberOf(word) !== undefined).map(({ word }) => word)
  return [
    ...(quoted !== undefined && second !== undefined
      ? ofTwoTexts([quoted, second], phrase).map((each) => each + there)
      : [...exchanged(work, tokens), ...(isOther ? [] : reworded(work, tokens))]),
    ...(wants('copy') ? copies(items, pages.map(textOf), quoted) : []),
    ...(wants('remove') ? removable.map((part) => `Remove ${inFull(part)}`) : []),
    ...[...movable.map(textOf), ...titled].flatMap((item) =>
      places.map((place) => `Move ${item}${there} ${place}`),
    ),
    ...additions(work, tokens, parts, { there, places, before }),
    ...(inMenu.test(phrase) && quoted !== undefined
      ? pages.map((page) => `Call ${textOf(page)} "${quoted}" in the menu`)
      : []),
    ...[...fields, ...owned].flatMap((field) => settings(field, targets, value, numbers)),
    ...(value === undefined || !/\b(?:rename|call|name|title)(?:d|ed)?\b/.test(phrase)
      ? []
      : items.map((item) => `Rename ${item} to "${value}"`)),
    ...(value === undefined || !/\b(?:says?|reads?)\b/.test(phrase)
      ? []
      : items.map((item) => `Change ${item} to "${capitalised(value.replace(/^that /, ''))}"`)),
    ...(wants('clear') ? [...fields, ...owned].map((field) => `Clear ${field}`) : []),
    ...[...owned, ...fields].map((field) => `Change ${field}`),
  ]
}

/** A field with an address, a text or a number. */
const settings = (
  field: string,
  targets: readonly string[],
  value: string | undefined,
  numbers: readonly string[],
): readonly string[] => [
  ...targets.map((target) => `Link ${field} to ${target}`),
  ...(value === undefined ? [] : [`Change ${field} to "${value}"`]),
  ...numbers.map((number) => `Change ${field} to ${number}`),
]

/** Whether a text in quotes is the one to be changed: `change "Book" in the headline`. */
const isReplaced = (tokens: Tokens): boolean =>
  tokens.some(
    ({ kind }, at) =>
      kind === 'quoted' &&
      /^(?:change|update|edit|replace|correct|fix)$/.test(tokens[at - 1]?.word ?? '') &&
      /^(?:in|of|from|on)$/.test(tokens[at + 1]?.word ?? ''),
  )

const quotedIn = (tokens: Tokens): readonly string[] =>
  tokens.filter(({ kind }) => kind === 'quoted').map(({ text }) => text)

/** Copies: to a page, or of a page with a name. */
const copies = (items: readonly string[], pages: readonly string[], name = ''): readonly string[] =>
  items.flatMap((item) => [
    ...pages.filter((page) => page !== item).map((page) => `Duplicate ${item} to ${page}`),
    `Duplicate ${item}`,
    ...(name === ''
      ? []
      : [`Duplicate ${item} to /${seedFromWords(name)} and rename /${seedFromWords(name)} to "${name}"`]),
  ])

interface Around {
  readonly there: string
  readonly places: readonly string[]
  readonly before: (part: Tokens) => string
}

/** New sections, rows and pages. */
function additions(
  work: PlanState,
  tokens: Tokens,
  parts: readonly Tokens[],
  { there, places, before }: Around,
): readonly string[] {
  const isAdded = ({ word, article }: Token) =>
    verbs.add.test(word) || wantsMore.test(word) || article === 'new'
  if (!tokens.some(isAdded)) return []
  const [title] = quotedIn(tokens)
  const added = parts
    .filter((part) => !beforePlace.test(before(part)))
    .flatMap((part) => kindIn(work, part) ?? [])
  const pageAtToken = tokens.findIndex(({ word }) => word === 'page')
  const behind = tokens.slice(pageAtToken + 1)
  const isNamed = /^(?:for|about|called|named|titled|on|:)$/.test(behind[0]?.word ?? '')
  const named = isNamed ? behind[1] : behind[0]
  const isName = pageAtToken >= 0 && (isNamed || /^\p{Lu}/u.test(named?.text ?? ''))
  const name = isName && named ? work.message.slice(named.start, behind.at(-1)?.end) : undefined
  const pageTitle = title ?? (name && capitalised(name.replace(/^(?:the|an?|my|our) /i, '')))
  return [
    ...added.flatMap((kind) => [
      ...(title === undefined ? [] : [`Add a ${kind} called "${title}"${withSecond(tokens)}${there}`]),
      ...(there === '' ? places.map((place) => `Add an empty ${kind} ${place}`) : []),
      `Add an empty ${kind}${there}`,
    ]),
    ...(pageAtToken >= 0 && pageTitle !== undefined && !pageTitle.includes('"')
      ? [`Create a page called "${pageTitle}"`]
      : []),
  ]
}

/** Sentences about two texts in quotes. */
function ofTwoTexts([first, second]: readonly [string, string], phrase: string): readonly string[] {
  if (isSwap.test(phrase))
    return ['section', 'entry'].map((kind) => `Swap the "${first}" ${kind} and the "${second}" ${kind}`)
  const [where] = inMenu.exec(phrase) ?? []
  if (where !== undefined) return [`Rename the page "${first}" to "${second}" ${where}`]
  const isReversed = / instead of /.test(phrase.split(first.toLowerCase()).slice(1).join(' '))
  return [isReversed ? `Change "${second}" to "${first}"` : `Change "${first}" to "${second}"`]
}

/** The second text of a new element, with the word before it, such as `with answer "Yes"`. */
function withSecond(tokens: Tokens): string {
  const [, second] = tokens.filter(({ kind }) => kind === 'quoted')
  const before = second && tokens[tokens.indexOf(second) - 1]
  return before?.kind === 'word' ? ` with ${before.word} "${second?.text}"` : ''
}

/** A text without quotes that is to become another one. */
function exchanged(work: PlanState, tokens: Tokens): readonly string[] {
  const from = tokens.findIndex(({ word }) => /^(?:change|replace|correct)$/.test(word))
  const to = tokens.findIndex(({ word }, at) => at > from && /^(?:to|with|by|into|for)$/.test(word))
  if (from < 0 || to < 0 || tokens.some(({ kind }) => kind === 'quoted')) return []
  const isAll = tokens.at(-1)?.word === 'everywhere'
  const textOf = (part: Tokens): string => work.message.slice(part[0]?.start, part.at(-1)?.end)
  const [old, now] = [
    textOf(tokens.slice(from + 1, to)),
    textOf(tokens.slice(to + 1, isAll ? -1 : undefined)),
  ]
  // `Change the opening hours` names what is to change, and is not its text.
  const isText = tokens[from]?.word !== 'change' || /^[\p{Lu}\d]/u.test(old)
  // `Tuesdays in the banner` is a text and its place.
  const isPlaced = tokens.some(({ word }, at) => {
    const place = at > to && /^(?:in|on|of|from)$/.test(word) ? tokens.slice(at + 1) : []
    return [readItem, readField].some((read) => (read(work, place)?.candidates.length ?? 0) > 0)
  })
  return old && now && isText && !isPlaced ? [`Change "${old}" to "${now}"${isAll ? ' everywhere' : ''}`] : []
}

/** The parts of a message between its signs, the longest first. */
const phrasesOf = (tokens: Tokens): readonly Tokens[] =>
  Array.from({ length: longestPart }, (_, less) => longestPart - less).flatMap((length) =>
    tokens
      .slice(0, tokens.length - length + 1)
      .map((_, at) => tokens.slice(at, at + length))
      .filter(
        (part) =>
          part.every(({ kind }) => kind !== 'sign') &&
          part.some(({ kind }) => kind !== 'quoted') &&
          !beforePlace.test(part.at(-1)?.word ?? ''),
      ),
  )

/** The words behind the last word such as "say", without quotes, unless they are a place or name one. */
function unquoted(work: PlanState, tokens: Tokens, elsewhere: Tokens = []): string | undefined {
  // Two such words are two wishes.
  if (tokens.filter(({ word }) => beforeText.test(word)).length > 1) return undefined
  const at = tokens.findLastIndex(({ word }) => beforeText.test(word) || beforeTitle.test(word))
  const [first, ...rest] = at > 0 ? tokens.slice(at + 1) : []
  if (!first || readDestination(work, [first, ...rest]) || rest.some((token) => elsewhere.includes(token)))
    return undefined
  const text = work.message.slice(first.start, tokens.at(-1)?.end).trim()
  const isText = beforeText.test(tokens[at]?.word ?? '') || /^[\p{Lu}\d]/u.test(text)
  return text.includes('"') || !isText ? undefined : text
}

/** What words name as a kind of section, or of rows on the page; not "the" section that is there. */
function kindIn(work: PlanState, part: Tokens): string | undefined {
  if (part[0]?.article === 'the' && (readItem(work, part)?.candidates.length ?? 0) > 0) return undefined
  const noun = phraseOf(part)
  if (listsNamed(work, noun, blocksOn(work, work.slug))) return noun
  if (typesNamed(work.names, noun) === undefined) return undefined
  const name = part.map(({ text }) => text).join(' ')
  return name.endsWith('s') ? `${name} section` : name
}
