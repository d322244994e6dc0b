import type { Clock } from '../../kernel/index.ts'
import { draftKey, type DraftId } from '../scope/port.ts'
import { defineCollection, trusted, type Store } from '../store/port.ts'
import type { Finding } from './view/finding.ts'
import { tooManyDismissals } from './refusals.ts'

export interface Dismissal {
  /** Of the value that was dismissed: a mark lapses when the value changes. */
  readonly fingerprint: string
  readonly at: string
  readonly note?: string | undefined
}

/** Marks of findings under (draft, finding id). */
export const dismissals = defineCollection('check_dismissals', trusted<Dismissal>(), { columns: {} })

type Marked = Pick<Finding, 'id' | 'fingerprint'>

export interface Dismissals {
  /** The marks of a draft by finding id. */
  of(id: DraftId): Promise<ReadonlyMap<string, Dismissal>>
  /**
   * Marks a finding, or takes its mark away. A draft has at most 5,000: beyond that, marks that none of these findings of the
   * draft has any more are taken away, and one more is refused with 409 `too_many_dismissals`.
   */
  set(id: DraftId, finding: Marked, mark: { readonly dismissed: boolean; readonly note?: string | undefined }, findings: readonly Marked[]): Promise<void>
}

export const createDismissals = (store: Store, clock: Clock, most = 5_000): Dismissals => ({
  async of(id) {
    const marks = await store.of(dismissals).list(draftKey(id), { limit: most })
    return new Map(marks.map(({ key, body }) => [key, body]))
  },
  set: (id, finding, { dismissed, note }, findings) =>
    store.transaction(async (tx) => {
      const marks = tx.of(dismissals)
      if (!dismissed) return void (await marks.remove(draftKey(id), finding.id))
      const isNew = (await marks.get(draftKey(id), finding.id)) === undefined
      if (isNew && (await marks.count(draftKey(id))) >= most) {
        const present = new Map(findings.map((each) => [each.id, each.fingerprint]))
        const lapsed = (await marks.list(draftKey(id), { limit: most })).filter(({ key, body }) => present.get(key) !== body.fingerprint)
        if (lapsed.length === 0) throw tooManyDismissals(most)
        for (const { key } of lapsed) await marks.remove(draftKey(id), key)
      }
      const body = { fingerprint: finding.fingerprint, at: clock.now().toISOString(), ...(note !== undefined && { note }) }
      await marks.put(draftKey(id), finding.id, { body, columns: {} })
    }),
})
