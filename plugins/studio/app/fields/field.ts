/** What every field has, and how it is bound to what is typed into it. */
import { useId } from 'preact/hooks'
import { storeField } from '../edit/store-field.ts'
import { useTyped, type UseTyped } from '../parts/use-typed.ts'
import type { Field } from '../stores/block-types.ts'
import { nameOfPlace, placeOf, type ValuePlace, type Row } from '../stores/place.ts'
import type { Schema } from './schema.ts'

export interface FieldProps {
  readonly place: ValuePlace
  readonly field: Field
  readonly schema: Schema
  readonly label: string
  readonly value: unknown
  /** The props of the block, or the row, that has the field. */
  readonly siblings: Row
}

/** How a value is typed. */
export interface Form<T> {
  readonly shown: (stored: unknown) => T
  readonly stored: (typed: T) => unknown
}

export interface Bound<T> extends UseTyped<T> {
  readonly id: string
}

/** Binds a field to its place. */
export function useField<T>({ place, label, value }: FieldProps, { shown, stored }: Form<T>): Bound<T> {
  const id = useId()
  const typed = useTyped<T>(nameOfPlace(place), shown(value), (value, on, name) =>
    // What is typed here came from `shown`.
    storeField(placeOf(name) ?? place, label, { value, on, shown, stored: (each) => stored(each as T) }),
  )
  return { ...typed, id }
}

export const textForm: Form<string> = {
  shown: (value) => (typeof value === 'string' || typeof value === 'number' ? String(value) : ''),
  stored: (text) => text,
}
