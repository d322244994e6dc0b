import { service } from '../../kernel/index.ts'
import type { Playground } from '../draft/port.ts'

/** The lock for a public demonstration, as other plugins see it. */
export interface DemoLock {
  /** The operations that visitors may use, and on which block types; `undefined` while the lock is off. */
  readonly playground: Playground | undefined
  /** How many requests to `/chat` and `/ops` one visitor may send in an hour. */
  readonly requestsPerHour: number
}

export const demoLock = service<DemoLock>('demo.lock')

/**
 * What a route does, for the lock: `traits: { effect: 'read' }` beside the route.
 *
 * `read` leaves everything as it is. `change` changes something, or fetches an address that the request names.
 * A route that does not say is taken to read with GET and to change with every other method.
 */
export type Effect = 'read' | 'change'
