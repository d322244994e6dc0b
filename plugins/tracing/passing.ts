import { AsyncLocalStorage } from 'node:async_hooks'
import type { RequestObserver } from '../../kernel/index.ts'

/** A `traceparent` of W3C Trace Context, version 00: nothing in it but numbers. */
const traceparent = /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/

/** Keeps the `traceparent` of a request while it is answered. A request without one costs nothing. */
export function createPassing(): { readonly observer: RequestObserver; current(): Readonly<Record<string, string>> } {
  const requests = new AsyncLocalStorage<string>()
  return {
    observer: {
      begin(request) {
        const given = request.header('traceparent')
        if (given === undefined || !traceparent.test(given)) return undefined
        return { run: (work) => requests.run(given, work) }
      },
    },
    current() {
      const given = requests.getStore()
      return given === undefined ? {} : { traceparent: given }
    },
  }
}
