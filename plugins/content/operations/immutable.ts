/** A type with `readonly` at every depth: what schemas describe, and nobody changes. */
export type Immutable<T> = T extends readonly (infer Element)[]
  ? readonly Immutable<Element>[]
  : T extends object ? { readonly [K in keyof T]: Immutable<T[K]> } : T
