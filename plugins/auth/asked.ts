import type { Clock } from '../../kernel/index.ts'

const window = 60_000
/** Keys of one window; a new one begins early when there are more. */
const most = 10_000

/** Makes a counter: gives how often a key was asked for in the last minute or two, before this time. */
export function createAsked(clock: Clock): (key: string) => number {
  let since = 0
  let newer = new Map<string, number>()
  let older: ReadonlyMap<string, number> = new Map()
  return (key) => {
    const now = clock.now().getTime()
    if (now - since >= window || newer.size >= most) [since, newer, older] = [now, new Map(), newer]
    const count = newer.get(key) ?? 0
    newer.set(key, count + 1)
    return count + (older.get(key) ?? 0)
  }
}
