/** Whether the service answers; without it, what is typed waits. */
import { signal } from '@preact/signals'
import { isRefusal, sentenceOf } from '../service.ts'
import { flushAll, type StoreOutcome } from './typed.ts'

export const isOnline = signal(true)
/** How long texts wait that the service could not store. */
const untilStoredMs = 5000
let storing = 0

let stream = new AbortController()
let wake = (): void => undefined

/** The signal of a new connection, which ends the one before. */
export function connect(): AbortSignal {
  stream.abort()
  stream = new AbortController()
  return stream.signal
}

/** Makes the connection anew, at once if it only waits. */
export function reconnect(): void {
  stream.abort()
  wake()
}

/** Waits before the next connection, unless the browser or the person knows better. */
export function rest(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    wake = resolve
    setTimeout(resolve, milliseconds)
  })
}

export function followNetwork(): void {
  addEventListener('online', reconnect)
  addEventListener('offline', () => {
    isOnline.value = false
    stream.abort()
  })
}

/** What came of storing something: refused, or not answered, which the next connection repeats. */
export function failed(error: unknown): StoreOutcome {
  if (isRefusal(error)) {
    // The database is away, or its disk is full: the reason is shown meanwhile.
    if (error.status === 503) {
      clearTimeout(storing)
      storing = window.setTimeout(() => void flushAll(), untilStoredMs)
    }
    return { failure: sentenceOf(error) }
  }
  reconnect()
  return { waits: true }
}
