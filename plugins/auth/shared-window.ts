import type { Clock } from '../../kernel/index.ts'
import { defineCollection, trusted, type Store } from '../store/port.ts'
import { createWindows } from './window.ts'

/** The requests of each visitor, by what is counted; the end in milliseconds since 1970. */
export const windows = defineCollection('auth_windows', trusted<{ readonly used: number }>(), {
  columns: { end: 'integer' },
  indexes: ['end'],
})
/** The number of expired windows that one request removes: more than it adds. */
const clearedAtOnce = 2

/** Counts like `createWindows`, in all processes of a store together; without such a store in memory. */
export function createSharedWindows({
  store,
  clock,
  counted,
  ...limits
}: {
  readonly store: Store
  readonly clock: Clock
  /** What is counted. */
  readonly counted: string
  readonly limit: number
  readonly length: number
}): (visitor: string) => Promise<number> {
  const { limit, length } = limits
  const now = (): number => clock.now().getTime()
  if (!store.channel || limit === Infinity) {
    const local = createWindows(limits)
    return async (visitor) => local.count(visitor, now())
  }
  return async (visitor) => {
    const waitFor = ({ used, end }: { readonly used: number; readonly end: number }): number =>
      used > limit ? Math.max(end - now(), 0) : 0
    // Read first, so that a flood of requests writes nothing.
    const stored = await store.of(windows).get(counted, visitor)
    const wait = stored ? waitFor({ ...stored.body, ...stored.columns }) : 0
    if (wait > 0) return wait
    return store.transaction(async (tx) => {
      const collection = tx.of(windows)
      for (const { key, columns } of await collection.rows(counted, { orderBy: 'end', limit: clearedAtOnce }))
        if (columns.end <= now()) await collection.remove(counted, key)
      const open = await collection.get(counted, visitor)
      const isOpen = open !== undefined && open.columns.end > now()
      const end = isOpen ? open.columns.end : now() + length
      const used = (isOpen ? open.body.used : 0) + 1
      await collection.put(counted, visitor, { body: { used }, columns: { end } })
      return waitFor({ used, end })
    })
  }
}
