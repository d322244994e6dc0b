import type { Operation } from '../content/operations/index.ts'
import { readBlock, readBlocks, readField, readPage, readPlace, readRow, readRows } from './references.ts'
import type { Token } from './tokens.ts'
import { readValue } from './values.ts'
import type { Work } from './work.ts'

type Tokens = readonly Token[]

const single =
  (kinds: readonly Token['kind'][]) =>
  (_work: Work, tokens: Tokens): Token | undefined =>
    tokens.length === 1 && kinds.some((kind) => kind === tokens[0]?.kind) ? tokens[0] : undefined

/** What the words in capitals of a pattern stand for. Each reads some tokens, or gives `undefined`. */
const slots = {
  FIELD: readField,
  BLOCK: readBlock,
  BLOCKS: readBlocks,
  ROW: readRow,
  ROWS: readRows,
  PAGE: readPage,
  PLACE: readPlace,
  VALUE: readValue,
  TEXT: single(['quoted']),
  ROUTE: single(['route']),
  /** Read by the form itself. */
  WORDS: (_work: Work, tokens: Tokens): Tokens | undefined => (tokens.length > 0 ? tokens : undefined),
  WITH: (_work: Work, tokens: Tokens): Tokens | undefined => (tokens.length > 0 ? tokens : undefined),
}

type Name = keyof typeof slots
type Reading<N extends Name> = NonNullable<ReturnType<(typeof slots)[N]>>
type Words<P extends string> = P extends `${infer First} ${infer Rest}` ? First | Words<Rest> : P
type Optional<W> = W extends `${string}]` ? W : never
type NamedBy<W> = W extends `[${infer N}]` | `${infer N}]` | `${infer N}` ? Extract<N, Name> : never

/** The readings of the slots of a pattern; those in brackets may be missing. */
export type Readings<P extends string> = {
  readonly [N in NamedBy<Exclude<Words<P>, Optional<Words<P>>>>]: Reading<N>
} & { readonly [N in NamedBy<Optional<Words<P>>>]?: Reading<N> }

/** The operations of a form; `undefined` if the words mean something else. Asks if something is missing. */
export type Change = readonly Operation[] | undefined

/** A form: its pattern, what it does, and messages that it understands, which are its tests. */
export interface Form {
  readonly pattern: string
  readonly examples: readonly Example[]
  readonly elements: readonly Element[]
  readonly plan: (work: Work, readings: never, tokens: Tokens) => Change
}

/**
 * A message on the example site of the tests: page and selection, message, result in a short notation.
 *
 * HELD: approval is needed, for these reasons. CLARIFY: a question. NOOP: already so.
 */
export type Example = readonly [at: string, message: string, result: string]

/** A word of alternatives, a slot, or an optional part. */
type Element =
  | { readonly words: readonly (readonly string[])[] }
  | { readonly slot: Name }
  | { readonly optional: readonly Element[] }

/**
 * Defines a form by a pattern such as `set|change FIELD to VALUE [on PAGE]`.
 *
 * `|` separates alternatives, `_` joins the words of one, capitals are slots, brackets enclose an optional part.
 */
export function form<const P extends string>(
  pattern: P,
  plan: (work: Work, readings: Readings<P>, tokens: Tokens) => Change,
  examples: readonly Example[] = [],
): Form {
  return { pattern, elements: elementsOf(pattern), plan, examples }
}

function elementsOf(pattern: string): readonly Element[] {
  const elements: Element[] = []
  let optional: Element[] | undefined
  for (const part of pattern.split(' ')) {
    if (part.startsWith('[')) optional = []
    const name = part.replace(/[[\]]/g, '')
    const element: Element = Object.hasOwn(slots, name)
      ? { slot: name as Name }
      : { words: name.split('|').map((words) => words.split('_')) }
    ;(optional ?? elements).push(element)
    if (part.endsWith(']') && optional) {
      elements.push({ optional })
      optional = undefined
    }
  }
  return elements
}

/** The words that patterns begin with. */
export function verbsOf(forms: readonly Form[]): ReadonlySet<string> {
  const first = forms.map(({ elements: [element] }) => element)
  return new Set(
    first.flatMap((element) =>
      element && 'words' in element ? element.words.map(([word = '']) => word) : [],
    ),
  )
}

/** The longest reference, in tokens: matching stays linear in the length of a message. */
const longestReference = 16

/** Every way in which a form matches all tokens, with the readings of its slots. */
export function* matches(
  work: Work,
  { elements }: Form,
  tokens: Tokens,
): Generator<Readonly<Record<string, unknown>>> {
  yield* matchFrom(work, elements, tokens, {})
}

function* matchFrom(
  work: Work,
  [element, ...rest]: readonly Element[],
  tokens: Tokens,
  readings: Readonly<Record<string, unknown>>,
): Generator<Readonly<Record<string, unknown>>> {
  if (!element) {
    if (tokens.length === 0) yield readings
  } else if ('words' in element) {
    for (const words of element.words) {
      const isHere = words.every((word, index) => tokens[index]?.word === word)
      if (isHere) yield* matchFrom(work, rest, tokens.slice(words.length), readings)
    }
  } else if ('optional' in element) {
    yield* matchFrom(work, [...element.optional, ...rest], tokens, readings)
    yield* matchFrom(work, rest, tokens, readings)
  } else {
    const isRest = rest.length === 0
    const most = isOpen(element.slot) ? tokens.length : Math.min(tokens.length, longestReference)
    for (let end = isRest ? tokens.length : 1; end <= most; end += 1) {
      // What follows is compared first: it is cheaper than reading a reference.
      if (!mayFollow(rest, tokens[end])) continue
      const reading = slots[element.slot](work, tokens.slice(0, end))
      if (reading !== undefined)
        yield* matchFrom(work, rest, tokens.slice(end), { ...readings, [element.slot]: reading })
    }
  }
}

const isOpen = (slot: Name): boolean => slot === 'VALUE' || slot === 'WITH'

function mayFollow([next]: readonly Element[], token: Token | undefined): boolean {
  if (!next) return token === undefined
  return 'words' in next ? next.words.some(([word]) => word === token?.word) : true
}
