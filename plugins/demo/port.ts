import { service } from '../../kernel/index.ts'
import type { Playground } from '../content/operations/state.ts'

/** The lock for public demos, for other plugins. */
export interface DemoLock {
  /** The operations and block types that visitors may use; `undefined` while the lock is off. */
  readonly playground: Playground | undefined
  /** The maximum number of requests to `/chat` and `/ops` per visitor and hour. */
  readonly requestsPerHour: number
}

export const demoLock = service<DemoLock>('demo.lock')

/**
 * The effect of a route, declared as `traits: { effect: 'read' }`.
 *
 * `read` changes nothing; `change` changes something, or fetches an address from the request. Default: `read`
 * for GET, `change` for others.
 */
export type Effect = 'read' | 'change'
