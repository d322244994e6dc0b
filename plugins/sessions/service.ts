import type { DraftSummary } from '../draft/port.ts'
import type { Scope } from '../scope/port.ts'
import type { SessionSummary } from './schemas.ts'

/** A draft as these routes show it. */
export function toSummary(
  { id, version, pageCount, lastMutatedAt }: DraftSummary,
  scope: Scope,
): SessionSummary {
  return { sessionKey: scope.key(id), ...id, version, draftPageCount: pageCount, lastMutatedAt }
}

/** Sorts the latest change first, what was never changed last, and by key where that leaves it open. */
export function byLatestChange(a: SessionSummary, b: SessionSummary): number {
  const [first, second] = [a.lastMutatedAt ?? '', b.lastMutatedAt ?? '']
  if (first !== second) return first > second ? -1 : 1
  return a.sessionKey < b.sessionKey ? -1 : 1
}
