import * as v from 'valibot'
import type { Plugin } from '../../kernel/index.ts'

/** Values of a document in separate columns: lists and filters never load bodies. */
export type Columns = Readonly<Record<string, 'text' | 'integer'>>
export type ColumnValues<C extends Columns> = {
  readonly [K in keyof C]: C[K] extends 'text' ? string : number
}

/** A collection as data; a driver turns it into a table. */
export interface CollectionSpec<Body, C extends Columns> {
  /** Unique in one store; letters, digits and `_`. */
  readonly name: string
  readonly body: v.GenericSchema<unknown, Body>
  readonly columns: C
  /** Columns with an index, each within its scope. */
  readonly indexes: readonly string[]
}

/**
 * The columns of rows that wait for work, with which `claim` finds them. Rows from before have '' and 0: they wait, and are
 * due. Times are in milliseconds since 1970.
 */
export const jobColumns = {
  due: 'integer',
  /** The end of the claim; 0 without one. */
  until: 'integer',
  /** The name of the claim, '' without one. */
  claim: 'text',
  /** 1 for a row that waits for a person, not for its time. */
  failed: 'integer',
  /** How many attempts ended without a known outcome, such as with their process. */
  interrupted: 'integer',
} as const

export const namePattern = /^[A-Za-z][A-Za-z0-9_]{0,47}$/
const ownColumns = ['scope', 'key', 'version', 'body', 'rowid', 'oid']

/**
 * Checks the names of a collection and its columns.
 *
 * Names consist of letters, digits and `_`, begin with a letter, have at most 48 characters and are
 * case-insensitive; the names of the store's own columns are reserved. An invalid declaration is a bug and
 * throws a TypeError.
 */
function checkNames(collection: string, columns: readonly string[]): void {
  for (const name of [collection, ...columns]) {
    if (!namePattern.test(name) || /^sqlite_/i.test(name)) {
      throw new TypeError(
        `'${name}' cannot be the name of a collection or column: use 1 to 48 letters, digits and _, ` +
          'a letter first, not sqlite_.',
      )
    }
  }
  const seen = new Set(ownColumns)
  for (const column of columns) {
    if (seen.has(column.toLowerCase()))
      throw new TypeError(`Collection '${collection}' cannot have a column '${column}': the name is taken.`)
    seen.add(column.toLowerCase())
  }
}

/** Whether every driver can store a text unchanged: others are refused with `text_not_storable`. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/**
 * Describes a collection: documents under (scope, key), each with a version, columns and a JSON body. Throws a
 * TypeError for invalid names.
 */
export function defineCollection<Body, const C extends Columns>(
  name: string,
  body: v.GenericSchema<unknown, Body>,
  { columns, indexes = [] }: { readonly columns: C; readonly indexes?: readonly (keyof C & string)[] },
): CollectionSpec<Body, C> {
  checkNames(name, Object.keys(columns))
  return { name, body, columns, indexes }
}

const isCollection = (part: object): part is CollectionSpec<unknown, Columns> =>
  'body' in part && 'columns' in part && 'indexes' in part

/** The collections that plugins declare. */
export const collectionsOf = (
  plugins: readonly Pick<Plugin, 'collections'>[],
): readonly CollectionSpec<unknown, Columns>[] =>
  plugins.flatMap(({ collections }) => collections.filter(isCollection))

/** The schema of bodies that only one plugin writes, in this type; they are not validated when read. */
export const trusted = <Body>(): v.GenericSchema<unknown, Body> => v.custom<Body>(() => true)
