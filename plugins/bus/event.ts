import type * as v from 'valibot'

/** A kind of event, with the schema of its data. */
export interface EventRef<out T> {
  readonly id: string
  readonly schema: v.GenericSchema<unknown, T>
}

export function defineEvent<T>(id: string, schema: v.GenericSchema<unknown, T>): EventRef<T> {
  return { id, schema }
}
