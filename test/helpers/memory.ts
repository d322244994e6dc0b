import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
/** Collects all garbage. */
export const collectGarbage: (options?: { readonly type: 'minor' }) => void = runInNewContext('gc')

/** The bytes of objects that two collections of new objects have left. */
export function oldBytes(): number {
  for (let round = 0; round < 2; round++) collectGarbage({ type: 'minor' })
  const spaces = getHeapSpaceStatistics().filter(({ space_name }) => /^old_|_large_/.test(space_name))
  return spaces.reduce((sum, { space_used_size }) => sum + space_used_size, 0)
}
