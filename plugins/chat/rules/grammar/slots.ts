import type { Lexicon } from '../lexicon/lexicon.ts'
import type { Token } from '../message/tokens.ts'
import { phraseEnds, type PhraseIndex } from './matcher.ts'
import { noParts, type Node } from './node.ts'
import type { PhraseTable } from './phrase-table.ts'
import type { SiteNames } from './site-names.ts'
import type { Vocabulary } from './vocabulary.ts'

/** What the slots that read single words look at. */
export interface WordGround {
  readonly message: string
  readonly tokens: readonly Token[]
  readonly lexicon: Lexicon
  readonly vocabulary: Vocabulary
  readonly names: SiteNames
  phrases(className: string): PhraseIndex
}

/** Reads everything that a slot may mean at a place; best reading first. */
type SlotReader = (ground: WordGround, at: number) => readonly Node[]

/** The most words of a name that nobody knows yet. */
const longestName = 5

/** The slots that are not made of other slots. */
export const wordSlots: Readonly<Record<string, SlotReader>> = {
  Quoted: single('Quoted', ({ kind }) => kind === 'quoted'),
  Address: single('Address', ({ kind }) => kind === 'address' || kind === 'route'),
  Route: single('Route', ({ kind }) => kind === 'route'),
  BlockId: single('BlockId', ({ kind }) => kind === 'blockId'),
  Literal: single('Literal', ({ kind, word }) => kind !== 'sign' && (kind !== 'word' || /^\d+$/.test(word)) && kind !== 'blockId'),
  Number: readNumber,
  Ordinal: readOrdinal,
  Words: readWords,
  Rest: readRest,
  BlockType: listed('BlockType', ({ vocabulary }) => vocabulary.blockTypes),
  FieldName: listed('FieldName', ({ vocabulary }) => vocabulary.fieldNames),
  Option: listed('Option', ({ vocabulary }) => vocabulary.options),
  PageName: listed('PageName', ({ names }) => names.pages()),
  Heading: listed('Heading', ({ names }) => names.headings()),
  RowLabel: listed('RowLabel', ({ names }) => names.rows()),
  RowNoun: rowNoun('RowNoun', ({ vocabulary }) => vocabulary.rowNouns),
  RowNounPlural: rowNoun('RowNounPlural', ({ vocabulary }) => vocabulary.rowNounsPlural),
}

/** What was written between two tokens, blanks made single. */
export function textBetween(
  { message, tokens }: Pick<WordGround, 'message' | 'tokens'>, start: number, end: number,
): string {
  const first = tokens[start]
  const last = tokens[end - 1]
  return first && last ? message.slice(first.start, last.end).replace(/\s+/g, ' ') : ''
}

function nodeOf(ground: WordGround, slot: string, start: number, end: number, more: Partial<Node> = {}): Node {
  return { slot, form: slot, start, end, parts: noParts, text: textBetween(ground, start, end), ...more }
}

function single(slot: string, accepts: (token: Token) => boolean): SlotReader {
  return (ground, at) => {
    const token = ground.tokens[at]
    if (!token || !accepts(token)) return []
    return [nodeOf(ground, slot, at, at + 1, { text: token.text, form: token.kind })]
  }
}

function listed(slot: string, table: (ground: WordGround) => PhraseTable<readonly string[]>): SlotReader {
  return (ground, at) => table(ground).find(ground.tokens, at)
    .map(({ value, end, phrase }) => nodeOf(ground, slot, at, end, { names: value, text: phrase }))
}

function rowNoun(slot: string, table: (ground: WordGround) => PhraseTable<{ readonly singular: readonly string[] }>): SlotReader {
  return (ground, at) => table(ground).find(ground.tokens, at)
    .map(({ value, end }) => nodeOf(ground, slot, at, end, { names: value.singular }))
}

function readNumber(ground: WordGround, at: number): readonly Node[] {
  const start = ground.tokens[at]?.word === '#' ? at + 1 : at
  const token = ground.tokens[start]
  if (token?.kind !== 'word') return []
  const number = /^\d{1,6}$/.test(token.word) ? Number(token.word) : numberNamed(ground.lexicon.numbers, token.word)
  return number === undefined ? [] : [nodeOf(ground, 'Number', at, start + 1, { number })]
}

function readOrdinal(ground: WordGround, at: number): readonly Node[] {
  const token = ground.tokens[at]
  const number = token?.kind === 'word' ? numberNamed(ground.lexicon.ordinals, token.word) : undefined
  return number === undefined ? [] : [nodeOf(ground, 'Ordinal', at, at + 1, { number })]
}

const numberNamed = (names: Readonly<Record<string, number>>, word: string) => (Object.hasOwn(names, word) ? names[word] : undefined)

/** Any words, as many as there are; or fewer, where a form goes on behind them. */
function readRest(ground: WordGround, at: number): readonly Node[] {
  return Array.from({ length: ground.tokens.length - at }, (_, index) => nodeOf(ground, 'Rest', at, ground.tokens.length - index, { text: '' }))
}

/** Words that may be the name of something that does not exist yet; the most words first. */
function readWords(ground: WordGround, at: number): readonly Node[] {
  const { tokens } = ground
  let end = at
  while (end < at + longestName && tokens[end]?.kind === 'word' && !isStopWord(ground, end)) end += 1
  return Array.from({ length: end - at }, (_, index) => nodeOf(ground, 'Words', at, end - index))
}

const isStopWord = ({ tokens, phrases }: WordGround, at: number) =>
  tokens[at]?.word === "'s" || phraseEnds(tokens, phrases('notName'), at).some((end) => end === at + 1)
