import * as v from 'valibot'
import { definePlugin } from '../../kernel/index.ts'
import { bus, type Bus } from './port.ts'

/** Events between plugins of one process. */
export default definePlugin({ name: 'bus', tag: 'Health', gives: { bus } }).setup(({ log }) => ({
  gives: { bus: createMemoryBus({ log }) },
}))

export interface BusLog {
  error(details: object, message: string): void
}

interface Subscription {
  readonly signal: AbortSignal
  readonly deliver: (payload: unknown) => unknown
}

/**
 * Creates a bus within one process.
 *
 * Events reach listeners at once, in the order of subscription, as parsed by the schema: undeclared fields
 * are dropped, as they would be between processes. A payload that the schema refuses is a bug and rejects
 * with a TypeError before any listener is called.
 */
export function createMemoryBus({ log }: { readonly log: BusLog }): Bus {
  const listeners = new Map<string, Set<Subscription>>()
  return {
    async publish(event, payload) {
      const checked = v.safeParse(event.schema, payload)
      if (!checked.success) {
        const issues = checked.issues.map((issue) => `${v.getDotPath(issue) ?? 'payload'}: ${issue.message}`)
        throw new TypeError(
          `The payload of event '${event.id}' does not fit its schema: ${issues.join('; ')}`,
        )
      }
      const failed = (error: unknown) => log.error({ err: error, event: event.id }, 'event listener failed')
      // A subscription from within a listener begins with the next event.
      const present = Array.from(listeners.get(event.id) ?? [])
      for (const { signal, deliver } of present) {
        if (!signal.aborted) hand(() => deliver(checked.output), failed)
      }
    },
    subscribe(event, listener, { signal }) {
      if (signal.aborted) return
      // The payload was parsed by the schema of the event, from which the type of the listener is derived.
      const subscription: Subscription = {
        signal,
        deliver: (payload) => listener(payload as Parameters<typeof listener>[0]),
      }
      const subscriptions = listeners.get(event.id) ?? new Set()
      listeners.set(event.id, subscriptions.add(subscription))
      signal.addEventListener('abort', () => subscriptions.delete(subscription), { once: true })
    },
    health: async () => 'ok',
  }
}

/** Calls a listener; a listener that is asynchronous despite its type may also fail later. */
function hand(call: () => unknown, failed: (error: unknown) => void): void {
  try {
    const result = call()
    if (result instanceof Promise) result.catch(failed)
  } catch (error) {
    failed(error)
  }
}
