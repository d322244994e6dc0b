import * as v from 'valibot'
import { checkNames } from './names.ts'

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
  readonly indexes: readonly (keyof C & string)[]
}

const declared = new Map<string, CollectionSpec<unknown, Columns>>()
/** The collections that this process has declared so far. Declare one when a module is loaded or a plugin set up. */
export const declaredCollections = (): readonly CollectionSpec<unknown, Columns>[] => [...declared.values()]

/**
 * Describes a collection: documents under (scope, key), each with a version, columns and a JSON body. Throws a
 * TypeError for invalid names.
 */
export function defineCollection<Body, const C extends Columns>(
  name: string,
  body: v.GenericSchema<unknown, Body>,
  { columns, indexes = [] }: { readonly columns: C; readonly indexes?: readonly (keyof C & string)[] },
): CollectionSpec<Body, C> {
  const spec = { name, body, columns, indexes }
  checkNames(name, Object.keys(columns))
  declared.set(name, spec)
  return spec
}

/** The schema of bodies that only one plugin writes, in this type; they are not validated when read. */
export const trusted = <Body>(): v.GenericSchema<unknown, Body> => v.custom<Body>(() => true)
