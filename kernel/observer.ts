import type { HttpRequest } from './http/message.ts'
import type { AccessEntry, Logger } from './log.ts'
import { slot } from './service.ts'

/** Observes requests without changing them, for metrics and traces. Its errors are logged. */
export interface RequestObserver {
  /** Called when a request arrives, before it is routed; may return an observer of this request. */
  begin(request: HttpRequest): RequestWatch | undefined
  /** Called when an answer is ready to be sent; for a stream, before its first byte. */
  end?(entry: AccessEntry): void
}

/** Observes one request. */
export interface RequestWatch {
  /**
   * Runs the work on the request in a separate context, such as a trace. It must call `work` once,
   * synchronously, and return its result; its own errors fail the request.
   */
  run?<T>(work: () => T): T
  /** Called when the answer to this request is ready to be sent; for a stream, before its first byte. */
  end?(entry: AccessEntry): void
}

/** Observers of every request, from its arrival until its answer is ready, for metrics and traces. */
export const requestObservers = slot<RequestObserver>('kernel.observers')

const none: readonly RequestWatch[] = []

/** Runs the observers of each request; without observers it costs one loop. */
export function createWatching(observers: readonly RequestObserver[], log: Pick<Logger, 'error'>) {
  const ending = observers.filter(({ end }) => end)
  const failed = (err: unknown): void => log.error({ err }, 'request observer failed')
  const finish = (each: Pick<RequestObserver, 'end'>, entry: AccessEntry): void => {
    try {
      each.end?.(entry)
    } catch (err) {
      failed(err)
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
    /** Runs the work in the context of every watch; the first one is innermost. */
    run<T>(watches: readonly RequestWatch[], work: () => T): T {
      let run = work
      for (const watch of watches) {
        const [inner, within] = [run, watch.run?.bind(watch)]
        if (within) run = () => within(inner)
      }
      return run()
    },
    end(watches: readonly RequestWatch[], entry: AccessEntry): void {
      for (const watch of watches) finish(watch, entry)
      for (const observer of ending) finish(observer, entry)
    },
  }
}
