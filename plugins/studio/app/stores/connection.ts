/** Whether the service answers; without it, what is typed waits. */
import { computed, effect, signal } from '@preact/signals'
import { answers, isRefusal, sentenceOf } from '../service.ts'
import { flushAll, unsent, type StoreOutcome } from './typed.ts'

export const isOnline = signal(true)
/** How long texts wait that the service could not store. */
const untilStoredMs = 5000
let storing = 0

let stream = new AbortController()
let wake = (): void => undefined
/** When the last connection was started, and how long it has until another one is tried. */
let startedAt = 0
const connectsWithinMs = 3000

/** Whether the service does not answer yet, and a connection was started so recently that it still may. */
export const isConnecting = (): boolean =>
  !isOnline.peek() && performance.now() - startedAt <= connectsWithinMs

/** The signal of a new connection, which ends the one before. */
export function connect(): AbortSignal {
  startedAt = performance.now()
  stream.abort()
  stream = new AbortController()
  return stream.signal
}

let askElsewhere: () => unknown = () => undefined
/** Has `reconnect` do this as well, where the connection is that of another tab. */
export const onReconnect = (run: () => unknown): void => void (askElsewhere = run)

/** Makes the connection anew, at once if it only waits. */
export function reconnect(): void {
  startedAt = performance.now()
  stream.abort()
  wake()
  askElsewhere()
}

/**
 * Waits before the next connection, unless the browser or the person knows better; ends when `signal` aborts.
 */
export function rest(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    wake = resolve
    setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => resolve())
  })
}

const isSeen = signal(!document.hidden)
const isFrozen = signal(false)
/** Whether this tab needs the connection: it is seen, or has a text to store once the service answers. */
export const isNeeded = computed(() => !isFrozen.value && (isSeen.value || unsent.value.size > 0))

export function followNetwork(): void {
  addEventListener('online', reconnect)
  // What answers a request has a stream as well.
  effect(() => {
    if (answers.value > 0 && !isOnline.peek() && !isConnecting()) reconnect()
  })
  addEventListener('offline', () => {
    isOnline.value = false
    stream.abort()
  })
  document.addEventListener('visibilitychange', () => void (isSeen.value = !document.hidden))
  document.addEventListener('freeze', () => void (isFrozen.value = true))
  document.addEventListener('resume', () => void (isFrozen.value = false))
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
