import * as v from 'valibot'
import { service } from '../../kernel/index.ts'

/** Values of a document in separate columns, so that lists and filters never load bodies. */
export type Columns = Readonly<Record<string, 'text' | 'integer'>>
export type ColumnValues<C extends Columns> = { readonly [K in keyof C]: C[K] extends 'text' ? string : number }

/** True for a text that can be a scope, a key or the value of a text column; another is refused with `text_not_storable`. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

export { textNotStorable } from './refusals.ts'

/** A collection as data; a driver turns it into a table. */
export interface CollectionSpec<Body, C extends Columns> {
  /** Unique in one store; letters, digits and `_`. */
  readonly name: string
  readonly body: v.GenericSchema<unknown, Body>
  readonly columns: C
  /** Columns, each of which gets an index within its scope. */
  readonly indexes: readonly (keyof C & string)[]
}

/** Describes a collection: documents under (scope, key), each with a version, columns and a JSON body. */
export function defineCollection<Body, const C extends Columns>(
  name: string,
  body: v.GenericSchema<unknown, Body>,
  { columns, indexes = [] }: { readonly columns: C; readonly indexes?: readonly (keyof C & string)[] },
): CollectionSpec<Body, C> {
  return { name, body, columns, indexes }
}

/** Bodies that only one plugin writes, in this type, and that are not parsed when they are read. */
export const trusted = <Body>(): v.GenericSchema<unknown, Body> => v.custom<Body>(() => true)

/** A document without its body. */
export interface Row<C extends Columns> {
  readonly scope: string
  readonly key: string
  /** 1 for the first write, incremented by each further one. A removed and rewritten document starts at 1 again. */
  readonly version: number
  readonly columns: ColumnValues<C>
}

/** A document; the body as parsed JSON, and as the JSON that was stored. */
export interface Document<Body, C extends Columns> extends Row<C> {
  readonly body: Body
  readonly text: string
  /** The same in UTF-8. */
  readonly bytes: Uint8Array
}

export interface Range<C extends Columns> {
  /** Only rows whose columns equal these. */
  readonly where?: Partial<ColumnValues<C>>
  /** Sorts by this column, then by key; by key alone without it. */
  readonly orderBy?: keyof C & string
  readonly descending?: boolean
  /** Only keys after (descending: before) this one; not together with `orderBy`. */
  readonly after?: string
  readonly limit?: number
}

/** Reads of one collection. Outside a transaction they see committed writes; inside one also its own and all staged ones. */
export interface Reader<Body, C extends Columns> {
  get(scope: string, key: string): Promise<Document<Body, C> | undefined>
  /** Rows of one scope without bodies. */
  rows(scope: string, range?: Range<C>): Promise<readonly Row<C>[]>
  /** Documents of one scope with bodies. */
  list(scope: string, range?: Range<C>): Promise<readonly Document<Body, C>[]>
  /** Rows of every scope, by scope and key. */
  everywhere(range?: Pick<Range<C>, 'where' | 'limit'>): Promise<readonly Row<C>[]>
  count(scope: string, where?: Partial<ColumnValues<C>>): Promise<number>
  /** The total size of the bodies of one scope in bytes, without loading them. */
  bytes(scope: string): Promise<number>
}

/** Reads and writes of one collection inside a transaction. */
export interface Writer<Body, C extends Columns> extends Reader<Body, C> {
  /**
   * Writes a document and returns its new version.
   *
   * `text`, or `bytes` in UTF-8, is the body as JSON if the caller has it already; it must be equivalent to
   * `JSON.stringify(body)`.
   * Refuses with `version_mismatch` when `expect` is not the stored version (`0` means: missing).
   */
  put(scope: string, key: string, document: { readonly body: Body; readonly text?: string; readonly bytes?: Uint8Array; readonly columns: ColumnValues<C> },
    options?: { readonly expect?: number }): Promise<number>
  /** Removes a document; returns whether it existed. */
  remove(scope: string, key: string, options?: { readonly expect?: number }): Promise<boolean>
  /** Removes the documents of a scope, or those with a key before `before`; returns how many. */
  clear(scope: string, options?: { readonly before?: string }): Promise<number>
}

export interface Transaction {
  of<Body, C extends Columns>(spec: CollectionSpec<Body, C>): Writer<Body, C>
}

/**
 * Documents in collections, with transactions over several of them.
 *
 * `transaction` resolves when its writes are durable; it rejects otherwise, and stores none of them.
 * A transaction sees the writes of every transaction that ran before it, also those that are not durable yet; if
 * their commit fails it fails with them. `run` may be called again after a conflict, so it must have no other effects,
 * and must await nothing but this store: others wait for it.
 * Refuses with `store_unavailable` (503) while the engine cannot write; reads continue.
 */
export interface Store {
  /**
   * True if other processes write, or may write, so that values in memory may be outdated; once true it stays true.
   * Check it before each use of memory: it may change with every commit of another process.
   */
  readonly shared: boolean
  of<Body, C extends Columns>(spec: CollectionSpec<Body, C>): Reader<Body, C>
  transaction<R>(run: (transaction: Transaction) => Promise<R>): Promise<R>
  /** The body of every committed document as JSON, read one by one; concurrent changes may be missed or repeated. */
  texts(): AsyncIterable<string>
  /** A number that changes with every commit, by any process. */
  commits(): number
  /** `ok`, or a sentence with the reason why writing is not possible now. */
  health(): Promise<string>
}

export const store = service<Store>('store')
