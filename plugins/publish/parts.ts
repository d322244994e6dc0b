import type { Clock, Ids, Logger } from '../../kernel/index.ts'
import type { SiteOrigins, SiteReader } from '../baseline/port.ts'
import type { Bus } from '../bus/port.ts'
import type { Drafts } from '../draft/port.ts'
import type { createShown, Follow } from '../follow/port.ts'
import type { Jobs } from '../jobs/port.ts'
import type { Scope } from '../scope/port.ts'
import type { Sites } from '../sites/port.ts'
import type { Store } from '../store/port.ts'
import type { Branches } from './branches.ts'
import type { OwnFiles } from './assets.ts'
import type { PublishLog } from './log.ts'
import type { PublishCheck } from './port.ts'
import type { ScheduledPublishes } from './scheduled.ts'
import type { Snapshots } from './snapshots.ts'
import type { PublishStatus } from './status.ts'

/** What publishing works with: services of other plugins, and its own stores. */
export interface PublishParts extends Pick<ReturnType<typeof createShown>, 'followShown' | 'note'> {
  readonly store: Store
  readonly bus: Bus
  readonly jobs: Jobs
  readonly clock: Clock
  readonly ids: Ids
  readonly scope: Scope
  readonly sites: Sites
  readonly drafts: Drafts
  readonly log: Logger
  readonly reader: SiteReader
  readonly branches: Branches | undefined
  readonly origins: SiteOrigins
  readonly follow: Follow
  readonly files: OwnFiles
  readonly snapshots: Snapshots
  readonly publishLog: PublishLog
  readonly status: PublishStatus
  readonly scheduled: ScheduledPublishes
  /** Run in this order, until one refuses. */
  readonly checks: readonly PublishCheck[]
  /** For how long a deployment whose state is unknown counts as under way. */
  readonly deploymentMs: number
  readonly longestCheckMs: number
  /** The maximum size of the pages of a publish in bytes. */
  readonly maxPublishBytes: number
  /** The maximum size of a diff in bytes; it lists blocks without their content. */
  readonly maxDiffBytes: number
}
