import type * as v from 'valibot'
import type { SkipReason } from '../model.ts'
import type { BatchState } from './state.ts'

/** What an operation has to be able to read of a draft; its pages under any spelling of their slugs. */
export interface Needs {
  readonly pages?: readonly string[] | 'all'
  readonly order?: true
  readonly config?: true
  /** True when it has to know which block ids the whole draft uses. */
  readonly blockIds?: true
  /** True when it has to know which page ids the draft uses. */
  readonly pageIds?: true
}

/** An operation that ran, with everything it left open filled in; or one that found nothing to do. */
export interface Outcome<Op> {
  readonly op: Op
  readonly skipped?: Skipped
}

/** Why an operation did nothing. */
export interface Skipped {
  readonly reason: SkipReason
  /** A clause for the person who asked, without a capital and a full stop. */
  readonly because: string
}

type OperationSchema = v.GenericSchema<unknown, { op: string }>

/** One kind of operation: its name, its shape, and what it does. */
export interface Definition<S extends OperationSchema> {
  readonly name: v.InferOutput<S>['op']
  /** What it does, in the third person, for readers of the API description. */
  readonly summary: string
  /** Drops unknown fields. */
  readonly schema: S
  /** True for what a site may forbid by switching structural edits off. */
  readonly structural: boolean
  needs(op: OperationOf<S>): Needs
  /** Changes the state, never the draft below it or the operation. Throws only a `RefusedOperation`. */
  apply(state: BatchState, op: OperationOf<S>): Outcome<OperationOf<S>>
}

/** What a schema lets through, as an operation that is never changed. */
export type OperationOf<S extends OperationSchema> = Immutable<v.InferOutput<S>>

/** Declares an operation. */
export function defineOperation<const S extends OperationSchema>(definition: Definition<S>): Definition<S> {
  return definition
}

/** A type with `readonly` at every depth: what schemas describe, and are never changed. */
export type Immutable<T> = T extends readonly (infer Element)[]
  ? readonly Immutable<Element>[]
  : T extends object ? { readonly [K in keyof T]: Immutable<T[K]> } : T
