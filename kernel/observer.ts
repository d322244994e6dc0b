import type { HttpRequest } from './http/message.ts'
import type { AccessEntry, Logger } from './log.ts'
import { slot } from './service.ts'

/** Follows requests and changes none of them: counts, traces. What it throws is logged. */
export interface RequestObserver {
  /** Called when a request comes, before anything is known of it; gives what follows this one by itself, if anything. */
  begin(request: HttpRequest): RequestWatch | undefined
  /** Called when the answer to any request is ready to be sent; of a stream, before its first byte. */
  end?(entry: AccessEntry): void
}

/** Follows one request. */
export interface RequestWatch {
  /** Runs the work on the request in a context of its own, such as that of a trace. It runs it once, at once, and gives what it gives; what it throws by itself fails the request. */
  run?<T>(work: () => T): T
  /** As the `end` of an observer, for this request alone. */
  end?(entry: AccessEntry): void
}

/** Follows every request from when it comes until its answer is ready, for counts and traces. */
export const requestObservers = slot<RequestObserver>('kernel.observers')

const none: readonly RequestWatch[] = []

/** Lets observers follow requests one by one, at the cost of a loop where they have nothing to do. */
export function createWatching(observers: readonly RequestObserver[], log: Pick<Logger, 'error'>) {
  const ending = observers.filter(({ end }) => end)
  const failed = (err: unknown): void => log.error({ err }, 'request observer failed')
  const endAll = (all: readonly (RequestObserver | RequestWatch)[], entry: AccessEntry): void => {
    for (const each of all) {
      try {
        each.end?.(entry)
      } catch (err) {
        failed(err)
      }
    }
  }
  return {
    begin(request: HttpRequest): readonly RequestWatch[] {
      let watches = none
      for (const observer of observers) {
        try {
          const watch = observer.begin(request)
          if (watch) watches = [...watches, watch]
        } catch (err) {
          failed(err)
        }
      }
      return watches
    },
    /** Runs the work within every watch that wants it, the first one innermost. */
    run<T>(watches: readonly RequestWatch[], work: () => T): T {
      let run = work
      for (const watch of watches) {
        const [inner, within] = [run, watch.run?.bind(watch)]
        if (within) run = () => within(inner)
      }
      return run()
    },
    end(watches: readonly RequestWatch[], entry: AccessEntry): void {
      if (watches !== none) endAll(watches, entry)
      endAll(ending, entry)
    },
  }
}
