import * as v from 'valibot'
import type { Bus, EventRef, Listening } from './port.ts'

export interface BusLog {
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

interface Subscription extends Listening {
  readonly deliver: (payload: unknown) => unknown
}

interface LocalBus extends Bus {
  /** Passes on what another process has published; what does not fit the schema of a listener is dropped. */
  receive(id: string, payload: unknown): void
}

/**
 * Creates a bus within one process.
 *
 * Events reach listeners at once, in the order of subscription, as parsed by the schema: undeclared fields
 * are dropped, as they would be between processes. A payload that the schema refuses is a bug and rejects
 * with a TypeError before any listener is called.
 */
export function createMemoryBus({ log }: { readonly log: BusLog }): LocalBus {
  const listeners = new Map<string, Set<Subscription>>()
  const events = new Map<string, EventRef<unknown>>()

  function send(id: string, payload: unknown, isOwn: boolean): void {
    const failed = (error: unknown) => log.error({ err: error, event: id }, 'event listener failed')
    // A subscription from within a listener begins with the next event.
    const present = Array.from(listeners.get(id) ?? [])
    for (const { signal, own = false, deliver } of present)
      if (!signal.aborted && (isOwn || !own)) hand(() => deliver(payload), failed)
  }

  return {
    async publish(event, payload) {
      send(event.id, checked(event, payload), true)
    },
    prepare(_tx, event, payload) {
      const parsed = checked(event, payload)
      return { publish: async () => send(event.id, parsed, true) }
    },
    receive(id, payload) {
      const event = events.get(id)
      const parsed = event && v.safeParse(event.schema, payload)
      if (parsed?.success) send(id, parsed.output, false)
      else if (parsed) log.warn({ event: id }, 'event of another version of this service dropped')
    },
    subscribe(event, listener, { signal, own = false }) {
      if (signal.aborted) return
      // The payload was parsed by the schema of the event, from which the type of the listener is derived.
      const subscription: Subscription = {
        signal,
        own,
        deliver: (payload) => listener(payload as Parameters<typeof listener>[0]),
      }
      events.set(event.id, event)
      const subscriptions = listeners.get(event.id) ?? new Set()
      listeners.set(event.id, subscriptions.add(subscription))
      signal.addEventListener('abort', () => subscriptions.delete(subscription), { once: true })
    },
    health: async () => 'ok',
  }
}

/** Returns a payload as parsed by the schema of its event. */
export function checked<T>(event: EventRef<T>, payload: unknown): T {
  const parsed = v.safeParse(event.schema, payload)
  if (parsed.success) return parsed.output
  const issues = parsed.issues.map((issue) => `${v.getDotPath(issue) ?? 'payload'}: ${issue.message}`)
  throw new TypeError(`The payload of event '${event.id}' does not fit its schema: ${issues.join('; ')}`)
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
