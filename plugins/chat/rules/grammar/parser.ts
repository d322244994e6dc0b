import { vagueWordsFor } from '../lexicon/index.ts'
import type { Lexicon, Rule } from '../lexicon/lexicon.ts'
import type { Token } from '../message/tokens.ts'
import type { Clues } from './clues.ts'
import { compiled } from './compiled.ts'
import { matchAll, phraseEnds, TooManySteps, withoutExcess, type Ground } from './matcher.ts'
import type { Node, Parts } from './node.ts'
import type { SiteNames } from './site-names.ts'
import { wordSlots } from './slots.ts'
import { readValue } from './value.ts'
import type { Vocabulary } from './vocabulary.ts'

/** One way to read a clause: by which rule, with what in its slots. */
export interface Reading {
  readonly rule: Rule
  readonly parts: Parts
  readonly start: number
  readonly end: number
}

/** Where a message goes on after a clause: with another clause, or not at all. */
export type Next = number | 'end'

/** What the clause before did, as far as the next one may go on with it. */
export type Before = 'set' | 'move' | 'add' | 'page' | undefined

export interface Parser {
  readonly message: string
  readonly tokens: readonly Token[]
  /** The ways to read the clause that begins here, best first, each with a rest that reads as clauses too; looked for one by one. */
  clausesAt(at: number, before: Before): Iterable<Reading & { readonly next: Next }>
  /** The ways to read the whole message as a question. */
  questions(): readonly Reading[]
  /** The readings of a slot that take all tokens. */
  wholeSlot(name: string): readonly Node[]
  step(): void
}

/** A message of ordinary length takes a few thousand steps. */
const mostSteps = 400_000

export function createParser({ message, tokens, lexicon, vocabulary, names }: {
  readonly message: string
  readonly tokens: readonly Token[]
  readonly lexicon: Lexicon
  readonly vocabulary: Vocabulary
  readonly names: SiteNames
}): Parser {
  const { phrases, forms, rules, questions } = compiled(lexicon)
  const slotMemo = new Map<string, (readonly Node[])[]>()
  const clauseMemo = new Map<string, Iterable<Reading>>()
  const restMemo = new Map<string, boolean>()
  const saidMemo = new Map<ReadonlySet<string>, boolean>()
  let count = 0

  const step = (): void => {
    count += 1
    if (count > mostSteps) throw new TooManySteps('This message has too many readings.')
  }
  const ground: Ground = { tokens, phrases, slot, step }
  const words = { message, tokens, lexicon, vocabulary, names, phrases }
  const valueGround = {
    message, tokens, lexicon, vague: vagueWordsFor(lexicon), clauseAfter,
    canContinue: (at: number) => canContinue(at, 'set') || canContinue(at, 'page'),
    isName: (start: number, end: number) => slot('Existing', start).some((node) => node.end === end && !isUnknownPage(node)),
    isWhere: (start: number, end: number) => slot('Whereabouts', start).some((node) => node.end === end && !isPronoun(node)),
    isVerb: (at: number, isAnyCase = false) => (isAnyCase || tokens[at]?.text === tokens[at]?.word) && verbClasses.some((name) => skip(name, at) !== undefined),
    isField: (at: number) => slot('FieldName', at).length > 0,
    isOption: (start: number, end: number) => slot('Option', start).some((node) => node.end === end),
    phraseBefore,
    isNameAt: (at: number, className?: string) => (className === undefined || Object.hasOwn(lexicon.words, className))
      && slot('Existing', at).some((node) => !isUnknownPage(node) && (className === undefined || skip(className, node.end) !== undefined)),
  }

  return {
    message, tokens, step,
    *clausesAt(at, before) {
      for (const reading of readingsAt(at, before)) for (const next of nextsOf(reading)) yield { ...reading, next }
    },
    questions: () => questions(firstWord(0)).filter(isWorthTrying).flatMap(({ rule, steps }) => matchAll(ground, steps, 0)
      .filter(({ end }) => end === tokens.length)
      .map(({ parts, end }) => ({ rule, parts, start: 0, end }))),
    wholeSlot: (name) => slot(name, 0).filter(({ end }) => isEnd(end)),
  }

  /** Every reading of a slot at a place. A slot that is still being read there has none: forms do not begin with themselves. */
  function slot(name: string, at: number): readonly Node[] {
    const places = slotMemo.get(name) ?? []
    const known = places[at]
    if (known) return known
    if (places.length === 0) slotMemo.set(name, places)
    places[at] = []
    const nodes = name === 'Value' ? readValue(valueGround, at) : (wordSlots[name]?.(words, at) ?? composed(name, at))
    places[at] = nodes
    return nodes
  }

  function composed(name: string, at: number): readonly Node[] {
    const nodes: Node[] = []
    for (const row of forms(name)(firstWord(at))) {
      if (!isWorthTrying(row)) continue
      for (const { end, parts } of matchAll(ground, row.steps, at)) if (end > at) nodes.push({ slot: name, form: row.form, start: at, end, parts })
    }
    return withoutExcess(nodes)
  }

  /** What stands in quotes is no word. */
  function firstWord(at: number): string {
    return tokens[at]?.word ?? ''
  }

  /** Most forms need a word that the message does not have. */
  function isWorthTrying({ needs }: Clues): boolean {
    return needs.every(isSaid)
  }

  function isSaid(words: ReadonlySet<string>): boolean {
    const known = saidMemo.get(words)
    if (known !== undefined) return known
    const found = tokens.some(({ word }) => words.has(word))
    saidMemo.set(words, found)
    return found
  }

  function readingsAt(at: number, before: Before): Iterable<Reading> {
    const key = `${before} ${at}`
    const known = clauseMemo.get(key)
    if (known) return known
    const found = madeOnce(readings(at, before))
    clauseMemo.set(key, found)
    return found
  }

  function* readings(at: number, before: Before): Generator<Reading> {
    for (const row of rules(firstWord(at))) {
      const { rule, steps } = row
      if (!isAllowed(rule, before) || !isWorthTrying(row)) continue
      for (const { end, parts } of matchAll(ground, steps, at)) if (end > at) yield { rule, parts, start: at, end }
    }
  }

  function nextsOf({ rule, end }: Reading): readonly Next[] {
    if (rule.leads) return canContinue(end, 'set') ? [end] : []
    if (isEnd(end)) return ['end']
    const next = clauseAfter(end)
    return next !== undefined && canContinue(next, goesOn[rule.action]) ? [next] : []
  }

  function canContinue(at: number, before: Before): boolean {
    const key = `${before} ${at}`
    const known = restMemo.get(key)
    if (known !== undefined) return known
    restMemo.set(key, false)
    const found = isAny(readingsAt(at, before), (reading) => nextsOf(reading).length > 0)
    restMemo.set(key, found)
    return found
  }

  /** Skips the connector at a place, and the little words behind it. The one in `rock-and-roll` connects nothing. */
  function clauseAfter(at: number): number | undefined {
    if (message[(tokens[at]?.start ?? 0) - 1] === '-') return undefined
    let end = at
    for (let next = skip('connector', end); next !== undefined; next = skip('connector', end)) end = next
    if (end === at) return isSentenceEnd(at) ? at : undefined
    for (let next = skip('filler', end); next !== undefined; next = skip('filler', end)) end = next
    return end
  }

  /** Tells whether a sentence ends inside of the quotes before a token, and another begins: `"Ready?" Title: …`. */
  function isSentenceEnd(at: number): boolean {
    const before = tokens[at - 1]
    return before?.kind === 'quoted' && /[.!?]$/.test(before.text) && /^\p{Lu}/u.test(tokens[at]?.text ?? '')
  }

  function skip(className: string, at: number): number | undefined {
    return phraseEnds(tokens, phrases(className), at)[0]
  }

  function phraseBefore(className: string, end: number): number | undefined {
    if (!Object.hasOwn(lexicon.words, className)) return undefined
    const isSmall = (at: number) => tokens.slice(at, end).every(({ text }) => text === text.toLowerCase())
    return [end - 3, end - 2, end - 1].find((at) => at >= 0 && phraseEnds(tokens, phrases(className), at).includes(end) && isSmall(at))
  }

  function isEnd(at: number): boolean {
    return tokens.slice(at).every(({ kind, word }) => kind === 'sign' && '.!?'.includes(word))
  }
}

