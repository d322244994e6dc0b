/**
 * For a message that no form understands: a sentence that one does, with every name and text of the message.
 */
import { wordSet, wordsIn } from '../../content/words.ts'
import { labelOf } from '../../content/fields.ts'
import { numberOf, ordinalOf, singular, typesNamed, wordsOf } from './names.ts'
import { contrastAt, reworded } from './rewordings.ts'
import { sentencesFor } from './sentences.ts'
import { texts } from './texts.ts'
import { readRequest } from './request.ts'
import { fillers, phraseOf, type Token, type Tokens } from './tokens.ts'
import { topicOfNew } from './topics.ts'
import { isGoing, type VerbKind, verbs } from './verbs.ts'
import {
  AskError,
  blocksOn,
  filledFields,
  itemsOf,
  type Item,
  pageAt,
  textsOf,
  type PlanState,
} from './work.ts'
import { wishIn } from './wishes.ts'

/** A sentence, and how it is offered. */
interface Offer {
  readonly sentence: string
  readonly hint: string
  /** Whether it does all that the message says. */
  readonly isWhole: boolean
}

/** Bound the work for one message, in tokens and sentences. */
const longestMessage = 60
const mostTried = 60

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

/** What leaves the menu stays on the site, which no sentence does. */
const notRemoved = /^(?:off|out|away|cut)$/
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
    const isWhole = omitted?.length === 0 && !(plan instanceof AskError)
    if (omitted) return { sentence, hint: hintOf(work, sentence, plan, omitted), isWhole }
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
  const offered = readRequest(sentence).tokens
  const wordsOfAll = (part: Tokens) => new Set(part.flatMap(wordsOfToken))
  const [stated, statedOfIt] = [wordsOfAll(offered), wordsOfAll(offered.slice(1))]
  const touched = plan instanceof AskError ? [] : touchedBy(work, plan)
  const isReworded = reworded(work, tokens).includes(sentence)
  const replaced = isReworded ? tokens.slice(contrastAt(tokens)) : []
  const names = new Set(
    touched.flatMap((item) => [...namesOf(work, item), ...(isReworded ? textWordsOf(item) : [])]),
  )
  const topic = topicOfNew(tokens)
  const isCovered = (token: Token): boolean => {
    if (kind === 'add' && topic.length > 0 && token.word === 'paragraph') return true
    if (topic.includes(token)) return wordsOfToken(token).every((word) => statedOfIt.has(word))
    if (token.word === 'go' && isGoing.test(phraseOf(tokens))) return kind === 'remove' || kind === 'clear'
    if (token.word === 'but' || isLikeness(tokens, token)) return false
    if (joins.test(token.word)) return stated.has(token.word)
    if (token.kind === 'sign' || isFiller(kind, token) || verbs[kind].test(token.word)) return true
    if (token.kind === 'quoted') return sentence.includes(token.text)
    if (/^(?:every|all|each)$/.test(token.word)) return sentence.endsWith(' everywhere')
    if (replaced.includes(token) || (isReworded && /^(?:now|spelled|written)$/.test(token.word))) return true
    // The page that is shown.
    const isPage = token.word === 'page' && touched.some(({ slug }) => slug === work.slug)
    const isNext = !(plan instanceof AskError) && isNextRow(work, plan, token)
    return isPage || isNext || wordsOfToken(token).every((word) => stated.has(word) || names.has(word))
  }
  // What must not be empty is not cleared.
  if (kind === 'clear' && isTextAsked(plan)) return undefined
  if (isPageOmitted(work, tokens, sentence, touched)) return undefined
  const omitted = tokens.filter((token) => !isCovered(token))
  if (omitted.length === 0) return isLeaving(tokens, plan) ? undefined : omitted
  const isOpen = kind === 'add' ? !sentence.includes('"') : kind === 'set' && isTextAsked(plan)
  const isNamed = omitted
    .filter((token) => !topic.includes(token))
    .some((token) => isName(work, token) || isOtherWish(tokens, token))
  const isJoined = omitted.every(({ word }) => joins.test(word))
  return isOpen && !isNamed && !isJoined && !titleIn(work, omitted) ? omitted : undefined
}

/** What joins two things, both of which a sentence has to name. */
const joins = /^(?:and|or|plus|&|\+)$/
/** Fillers that name a part where something is removed, moved or copied. */
const parts = wordSet('text part area site website one some any about say says said saying read reads')

/** Whether a word says nothing in a sentence of a kind. */
const isFiller = (kind: VerbKind, { word }: Token): boolean =>
  fillers.has(word) && (kind === 'set' || kind === 'add' || !parts.has(word))

/** Whether a sentence leaves out another page, whose title may be of words such as `about us`. */
function isPageOmitted(work: PlanState, tokens: Tokens, sentence: string, touched: readonly Item[]): boolean {
  const [message, offered] = [tokens, readRequest(sentence).tokens].map((each) => ` ${phraseOf(each)} `)
  return work.draft.order.some((slug) => {
    const title = ` ${wordsOf(work.draft.page(slug)?.title ?? '')} `
    const isElsewhere = slug !== work.slug && !touched.some((item) => item.slug === slug)
    return isElsewhere && title.trim() !== '' && message?.includes(title) && !offered?.includes(title)
  })
}

/**
 * Whether a word is the verb of another wish, as in `print the headline` and `I want to print the FAQ`, or a
 * part of what a sentence names, as in `the language of the site`.
 */
const isOtherWish = (tokens: Tokens, token: Token): boolean => {
  if (wishIn(tokens)?.isNear) return false
  const at = tokens.indexOf(token)
  if (token.word === 'go' && isGoing.test(phraseOf(tokens))) return true
  const isFirst = at === 0 && token.article === undefined
  const isPart = tokens[at + 1]?.word === 'of' || tokens[at - 1]?.word === "'s"
  const before = phraseOf(tokens.slice(Math.max(0, at - 2), at))
  return isFirst || isPart || /^(?:want|need|like|have|has|how) to$/.test(before)
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
const textWordsOf = (item: Item): readonly string[] =>
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

/** A page that is to leave a place such as the menu is not to be removed. */
const isLeaving = (tokens: Tokens, plan: PlanState | AskError): boolean =>
  !(plan instanceof AskError) &&
  plan.ops.some(({ op }) => op === 'remove_page') &&
  tokens.some(({ word }) => notRemoved.test(word))

const isTextAsked = (plan: PlanState | AskError): boolean =>
  plan instanceof AskError && (plan.answerable.opening ?? plan.answerable.joint) !== undefined

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
