import { hash } from 'node:crypto'
import type { Clock } from '../../kernel/index.ts'
import { stableJson } from '../llm/port.ts'

/** Results of idempotent calls, kept for repeated ones. */
export interface KeptResults {
  get(key: string): { readonly data: unknown } | undefined
  put(key: string, data: unknown): void
}

const mostKept = 500
const keptFor = 10 * 60 * 1_000

/** The same for the same call in the same run. */
export const keyOf = (traceId: string, name: string, input: unknown): string => hash('sha256', stableJson([traceId, name, input]))

/** Keeps the 500 results that were asked for last, for ten minutes each. */
export function createKeptResults(clock: Clock): KeptResults {
  const kept = new Map<string, { readonly data: unknown; readonly at: number }>()
  const now = (): number => clock.now().getTime()
  return {
    get(key) {
      const found = kept.get(key)
      if (!found || now() - found.at >= keptFor) return undefined
      kept.delete(key)
      kept.set(key, found)
      return found
    },
    put(key, data) {
      kept.delete(key)
      kept.set(key, { data, at: now() })
      for (const oldest of kept.keys()) {
        if (kept.size <= mostKept) break
        kept.delete(oldest)
      }
    },
  }
}
