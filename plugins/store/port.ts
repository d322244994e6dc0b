import * as v from 'valibot'
import { service } from '../../kernel/index.ts'

/** Facts kept beside a document in columns of their own, so that lists and filters never load bodies. */
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

/** Bodies that one plugin alone writes, in this type: what is read back is trusted. */
export const trusted = <Body>(): v.GenericSchema<unknown, Body> => v.custom<Body>(() => true)

/** A document without its body. */
export interface Row<C extends Columns> {
  readonly scope: string
  readonly key: string
  /** 1 for the first write, one more for each further one. A removed and rewritten document begins at 1 again. */
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

/** Reads of one collection. Outside a transaction they see what is committed; inside one also its own and all staged writes. */
export interface Reader<Body, C extends Columns> {
  get(scope: string, key: string): Promise<Document<Body, C> | undefined>
  /** Rows of one scope without bodies. */
  rows(scope: string, range?: Range<C>): Promise<readonly Row<C>[]>
  /** Documents of one scope with bodies. */
  list(scope: string, range?: Range<C>): Promise<readonly Document<Body, C>[]>
  /** Rows of every scope, by scope and key. */
  everywhere(range?: Pick<Range<C>, 'where' | 'limit'>): Promise<readonly Row<C>[]>
  count(scope: string, where?: Partial<ColumnValues<C>>): Promise<number>
  /** How many bytes the bodies of one scope have together; none of them is loaded. */
  bytes(scope: string): Promise<number>
}

/** Reads and writes of one collection inside a transaction. */
export interface Writer<Body, C extends Columns> extends Reader<Body, C> {
  /**
   * Writes a document and gives its new version.
   *
   * `text`, or `bytes` in UTF-8, is the body as JSON where the caller has it already; it must be what
   * `JSON.stringify(body)` gives in meaning.
   * Refuses with `version_mismatch` when `expect` is not the stored version (`0` means: not there).
   */
  put(scope: string, key: string, document: { readonly body: Body; readonly text?: string; readonly bytes?: Uint8Array; readonly columns: ColumnValues<C> },
    options?: { readonly expect?: number }): Promise<number>
  /** Removes a document; says whether it was there. */
  remove(scope: string, key: string, options?: { readonly expect?: number }): Promise<boolean>
  /** Removes the documents of a scope, or those of them whose key is before `before`; gives how many. */
  clear(scope: string, options?: { readonly before?: string }): Promise<number>
}

export interface Transaction {
  of<Body, C extends Columns>(spec: CollectionSpec<Body, C>): Writer<Body, C>
}

/**
 * Documents in collections, with transactions over several of them.
 *
 * `transaction` resolves when what it wrote is durable and rejects when it is not; then nothing of it is kept.
 * A transaction sees the writes of every transaction that ran before it, also those that are not durable yet; if
 * their commit fails it fails with them. `run` may be called again after a conflict, so it has no other effects,
 * and it awaits nothing but this store: others wait for it.
 * Refuses with `store_unavailable` (503) while the engine cannot write; reads go on.
 */
export interface Store {
  /**
   * True when others write as well, or may, so that nothing read may be taken for current later on; once true it stays so.
   * To be asked before memory is used: until then it may change with every commit of another process.
   */
  readonly shared: boolean
  of<Body, C extends Columns>(spec: CollectionSpec<Body, C>): Reader<Body, C>
  transaction<R>(run: (transaction: Transaction) => Promise<R>): Promise<R>
  /** The body of every committed document as JSON, read one by one; what changes meanwhile may be missed or come twice. */
  texts(): AsyncIterable<string>
  /** A number that is another one after every commit, by any process. */
  commits(): number
  /** `ok`, or a sentence that says why writing is not possible now. */
  health(): Promise<string>
}

export const store = service<Store>('store')
