import { signal, type ReadonlySignal, type Signal } from '@preact/signals'
import { sentenceOf } from '../service.ts'
import { createOrder } from './newest.ts'

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
  const [beginAnswer, beginRead] = [createOrder(), createOrder()]
  const load = async (): Promise<void> => {
    const [isNewest, isLast] = [beginAnswer(), beginRead()]
    try {
      const answer = await read()
      if (isNewest()) value.value = answer
      if (isLast()) failure.value = undefined
    } catch (error) {
      if (isLast()) failure.value = sentenceOf(error)
    }
  }
  return { value, failure, load }
}
