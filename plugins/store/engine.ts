import type { CollectionSpec, Columns, Row } from './port.ts'

/** An embedded driver; promises, checks and the grouping of commits are implemented on top of it. */

export type Values = Readonly<Record<string, string | number>>

/** A collection of any types. */
export type AnySpec = Pick<CollectionSpec<unknown, Columns>, 'name' | 'columns'> & {
  readonly indexes: readonly string[]
}

export interface StoredRow extends Omit<Row<Columns>, 'columns'> {
  readonly columns: Values
}

/** JSON as a string or as UTF-8 bytes; stored unchanged. */
export type Json = string | Uint8Array

export interface StoredDocument extends StoredRow {
  readonly json: Json
}

/** A checked range. Without `scope`, it covers every scope, sorted by scope and key. */
export interface Query {
  readonly scope?: string
  readonly where: readonly (readonly [column: string, value: string | number])[]
  readonly orderBy?: string
  readonly descending: boolean
  readonly after?: string
  readonly limit?: number
}

/** Synchronous reads of one collection. */
export interface Table {
  get(scope: string, key: string): StoredDocument | undefined
  rows(query: Query): readonly StoredRow[]
  list(query: Query): readonly StoredDocument[]
  count(query: Query): number
  /** The bytes of all bodies. */
  bytes(query: Query): number
}

/** Synchronous reads and writes of one collection. */
export interface WritableTable extends Table {
  /** Returns the new version, or `undefined` if `expect` is not the stored one. */
  put(
    scope: string,
    key: string,
    document: { readonly json: Json; readonly columns: Values },
    expect?: number,
  ): number | undefined
  /** Returns whether a document was removed; a document with a version other than `expect` is kept. */
  remove(scope: string, key: string, expect?: number): boolean
  /** Returns the number of removed documents. */
  clear(scope: string, before?: string): number
}

/** One writer, any number of readers, and one level of marks inside the open group. */
export interface Engine {
  /** Durable documents. */
  committed(spec: AnySpec): Table
  /** Every durable document, one by one. */
  bodies(): Iterable<Json>
  /** A number that changes with every commit. */
  commits(): number
  /** Documents as the open group sees them; only between `begin` and `commit` or `rollback`. */
  staged(spec: AnySpec): WritableTable
  begin(): Promise<void>
  /** Makes everything since `begin` durable; if it throws, `rollback` must follow. */
  commit(): void
  /** Drops everything since `begin`, even if the engine has already done so. */
  rollback(): void
  /** Sets a mark to roll back one transaction separately. */
  mark(): void
  /** Removes the mark and keeps the writes after it. */
  keep(): void
  /** Drops the writes after the mark. */
  undo(): void
  /** The failure that prevents the commit of the open group. */
  failure(): Error | undefined
  /** Writes a test value, to check whether writing is possible. */
  touch(): void
}

/** The value of a column in documents written before the column was declared. */
export const startValue = { text: '', integer: 0 } as const

/**
 * Compares text as UTF-8 databases do, by code point; JavaScript's `<` compares UTF-16 units and differs
 * beyond U+D800.
 */
export function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)]
    if (x !== y) return rank(x) - rank(y)
  }
  return a.length - b.length
}

/** Ranks surrogates, which encode the code points from U+10000 on, after all other units. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit
}
