import { service } from '../../../kernel/index.ts'
import type { DraftId } from '../../scope/port.ts'
import type { IdParts } from './finding-id.ts'

export interface Dismissal {
  /** The fingerprint of the dismissed value: a dismissal lapses when the value changes. */
  readonly fingerprint: string
  readonly at: string
  readonly note?: string | undefined
}

/** A finding that can be dismissed. */
export interface Dismissible {
  readonly id: string
  readonly fingerprint: string
  readonly parts: IdParts
}

/** The dismissed findings of drafts. They follow a page that is renamed, in the transaction of the change. */
export interface Dismissals {
  /** Returns the dismissals of a draft by finding id. */
  of(id: DraftId): Promise<ReadonlyMap<string, Dismissal>>
  /**
   * Dismisses or restores a finding. At the limit, deletes dismissals that match no current finding; if there
   * are none, refuses with 409 `too_many_dismissals`.
   */
  set(
    id: DraftId,
    finding: Dismissible,
    mark: { readonly dismissed: boolean; readonly note?: string | undefined },
    findings: readonly Pick<Dismissible, 'id' | 'fingerprint'>[],
  ): Promise<void>
}

export const dismissals = service<Dismissals>('dismissals')

export { tooManyDismissals } from './refusals.ts'
export { findingId, type IdParts } from './finding-id.ts'
