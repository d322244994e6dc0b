import type { Clock } from '../../kernel/index.ts'
import { draftKey, type DraftId } from '../scope/port.ts'
import { defineCollection, trusted, type Store } from '../store/port.ts'
import type { Finding } from './view/finding.ts'
import { tooManyDismissals } from './refusals.ts'

export interface Dismissal {
  /** Of the dismissed value: a dismissal lapses when the value changes. */
  readonly fingerprint: string
  readonly at: string
  readonly note?: string | undefined
}

/** Dismissals by (draft, finding id). */
export const dismissals = defineCollection('check_dismissals', trusted<Dismissal>(), { columns: {} })

type Target = Pick<Finding, 'id' | 'fingerprint'>

/** Creates the store of dismissals, at most 5,000 per draft. */
export const createDismissals = (store: Store, clock: Clock, limit = 5_000) => ({
  /** The dismissals of a draft by finding id. */
  async of(id: DraftId): Promise<ReadonlyMap<string, Dismissal>> {
    const marks = await store.of(dismissals).list(draftKey(id), { limit })
    return new Map(marks.map(({ key, body }) => [key, body]))
  },
  /**
   * Dismisses a finding or restores it. At the limit, dismissals that match none of the current findings are deleted; if there are
   * none, it refuses with 409 `too_many_dismissals`.
   */
  set: (id: DraftId, finding: Target, { dismissed, note }: { readonly dismissed: boolean; readonly note?: string | undefined }, findings: readonly Target[]): Promise<void> =>
    store.transaction(async (tx) => {
      const marks = tx.of(dismissals)
      if (!dismissed) return void (await marks.remove(draftKey(id), finding.id))
      const isNew = (await marks.get(draftKey(id), finding.id)) === undefined
      if (isNew && (await marks.count(draftKey(id))) >= limit) {
        const present = new Map(findings.map((each) => [each.id, each.fingerprint]))
        const lapsed = (await marks.list(draftKey(id), { limit })).filter(({ key, body }) => present.get(key) !== body.fingerprint)
        if (lapsed.length === 0) throw tooManyDismissals(limit)
        for (const { key } of lapsed) await marks.remove(draftKey(id), key)
      }
      const body = { fingerprint: finding.fingerprint, at: clock.now().toISOString(), ...(note !== undefined && { note }) }
      await marks.put(draftKey(id), finding.id, { body, columns: {} })
    }),
})
