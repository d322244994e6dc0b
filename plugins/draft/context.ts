import type { Clock, Logger } from '../../kernel/index.ts'
import type { Bus } from '../bus/port.ts'
import type { Page } from '../content/page.ts'
import type { DraftId } from '../scope/port.ts'
import type { Sites } from '../sites/port.ts'
import type { Store } from '../store/port.ts'
import type { DraftCache } from './cache.ts'
import type { Limits } from './collections.ts'
import type { ChangeParticipant, LinkedSite } from './port.ts'

/** What drafts are stored in, and what their changes depend on. */
export interface DraftsContext {
  readonly store: Store
  readonly cache: DraftCache
  readonly bus: Bus
  readonly clock: Clock
  readonly log: Logger
  readonly limits: Limits
  readonly sites: Sites
  readonly site: LinkedSite
  readonly participants: readonly ChangeParticipant[]
  /** The pages with which a draft starts that was never changed. */
  readonly initialPages: (id: DraftId) => ReadonlyMap<string, Page>
}
