import type { Clock } from '../../kernel/index.ts'
import type { Drive } from './drive.ts'
import { DriveFailure } from './failure.ts'
import { createKept } from './kept.ts'

export interface AllowanceContext {
  readonly drive: Drive
  /** Folders that may be listed with all that is in them; `undefined` allows whatever is public. */
  readonly folders: ReadonlySet<string> | undefined
  readonly clock: Clock
}

/** Says whether one of some folders is an allowed one, or is in one. */
export type Allows = (folders: readonly string[], signal: AbortSignal) => Promise<boolean>

/** How many folders are looked up, from a folder upwards, before it counts as not allowed. */
const mostLookups = 20

/** Makes the judge of which folders a service account may show: more are shared with it than a site should see. */
export function createAllowance({ drive, folders: allowed, clock }: AllowanceContext): Allows {
  const known = createKept<boolean>({ most: 1000, clock })

  /** The folders above; none of one that the account does not know. */
  const above = async (folder: string, signal: AbortSignal): Promise<readonly string[]> => {
    try {
      return (await drive.about(folder, signal)).parents
    } catch (error) {
      if (error instanceof DriveFailure && error.status === 404) return []
      throw error
    }
  }

  return async (folders, signal) => {
    if (!allowed) return true
    const seen = new Set(folders)
    let lookups = 0
    let verdict = false
    // What is found on the way is looked at as well: a set gives what is added while it is read.
    for (const folder of seen) {
      verdict = allowed.has(folder) || known.get(folder) === true
      if (verdict) break
      if (known.get(folder) === false) continue
      if (++lookups > mostLookups) break
      for (const parent of await above(folder, signal)) seen.add(parent)
    }
    // Of several parents one alone may be allowed.
    const [only, ...others] = folders
    if (only !== undefined && others.length === 0) known.set(only, verdict)
    return verdict
  }
}
