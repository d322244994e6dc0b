import { readField } from './field-references.ts'
import { readDestination } from './places.ts'
import { readItem, readItems, readPage, readPair } from './references.ts'
import type { Token, Tokens } from './tokens.ts'
import { readTitle, readValue } from './values.ts'
import type { FormChange, PlanState } from './work.ts'

const single =
  (kind: Token['kind']) =>
  (_work: PlanState, tokens: Tokens): Token | undefined =>
    tokens.length === 1 && tokens[0]?.kind === kind ? tokens[0] : undefined
const words = (_work: PlanState, tokens: Tokens): Tokens => tokens

/** What the words in capitals of a pattern stand for. Each reads some tokens, or gives `undefined`. */
const slots = {
  FIELD: readField,
  ITEM: readItem,
  ITEMS: readItems,
  PAIR: readPair,
  PAGE: readPage,
  PLACE: readDestination,
  VALUE: readValue,
  TITLE: readTitle,
  AUTHOR: readValue,
  TEXT: single('quoted'),
  ROUTE: single('route'),
  /** Read by the form itself. */
  NAME: words,
  CONTENT: words,
}
type Slot = keyof typeof slots
const isSlot = (word: string): word is Slot => Object.hasOwn(slots, word)

/** What each slot reads. */
export type Slots = { readonly [S in Slot]: NonNullable<ReturnType<(typeof slots)[S]>> }
type Words<P extends string> = P extends `${infer First} ${infer Rest}` ? First | Words<Rest> : P
type Optional<W> = W extends `[${infer S}]` | `${infer S}]` ? Extract<S, Slot> : never

/** The readings of the slots of a pattern; those in brackets may be missing. */
type Readings<P extends string> = Pick<Slots, Extract<Words<P>, Slot>> &
  Partial<Pick<Slots, Optional<Words<P>>>>

/** Words of which one is meant, a slot, or an optional part. */
type Element = { readonly words: ReadonlySet<string> } | Slot | readonly Element[]

/** A form: its pattern, what it does, and messages that it understands, which are its tests. */
export interface Form {
  readonly pattern: string
  readonly elements: readonly Element[]
  readonly plan: (work: PlanState, readings: never) => FormChange
  /**
   * Lines of `PAGE SELECTION: MESSAGE => RESULT` on the example site of the tests, with a short notation of
   * results.
   *
   * HELD: approval is needed, for these reasons. CLARIFY: a question. NOOP: already so.
   */
  readonly examples: string
}

/**
 * Defines a form by a pattern such as `set|change FIELD to VALUE [on PAGE]`.
 *
 * `|` separates alternatives, capitals are slots, brackets enclose an optional part.
 */
export function form<const P extends string>(
  pattern: P,
  plan: (work: PlanState, readings: Readings<P>) => FormChange,
  examples: string,
): Form {
  const parts = pattern.matchAll(/\[([^[\]]+)\]|\S+/g)
  const elements = parts.map(([part, optional]) => optional?.split(' ').map(elementOf) ?? elementOf(part))
  return { pattern, elements: [...elements], plan, examples }
}

const elementOf = (word: string): Element => (isSlot(word) ? word : { words: new Set(word.split('|')) })

/**
 * In tokens: matching stays linear in the length of a message, because only what ends a clause may be longer.
 */
const longestReference = 16
const endings: ReadonlySet<Slot> = new Set(['VALUE', 'TITLE', 'CONTENT'])

/** Every way in which all tokens match a form, with the readings of its slots. */
export function matches(
  work: PlanState,
  elements: readonly Element[],
  tokens: Tokens,
  readings: object = {},
): readonly object[] {
  const [element, next] = elements
  if (element === undefined) return tokens.length === 0 ? [readings] : []
  const rest = elements.slice(1)
  if (typeof element === 'object') {
    if (!('words' in element))
      return [[...element, ...rest], rest].flatMap((each) => matches(work, each, tokens, readings))
    return element.words.has(tokens[0]?.word ?? '') ? matches(work, rest, tokens.slice(1), readings) : []
  }
  const all: object[] = []
  const words = typeof next === 'object' && 'words' in next ? next.words : undefined
  const most = endings.has(element) ? tokens.length : Math.min(tokens.length, longestReference)
  for (let end = 1; end <= most; end = end < longestReference ? end + 1 : Math.max(end + 1, most)) {
    // What follows is compared first: it is cheaper than reading a reference.
    if (next === undefined ? end < tokens.length : words && !words.has(tokens[end]?.word ?? '')) continue
    const reading = slots[element](work, tokens.slice(0, end))
    if (reading) all.push(...matches(work, rest, tokens.slice(end), { ...readings, [element]: reading }))
  }
  return all
}
