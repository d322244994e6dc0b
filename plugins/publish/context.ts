import type { Clock, Ids, Logger, Shape } from '../../kernel/index.ts'
import { createSiteOrigins, createSiteReader, createSources } from '../baseline/port.ts'
import type { Blobs } from '../blobs/port.ts'
import type { Bus } from '../bus/port.ts'
import type { ContentAdapter } from '../content/adapter.ts'
import type { Drafts } from '../draft/port.ts'
import { createFollowing, createShown, type TypesOf } from '../follow/port.ts'
import type { Jobs } from '../jobs/port.ts'
import type { Outbound } from '../outbound/port.ts'
import type { Scope } from '../scope/port.ts'
import { readContentOf, tagOf } from '../site/port.ts'
import type { Sites } from '../sites/port.ts'
import type { Store } from '../store/port.ts'
import { createOwnFiles } from './assets.ts'
import { createBranches } from './branches.ts'
import { createComparedDrafts } from './diff/compared-drafts.ts'
import { addressesOf, graceOf, type PublishEnvironment } from './environment.ts'
import { createPublishLog } from './log.ts'
import type { DriveCopy, PublishCheck, PublishParticipant } from './port.ts'
import { createScheduled } from './scheduled/scheduled.ts'
import { createSnapshots } from './snapshots.ts'
import { createPublishStatus } from './status.ts'

/** What publishing gets: services of other plugins, its options, and its variables. */
interface Given {
  readonly store: Store
  readonly blobs: Blobs
  readonly bus: Bus
  readonly jobs: Jobs
  readonly clock: Clock
  readonly ids: Ids
  readonly scope: Scope
  readonly sites: Sites
  readonly drafts: Drafts
  readonly outbound: Outbound
  readonly adapter: ContentAdapter | undefined
  readonly driveCopies: readonly DriveCopy[]
  /** Run in this order, until one refuses. */
  readonly checks: readonly PublishCheck[]
  readonly participants: readonly PublishParticipant[]
  /** The branch with the content file, if that is set. */
  readonly remote: Parameters<typeof createSources>[0]['remote']
  readonly typesOf: TypesOf
  readonly env: PublishEnvironment
  readonly shape: Shape
  readonly production: boolean
  readonly log: Logger
  readonly longestCheckMs: number
  /** The maximum size of the pages of a publish in bytes. */
  readonly maxPublishBytes: number
  /** The maximum size of a diff in bytes; it lists blocks without their content. */
  readonly maxDiffBytes: number
  readonly sharedLookMs: number
}

/** What publishing works with: what it gets, and its own stores. */
export type PublishContext = ReturnType<typeof createContext>

export function createContext(given: Given) {
  const { store, scope, adapter, driveCopies, participants, remote, env, shape } = given
  const { PUBLISHED_CONTENT_PATH: contentPath, PUBLISH_TARGET: forced } = env
  const snapshots = createSnapshots(given)
  const origins = createSiteOrigins({ ...given, listed: env.ORCHESTRATOR_CORS_ORIGINS })
  const choose = createSources({
    ...given,
    origins,
    adapter: adapter && { read: () => readContentOf(adapter), tagOf, isExact: adapter.isExact },
    snapshots,
    adapterSiteId: scope.defaultSiteId,
    contentPath,
    remote: (forced ?? env.PUBLISH_MODE) === 'git' ? remote : undefined,
    forced,
  })
  const publishLog = createPublishLog(store, participants)
  const deployments = createPublishStatus({ ...given, log: publishLog })
  const { follow, reopen } = createFollowing({ ...given, snapshots })
  const branch = adapter?.branch?.bind(adapter)
  return {
    ...given,
    ...deployments,
    ...createShown({ ...given, follow }),
    follow,
    reader: createSiteReader({ ...given, ...deployments, choose, reopen, graceMs: graceOf(env).answerMs }),
    branches: branch && createBranches(store, branch),
    compared: createComparedDrafts(),
    origins,
    files: createOwnFiles({
      ...given,
      addresses: addressesOf(env, shape),
      driveName: async (id) => driveCopies[0]?.(id),
    }),
    snapshots,
    publishLog,
    scheduled: createScheduled(given),
  }
}
