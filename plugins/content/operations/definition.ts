import type * as v from 'valibot'
import type { Reads, SkipReason } from '../model.ts'
import type { Immutable } from '../plain-object.ts'
import { operation } from './shapes.ts'
import type { BatchState } from './state.ts'

/** The parts of a draft that an operation reads; its pages under any spelling of their slugs. */
export type Needs = Partial<Omit<Reads, 'pages'>> & { readonly pages?: readonly string[] | 'all' }

/** An applied operation with all optional values filled in, or one without an effect. */
interface AppliedOperation<Op> {
  readonly op: Op
  /** Why the operation had no effect; `because` is a clause for the user, without capital or full stop. */
  readonly skipped?: { readonly reason: SkipReason; readonly because: string }
}

/** The behaviour of one kind of operation. */
export interface Behaviour<Op> {
  /** A summary in the third person, for the API description. */
  readonly summary: string
  /** True if a site can forbid it by disabling structural edits. */
  readonly structural?: true
  /** By default, the operation reads only its page. */
  needs?(op: Op): Needs
  /** Modifies the state, never the draft below it or the operation. Throws only a `RefusedOperation`. */
  apply(state: BatchState, op: Op): AppliedOperation<Op>
}

/** One kind of operation: name, shape and behaviour. The schema drops unknown fields. */
export interface Definition<N extends string, E extends v.ObjectEntries> extends Behaviour<
  OperationOf<OperationShape<N, E>>
> {
  readonly name: N
  readonly schema: OperationShape<N, E>
}

type OperationShape<N extends string, E extends v.ObjectEntries> = ReturnType<typeof operation<N, E>>

/** The output of a schema as an immutable operation. */
export type OperationOf<S extends v.GenericSchema> = Immutable<v.InferOutput<S>>

/** Declares an operation. The return type is explicit: the declarations of an inferred one do not compile. */
export function defineOperation<const N extends string, const E extends v.ObjectEntries>(
  name: N,
  fields: E,
  behaviour: Behaviour<OperationOf<OperationShape<N, E>>>,
): Definition<N, E> {
  return { name, schema: operation(name, fields), ...behaviour }
}
