/** What a message is about, and the new texts in it: their words say nothing of what is to be done. */
import { wordSet } from '../../content/words.ts'
import type { Token, Tokens } from './tokens.ts'
import { beforeText, verbs, wantsMore } from './verbs.ts'

const about = /^(?:about|regarding|concerning)$/
/** What follows "about" in the name of a page. */
const inTitle = /^(?:us|me|page)$/
/** Begins a topic that is a clause, such as `how to lock the door`. */
const asking = /^(?:how|why|what|when|where|who|which|whether)$/
const endOfClause = /^[;.!]$/
const joint = wordSet(
  'and or then but to at on in from with above below before after under is are should must can needs',
)

/** A part of a message, as indexes of its tokens. */
interface Part {
  readonly from: number
  readonly end: number
  /** Whether it belongs to what is new: all that follows may be a part of it. */
  readonly isNew: boolean
}

/** Whether words ask for something new: `a page`, `add FAQ`, `write`; not `the text`, `remove a card`. */
function isOfNew(head: Tokens): boolean {
  const isOther = head.some(({ word }) =>
    [verbs.clear, verbs.move, verbs.copy].some((pattern) => pattern.test(word)),
  )
  const isOne = head.some(({ word, article }) => /^(?:an?|new)$/.test(article ?? '') || word === 'another')
  const isThere = head.some(({ article }) => /^(?:the|my|our)$/.test(article ?? ''))
  const isAdded = ({ word }: Token) =>
    verbs.add.test(word) || wantsMore.test(word) || /^(?:write|describe|explain)$/.test(word)
  return !isOther && (isOne || (!isThere && head.some(isAdded)))
}

/**
 * The topic at a token: `about boats`, `on how to lock the door`, and in what is new also `how to …` alone.
 */
function topicAt(tokens: Tokens, at: number): Part | undefined {
  const [mark, next] = [tokens[at], tokens[at + 1]]
  const isMarked = about.test(mark?.word ?? '') && !mark?.article && !inTitle.test(next?.word ?? '')
  const isBefore = isMarked || (mark?.word === 'on' && asking.test(next?.word ?? ''))
  const isClause = at > 1 && asking.test(mark?.word ?? '')
  if (!next || (!isBefore && !isClause)) return undefined
  const isNew = isOfNew(tokens.slice(0, at))
  if (!isBefore && !isNew) return undefined
  const from = isBefore ? at + 1 : at
  const isAsking = asking.test(tokens[from]?.word ?? '')
  // `how to` begins a clause.
  const end = tokens.findIndex(({ word, kind }, index) => {
    if (index < from + (isAsking ? 2 : 1)) return false
    return endOfClause.test(word) || (!(isAsking && isNew) && (kind === 'sign' || joint.has(word)))
  })
  return { from, end: end < 0 ? tokens.length : end, isNew }
}

/** The text behind a word such as `called`, or behind a colon if it is written like one, up to the end. */
function textAt(tokens: Tokens, at: number): Part | undefined {
  const [mark, next] = [tokens[at], tokens[at + 1]]
  if (!next || at === 0 || !beforeText.test(mark?.word ?? '')) return undefined
  const isText = mark?.word !== ':' || asking.test(next.word) || /^[\p{Lu}\d]/u.test(next.text)
  return isText ? { from: at + 1, end: tokens.length, isNew: true } : undefined
}

const partsOf = (tokens: Tokens, partAt: typeof topicAt): readonly Part[] =>
  tokens.flatMap((_, at) => partAt(tokens, at) ?? [])
const isWithin = (parts: readonly Part[], at: number): boolean =>
  parts.some(({ from, end }) => from <= at && at < end)

/** The words of a message that say what is to be done, without its topics and new texts. */
export function commandIn(tokens: Tokens): Tokens {
  const parts = [...partsOf(tokens, topicAt), ...partsOf(tokens, textAt)]
  return tokens.filter((_, at) => !isWithin(parts, at))
}

/**
 * The words of a message without those of what is new. What is there may be followed by what it is to become.
 */
export function withoutNew(tokens: Tokens): Tokens {
  const parts = [...partsOf(tokens, topicAt), ...partsOf(tokens, textAt)].filter(({ isNew }) => isNew)
  return tokens.filter((_, at) => !isWithin(parts, at))
}

/** The words that say what something new is about. */
export function topicOfNew(tokens: Tokens): Tokens {
  const parts = partsOf(tokens, topicAt).filter(({ isNew }) => isNew)
  return tokens.filter((_, at) => isWithin(parts, at))
}
