/** The values of a data file, with their places. JSON, YAML and TOML are read into this one form. */
import { isPlainObject } from '../content/plain-object.ts'
import type { Unreadable } from './outcome.ts'
import type { Span } from './ranges.ts'

export type Scalar = string | number | boolean | null

/** How a scalar is written: a word of its syntax, such as `double` for text in double quotes. */
export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal' | 'folded' | 'date' | 'float' | 'tripled'

/** One value, of which only the form of its text can be replaced. */
export interface ScalarNode extends Span {
  readonly kind: 'scalar'
  readonly value: Scalar
  readonly style: ScalarStyle
}

/** A value that is shown as it is written, and not changed. */
export interface FixedNode extends Span {
  readonly kind: 'fixed'
  readonly value: unknown
  /** Why it is not changed, as the end of a sentence. */
  readonly because: string
}

/** How the elements of an object or list are laid out. Elements of a `fixed` one are not added or removed. */
export type Layout = 'flow' | 'lines' | 'fixed'

/** A named value of an object; its span holds name and value. */
export interface Member extends Span {
  readonly name: string
  /** Where the name and what follows it end. */
  readonly valueFrom: number
  readonly value: ValueNode
  /** Whether it is a table of its own, which is not removed. */
  readonly isApart?: boolean
}

export interface ObjectNode extends Span {
  readonly kind: 'object'
  readonly layout: Layout
  /** Where a new member is written, if not behind the last one. */
  readonly end?: number
  readonly members: readonly Member[]
}

/** An element of a list; its span holds also the mark in front of it. */
export interface ListRow extends Span {
  readonly value: ValueNode
}

export interface ListNode extends Span {
  readonly kind: 'list'
  readonly layout: Layout
  readonly rows: readonly ListRow[]
}

export type ValueNode = ScalarNode | FixedNode | ObjectNode | ListNode

/** Where a value is to be written. */
export interface Spot {
  readonly text: string
  /** The value that is there now. */
  readonly now?: ValueNode | undefined
  /** All values of the text, if one is replaced. */
  readonly tree?: ValueNode | undefined
  /** Whether it is inside of brackets. */
  readonly inFlow: boolean
  /** The column of the names or marks around it. */
  readonly column: number
  /** The text of a row beside a new one. */
  readonly beside?: string | undefined
}

/** A syntax of data. All functions are pure, and none throws. */
export interface Syntax {
  /** Reads a text. An empty one is an object without members where the syntax has no other meaning for it. */
  parse(text: string): ValueNode | Unreadable
  /** The texts that may stand for a value at a place, the least change first. Read back, some may differ. */
  spellings(value: unknown, spot: Spot): readonly string[]
  /** A new member of an object or list, without separators. */
  member(name: string, value: unknown, spot: Spot): string
  row(value: unknown, spot: Spot): string
  /** Finds comments. */
  readonly comment: RegExp
}

/** The value of a node. Of a repeated name, the last counts. */
export function valueOf(node: ValueNode): unknown {
  if (node.kind === 'object') {
    const value: Record<string, unknown> = {}
    // Never the setter of a prototype.
    for (const { name, value: each } of node.members)
      Object.defineProperty(value, name, {
        value: valueOf(each),
        enumerable: true,
        writable: true,
        configurable: true,
      })
    return value
  }
  return node.kind === 'list' ? node.rows.map(({ value }) => valueOf(value)) : node.value
}

export const isScalar = (value: unknown): value is Scalar => value === null || typeof value !== 'object'

/** Whether a value has nothing in it. */
export const isEmpty = (value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 : isPlainObject(value) && Object.keys(value).length === 0
