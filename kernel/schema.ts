import type * as v from 'valibot'

/** Any synchronous valibot schema. */
export type Schema = v.GenericSchema<unknown, unknown>

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema'

/** The output type of a schema, or a fallback without one. */
export type OutputOf<S, Fallback> = S extends v.GenericSchema<infer _I, infer O> ? O : Fallback

/** The input type of a schema, or a fallback without one. */
export type InputOf<S, Fallback> = S extends v.GenericSchema<infer I, infer _O> ? I : Fallback

/** A value that is read-only at any depth. */
export type DeepReadonly<T> = T extends readonly (infer U)[]
  ? readonly DeepReadonly<U>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T
