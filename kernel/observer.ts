import type { Inbound } from './http/message.ts'
import type { AccessEntry, Logger } from './log.ts'
import { slot } from './service.ts'

/** Follows requests and changes none of them: counts, traces. */
export interface RequestObserver {
  /** Called when a request comes, before anything is known of it; `undefined` where it is not followed. What it throws is logged. */
  begin(request: Inbound): RequestWatch | undefined
}

/** Follows one request. */
export interface RequestWatch {
  /** Runs the work on the request in a context of its own, such as that of a trace. It runs it once, at once, and gives what it gives. */
  run?<T>(work: () => T): T
  /** Called when the answer is ready to be sent; of a stream, before its first byte. What it throws is logged. */
  end(entry: AccessEntry): void
}

/** Follows every request from when it comes until its answer is ready, for counts and traces. */
export const requestObservers = slot<RequestObserver>('kernel.observers')

/** Lets observers follow requests one by one; `undefined` where there are none. */
export function createWatching(observers: readonly RequestObserver[], log: Pick<Logger, 'error'>): ((request: Inbound) => RequestWatch) | undefined {
  if (observers.length === 0) return undefined
  const guarded = <T>(call: () => T): T | undefined => {
    try {
      return call()
    } catch (err) {
      log.error({ err }, 'request observer failed')
      return undefined
    }
  }
  return (request) => {
    const watches = observers.flatMap((observer) => guarded(() => observer.begin(request)) ?? [])
    const runs = watches.flatMap((watch) => watch.run?.bind(watch) ?? [])
    return {
      ...(runs.length > 0 && { run: <T>(work: () => T) => runs.reduce<() => T>((inner, run) => () => run(inner), work)() }),
      end: (entry) => watches.forEach((watch) => guarded(() => watch.end(entry))),
    }
  }
}
