import { service, type Clock } from '../../kernel/index.ts'
import type { CollectionSpec, Columns, ColumnValues } from './collection.ts'

export {
  type CollectionSpec,
  type Columns,
  type ColumnValues,
  collectionsOf,
  defineCollection,
  isStorable,
  jobColumns,
  trusted,
} from './collection.ts'
export { textNotStorable } from './refusals.ts'

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
  /** The text in UTF-8. */
  readonly bytes: Uint8Array
}

export interface Range<C extends Columns> {
  /** Only rows whose columns equal these. */
  readonly where?: Partial<ColumnValues<C>>
  /** Sorts by this column, then by key; by default only by key. */
  readonly orderBy?: keyof C & string
  readonly descending?: boolean
  /** Only keys after (descending: before) this one; not together with `orderBy`. */
  readonly after?: string
  readonly limit?: number
}

/** Which rows of a scope to claim, at which time in milliseconds since 1970, until when, and under which name. */
export interface Claim {
  readonly scope: string
  /** Only rows whose columns equal these. */
  readonly where?: Readonly<Record<string, string | number>> | undefined
  /** A column: of the rows with the same value only the earliest is claimed, and none beside a claimed one. */
  readonly lane?: string | undefined
  readonly now: number
  readonly until: number
  readonly claim: string
  readonly limit: number
}

/** Reads of a collection. They see committed writes; in a transaction, also its own and all staged writes. */
export interface Reader<Body, C extends Columns> {
  get(scope: string, key: string): Promise<Document<Body, C> | undefined>
  /** Rows of one scope without bodies. */
  rows(scope: string, range?: Range<C>): Promise<readonly Row<C>[]>
  /** Documents of one scope with bodies. */
  list(scope: string, range?: Range<C>): Promise<readonly Document<Body, C>[]>
  /** Rows of every scope, by scope and key. */
  everywhere(range?: Pick<Range<C>, 'where' | 'limit'>): Promise<readonly Row<C>[]>
  count(scope: string, where?: Partial<ColumnValues<C>>): Promise<number>
}

/** Reads and writes of one collection inside a transaction. */
export interface Writer<Body, C extends Columns> extends Reader<Body, C> {
  /**
   * Writes a document and returns its new version.
   *
   * `json` is the body as JSON, in UTF-8 or as text, if the caller has it already; equivalent to `JSON.stringify(body)`.
   * Refuses with `version_mismatch` if `expect` is not the stored version (`0` means: missing).
   */
  put(
    scope: string,
    key: string,
    document: { readonly body: Body; readonly json?: string | Uint8Array; readonly columns: ColumnValues<C> },
    options?: { readonly expect?: number },
  ): Promise<number>
  /** Removes a document; returns whether it existed. */
  remove(scope: string, key: string): Promise<boolean>
  /**
   * Claims rows that are due and free, of a collection with `jobColumns`, the earliest first; returns them in
   * any order.
   */
  claim(claim: Claim): Promise<readonly Document<Body, C>[]>
  /** Removes the documents of a scope, or only those with a key before `before`; returns their number. */
  clear(scope: string, options?: { readonly before?: string }): Promise<number>
}

export interface Transaction {
  of<Body, C extends Columns>(spec: CollectionSpec<Body, C>): Writer<Body, C>
  /** Leaves it to the store to wait for writes until the commit; if one fails, so does the transaction. */
  leave(writes: readonly Promise<unknown>[]): void
}

/** A document that a transaction is going to read. */
export interface AheadRead {
  readonly spec: Pick<CollectionSpec<unknown, Columns>, 'name' | 'columns' | 'indexes'>
  readonly scope: string
  readonly key: string
}

/** Short messages to all processes of one store; what is sent while a process is disconnected does not reach it. */
export interface Channel {
  /** At most 8,000 bytes. Also reaches the process that sends it. */
  send(message: string): Promise<void>
  /** Calls `onMessage` for each message, and `onReconnect` when messages may have been missed. */
  listen(
    onMessage: (message: string) => void,
    onReconnect: () => void,
    options: { readonly signal: AbortSignal },
  ): void
  /** A sentence with the reason why messages do not arrive now; `undefined` if they do. */
  health(): Promise<string | undefined>
}

/** A file in the database; `id` names its present bytes, and changes with them. */
export interface StoredFile {
  readonly id: string
  readonly key: string
  readonly size: number
  /** The time of the last write, in epoch milliseconds. */
  readonly changed: number
}

/** Bytes in the database beside the documents: `texts` never reads them, and transactions do not include them. */
export interface Files {
  /** Stores or replaces a file and returns its size. If the source fails, nothing changes. */
  put(key: string, bytes: Uint8Array | AsyncIterable<Uint8Array>, changed: number): Promise<number>
  find(key: string): Promise<StoredFile | undefined>
  list(): AsyncIterable<StoredFile>
  /** Reads a range, both ends inclusive, piece by piece. Throws if the file was replaced or removed. */
  read(file: StoredFile, start: number, end: number): AsyncIterable<Uint8Array>
  remove(key: string): Promise<boolean>
}

/** The time of the database, by which processes compare what they have written. */
export interface SharedClock extends Clock {
  /** `ok`, or a sentence if the clock of this machine is 5 s or more apart. */
  health(): Promise<string>
}

/**
 * Documents in collections, with transactions over several of them.
 *
 * `transaction` resolves once its writes are durable; otherwise it rejects and stores none of them. A
 * transaction sees the writes of every earlier transaction, even if they are not durable yet; if their commit
 * fails, it fails with them. `run` may be called again after a conflict, so it must have no other effects,
 * and must await nothing but this store: others wait for it. An engine behind a socket reads what `reads` names
 * together with the reads of other transactions. Refuses with `store_unavailable` (503) while the engine cannot
 * write; reads continue.
 */
export interface Store {
  /** Messages between the processes of this store; `undefined` where the engine has none. */
  readonly channel?: Channel | undefined
  /**
   * The clock of the database; `undefined` where all processes of this store are on one machine, and have its
   * clock.
   */
  readonly clock?: SharedClock | undefined
  /** Files for all processes of this store; `undefined` where the engine keeps none. */
  readonly files?: Files | undefined
  /**
   * True if other processes write, or may write: values in memory may be outdated. Once true, it stays true.
   * Check it before each use of memory: it may change with every commit of another process.
   */
  readonly shared: boolean
  of<Body, C extends Columns>(spec: CollectionSpec<Body, C>): Reader<Body, C>
  transaction<R>(
    run: (transaction: Transaction) => Promise<R>,
    reads?: () => readonly AheadRead[],
  ): Promise<R>
  /**
   * Claims rows outside of transactions and without conflicts with them: a row that one has locked is left out. `undefined`
   * where transactions exclude each other.
   */
  readonly claimRows?:
    | (<Body, C extends Columns>(
        spec: CollectionSpec<Body, C>,
        claim: Claim,
      ) => ReturnType<Writer<Body, C>['claim']>)
    | undefined
  /** The body of every committed document as JSON, read one by one; concurrent changes may be missed or repeated. */
  texts(): AsyncIterable<string>
  /** A value that changes with every commit, by any process. */
  commits(): Promise<number | string>
  /** `ok`, or a sentence with the reason why writing is not possible now. */
  health(): Promise<string>
}

export const store = service<Store>('store')
