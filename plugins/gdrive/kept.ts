import type { Clock } from '../../kernel/index.ts'

/** Values that are known for a while. */
export interface Kept<T> {
  get(key: string): T | undefined
  set(key: string, value: T): void
}

/** Keeps the newest values for five minutes, `most` at a time. */
export function createKept<T>({ most, clock }: { readonly most: number; readonly clock: Clock }): Kept<T> {
  const known = new Map<string, { readonly value: T; readonly until: number }>()
  return {
    get(key) {
      const found = known.get(key)
      return found && found.until > clock.now().getTime() ? found.value : undefined
    },
    set(key, value) {
      known.delete(key)
      known.set(key, { value, until: clock.now().getTime() + 5 * 60_000 })
      for (const [oldest] of known) {
        if (known.size <= most) break
        known.delete(oldest)
      }
    },
  }
}
