import type { Clock, Logger } from '../../../kernel/index.ts'
import type { Checks } from '../../checks/port.ts'
import type { Drafts, Playground } from '../../draft/port.ts'
import type { Price } from '../../llm/port.ts'
import type { Scope } from '../../scope/port.ts'
import type { Sites } from '../../sites/port.ts'
import type { UsageLog } from '../../usage/port.ts'
import type { ApplySettings } from '../apply-settings.ts'
import type { PromptHash } from '../digest.ts'
import type { ImageWork } from '../types/images.ts'
import type { ReadPicture } from '../read-picture.ts'
import type { Tier } from '../result.ts'
import type { Chains } from '../sessions/chains.ts'
import type { Memories } from '../sessions/memory.ts'
import type { PendingPlans } from '../sessions/pending-plans.ts'
import type { Planner } from '../types/planner.ts'
import type { Words } from '../types/reader.ts'
import type { Variations } from '../types/variations.ts'
import type { WholeDrafts } from '../whole-drafts.ts'

/** What the stages of a run work with. */
export interface Deps {
  readonly drafts: Drafts
  readonly wholeDrafts: WholeDrafts
  readonly sites: Sites
  readonly scope: Scope
  readonly clock: Clock
  readonly log: Logger
  /** How messages are read before they are planned. */
  readonly words: Words
  readonly promptHash: PromptHash
  /** Asked in this order as far as they are available, local ones first. */
  readonly planners: readonly Planner[]
  readonly variations: Variations
  /** Reads requests for new images; `undefined` without a source of images. */
  readonly images: ImageWork | undefined
  readonly checks: Checks | undefined
  readonly memories: Memories
  readonly pendingPlans: PendingPlans
  readonly chains: Chains
  readonly readPicture: ReadPicture
  /** What a public demo lets through; `undefined` while there is no lock. */
  readonly playground: Playground | undefined
  /** Whether this service itself serves an address. */
  readonly owns: (address: string) => boolean
  /** What models cost. */
  readonly prices: readonly Price[]
  /** The tier of requests that choose none. */
  readonly defaultTier: Tier
  /** Where the usage of models is stored. */
  readonly usage: UsageLog | undefined
  /** Operations that one plan may have. */
  readonly maxOperations: number
  /** How plans are applied while a client follows them. */
  readonly stepping: ApplySettings
  /** Milliseconds for which a message waits for the one before it. */
  readonly longestWaitMs: number
}
