import type * as v from 'valibot'
import type { SkipReason } from '../model.ts'
import { operation } from './shapes.ts'
import type { BatchState } from './state.ts'

/** What an operation has to be able to read of a draft; its pages under any spelling of their slugs. */
export interface Needs {
  readonly pages?: readonly string[] | 'all'
  readonly order?: true
  readonly config?: true
  /** True when it has to know which block ids the draft uses. */
  readonly blockIds?: true
  /** True when it has to know which page ids the draft uses. */
  readonly pageIds?: true
}

/** The needs of an operation that reads its page only. */
export const itsPage = ({ pageSlug }: { readonly pageSlug: string }): Needs => ({ pages: [pageSlug] })

/** An operation that ran, with everything it left open filled in; or one that found nothing to do. */
export interface Outcome<Op> {
  readonly op: Op
  /** Why it did nothing: `because` is a clause for the person who asked, without a capital and a full stop. */
  readonly skipped?: { readonly reason: SkipReason; readonly because: string }
}

/** What one kind of operation does. */
export interface Behaviour<Op> {
  /** What it does, in the third person, for readers of the API description. */
  readonly summary: string
  /** True for what a site may forbid by switching structural edits off. */
  readonly structural?: true
  needs(op: Op): Needs
  /** Changes the state, never the draft below it or the operation. Throws only a `RefusedOperation`. */
  apply(state: BatchState, op: Op): Outcome<Op>
}

/** One kind of operation: its name, its shape, and what it does. The schema drops unknown fields. */
export interface Definition<N extends string, E extends v.ObjectEntries> extends Behaviour<OperationOf<Shape<N, E>>> {
  readonly name: N
  readonly schema: Shape<N, E>
}

export type Shape<N extends string, E extends v.ObjectEntries> = ReturnType<typeof operation<N, E>>

/** What a schema lets through, as an operation that is never changed. */
export type OperationOf<S extends v.GenericSchema> = Immutable<v.InferOutput<S>>

/** Declares an operation with these fields. */
export function defineOperation<const N extends string, const E extends v.ObjectEntries>(
  name: N, fields: E, behaviour: Behaviour<OperationOf<Shape<N, E>>>,
): Definition<N, E> {
  return { name, schema: operation(name, fields), ...behaviour }
}

/** A type with `readonly` at every depth: what schemas describe, and are never changed. */
export type Immutable<T> = T extends readonly (infer Element)[]
  ? readonly Immutable<Element>[]
  : T extends object ? { readonly [K in keyof T]: Immutable<T[K]> } : T