const verbClasses = [
  'set', 'add', 'addBlock', 'remove', 'move', 'copy', 'create', 'rename', 'clear', 'swap', 'replace', 'link', 'show', 'otherVerb',
]

const isPronoun = ({ parts: { block } }: Node) => block?.parts['at']?.form === 'it'

const isUnknownPage = ({ parts: { page } }: Node) => page?.parts['page']?.form === 'unknown'

/** After these a clause may go on with another field and its value, or with another thing and its place. */
const goesOn: Readonly<Record<string, Before>> = {
  lead: 'set', setField: 'set', setRow: 'set', setNext: 'set', titleBlock: 'set', sayBlock: 'set', link: 'set', setImage: 'set',
  moveBlock: 'move', moveRow: 'move', addBlock: 'add', addRow: 'add', setMeta: 'page', siteName: 'page', logo: 'page',
}

const isAllowed = ({ continues }: Rule, before: Before) => continues === undefined || (continues === true ? 'set' : continues) === before

/** What an iterator gives, for whoever asks: made once, and no further than somebody goes. */
function madeOnce<T>(source: Iterator<T>): Iterable<T> {
  const made: T[] = []
  return {
    *[Symbol.iterator]() {
      for (let index = 0; ; index += 1) {
        if (index === made.length) {
          const { done, value } = source.next()
          if (done) return
          made.push(value)
        }
        yield made[index] as T
      }
    },
  }
}

function isAny<T>(all: Iterable<T>, is: (one: T) => boolean): boolean {
  for (const one of all) if (is(one)) return true
  return false
}

/** How the next clause may go on with what this one did. */
export const isFollowedBy = ({ rule }: Reading): Before => goesOn[rule.action]
