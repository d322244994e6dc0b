import type { Lexicon } from '../lexicon/lexicon.ts'
import { emoji, type Token } from '../message/tokens.ts'
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
  Literal: readLiteral,
  Number: readNumber,
  Figure: readFigure,
  Ordinal: readOrdinal,
  Words: readWords,
  Title: (ground, at) => readWords(ground, at).filter(({ text = '' }) => !/^\p{Ll}/u.test(text)),
  Rest: readRest,
  Cells: readCells,
  BlockType: listed('BlockType', ({ vocabulary }) => vocabulary.blockTypes),
  FieldName: listed('FieldName', ({ vocabulary }) => vocabulary.fieldNames),
  Option: listed('Option', ({ vocabulary }) => vocabulary.options),
  PageName: listed('PageName', ({ names }) => names.pages()),
  PageWord: readPageWord,
  NewPageWord: readNewPageWord,
  AnyPageWord: readAnyPageWord,
  Owner: readOwner,
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

/** A page in a word that is made of its name and an ending. */
function readPageWord(ground: WordGround, at: number): readonly Node[] {
  const { tokens, names } = ground
  const token = tokens[at]
  if (token?.kind !== 'word') return []
  const pages = namesInWord(ground, token).flatMap((word) => names.pages().find([{ ...token, word }], 0))
  return [...new Set(pages.map(({ phrase }) => phrase))].map((text) => nodeOf(ground, 'PageWord', at, at + 1, { text }))
}

/** The same for a page that does not exist yet, where the word has only one beginning that could be a name. */
function readNewPageWord(ground: WordGround, at: number): readonly Node[] {
  const token = ground.tokens[at]
  const [name, ...others] = token?.kind === 'word' ? namesInWord(ground, token, (_, instead) => instead === '') : []
  if (!token || name === undefined || others.length > 0) return []
  return [nodeOf(ground, 'NewPageWord', at, at + 1, { text: token.text.slice(0, name.length) })]
}

/** The same for a page that is asked for: what it is called does not matter as long as it is not found. */
function readAnyPageWord(ground: WordGround, at: number): readonly Node[] {
  const token = ground.tokens[at]
  const [name] = token?.kind === 'word' ? namesInWord(ground, token, (_, instead) => instead === '') : []
  return token && name !== undefined ? [nodeOf(ground, 'AnyPageWord', at, at + 1, { text: token.text })] : []
}

/** Words of a message, with those that others are made of. */
export const wordsSaid = (tokens: readonly Token[], lexicon: Lexicon): ReadonlySet<string> =>
  new Set(tokens.flatMap((token) => [token.word, ...namesInWord({ lexicon }, token)]))

function namesInWord(
  { lexicon: { pageEndings = [] } }: Pick<WordGround, 'lexicon'>, { word }: Token, fits: (ending: string, instead: string) => boolean = () => true,
): readonly string[] {
  return pageEndings.filter(([ending, instead]) => fits(ending, instead) && word.endsWith(ending) && word.length > ending.length + 1)
    .map(([ending, instead]) => word.slice(0, -ending.length) + instead)
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

/** A value that is no words: a text in quotes, an address, a number, a picture of a few signs such as 📞. */
function readLiteral(ground: WordGround, at: number): readonly Node[] {
  const { tokens } = ground
  const isEmoji = (place: number) => tokens[place]?.kind === 'sign' && emoji.test(tokens[place].word) && (place === at || tokens[place].start === tokens[place - 1]?.end)
  let end = at
  while (isEmoji(end)) end += 1
  if (end > at) return [nodeOf(ground, 'Literal', at, end, { form: 'sign' })]
  return single('Literal', ({ kind, word }) => kind !== 'sign' && (kind !== 'word' || /^\d+$/.test(word)) && kind !== 'blockId')(ground, at)
}

const isUnit = (token: Token | undefined) => token !== undefined && /^[€$£%]$/.test(token.word)
const isDigits = (token: Token | undefined) => token?.kind === 'word' && /^\d+$/.test(token.word)

/** A figure as it is written: with a unit, or with signs between its digits. A bare number may count things. */
function readFigure(ground: WordGround, at: number): readonly Node[] {
  const { tokens } = ground
  const first = isUnit(tokens[at]) ? at + 1 : at
  if (!isDigits(tokens[first])) return []
  let end = first + 1
  while (isJoint(tokens, end) && isDigits(tokens[end + 1])) end += 2
  if (first === at && isUnit(tokens[end])) end += 1
  return end - at === 1 ? [] : [nodeOf(ground, 'Figure', at, end)]
}

/** A sign with no blank around it. */
function isJoint(tokens: readonly Token[], at: number): boolean {
  const [before, sign, next] = [tokens[at - 1], tokens[at], tokens[at + 1]]
  return sign !== undefined && /^[.,:]$/.test(sign.word) && before?.end === sign.start && next?.start === sign.end
}

function readOrdinal(ground: WordGround, at: number): readonly Node[] {
  const { tokens, lexicon: { ordinals, ordinalSign } } = ground
  const token = tokens[at]
  if (token?.kind !== 'word') return []
  const number = numberNamed(ordinals, token.word)
  if (number !== undefined) return [nodeOf(ground, 'Ordinal', at, at + 1, { number })]
  const sign = tokens[at + 1]
  const isSigned = sign !== undefined && sign.word === ordinalSign && sign.start === token.end && /^\d{1,4}$/.test(token.word)
  return isSigned ? [nodeOf(ground, 'Ordinal', at, at + 2, { number: Number(token.word) })] : []
}

const numberNamed = (names: Readonly<Record<string, number>>, word: string) => (Object.hasOwn(names, word) ? names[word] : undefined)

/** Any words, as many as there are; or fewer, where a form goes on behind them. */
function readRest(ground: WordGround, at: number): readonly Node[] {
  return Array.from({ length: ground.tokens.length - at }, (_, index) => nodeOf(ground, 'Rest', at, ground.tokens.length - index, { text: '' }))
}

/** Texts with commas between them, to the end of the message: with an `and` something else may follow. */
function readCells(ground: WordGround, at: number): readonly Node[] {
  const { tokens, phrases } = ground
  const end = tokens.at(-1)?.word === '.' ? tokens.length - 1 : tokens.length
  const isJoined = tokens.slice(at, end).some(({ word }, index) => word !== ',' && phraseEnds(tokens, phrases('connector'), at + index).length > 0 && !/^[-–—]$/.test(word))
  return isJoined || at >= end ? [] : [nodeOf(ground, 'Cells', at, end)]
}

/** Words that may be the name of something that does not exist yet; the most words first. */
function readWords(ground: WordGround, at: number): readonly Node[] {
  const { tokens } = ground
  let end = at
  while (end < at + longestName && tokens[end]?.kind === 'word' && !isStopWord(ground, end)) end += 1
  return Array.from({ length: end - at }, (_, index) => nodeOf(ground, 'Words', at, end - index))
}

/** Names that end as those do that something belongs to. */
function readOwner(ground: WordGround, at: number): readonly Node[] {
  const { ownerEnding } = ground.lexicon
  if (ownerEnding === undefined) return []
  return readWords(ground, at).filter(({ text = '' }) => text.endsWith(ownerEnding))
    .map((node) => ({ ...node, text: (node.text ?? '').slice(0, -ownerEnding.length) }))
}

const isStopWord = ({ tokens, phrases }: WordGround, at: number) =>
  tokens[at]?.word === "'s" || phraseEnds(tokens, phrases('notName'), at).some((end) => end === at + 1)
