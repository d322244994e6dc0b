import { signal, type ReadonlySignal, type Signal } from '@preact/signals'
import { sentenceOf } from '../service.ts'

/** What is read from the service, and read again. */
export interface Loaded<T> {
  /** The newest answer; `undefined` until the first one. */
  readonly value: Signal<T | undefined>
  /** Why it could not be read the last time. */
  readonly failure: ReadonlySignal<string | undefined>
  readonly load: () => Promise<void>
}

export function loaded<T>(read: () => Promise<T>): Loaded<T> {
  const value = signal<T | undefined>(undefined)
  const failure = signal<string | undefined>(undefined)
  const load = async (): Promise<void> => {
    try {
      value.value = await read()
      failure.value = undefined
    } catch (error) {
      failure.value = sentenceOf(error)
    }
  }
  return { value, failure, load }
}
