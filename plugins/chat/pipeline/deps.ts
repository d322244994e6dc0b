import type { Clock, Logger } from '../../../kernel/index.ts'
import type { Checks } from '../../checks/port.ts'
import type { Drafts, Playground } from '../../draft/port.ts'
import type { Price } from '../../llm/port.ts'
import type { Scope } from '../../scope/port.ts'
import type { Sites } from '../../sites/port.ts'
import type { UsageLog } from '../../usage/port.ts'
import type { ApplySettings } from '../apply-settings.ts'
import type { PromptHash } from '../digest.ts'
import type { ReadPicture } from '../read-picture.ts'
import type { Tier } from '../result.ts'
import type { Chains } from '../sessions/chains.ts'
import type { Memories } from '../sessions/memory.ts'
import type { PendingPlans } from '../sessions/pending-plans.ts'
import type { ImageWork } from '../types/images.ts'
import type { Planner } from '../types/planner.ts'
import type { MessageReader } from '../types/reader.ts'
import type { VariationMaker } from '../types/variations.ts'
import type { WholeDrafts } from '../whole-drafts.ts'

/** The dependencies of the stages. */
export interface Deps {
  readonly drafts: Drafts
  readonly wholeDrafts: WholeDrafts
  readonly sites: Sites
  readonly scope: Scope
  readonly clock: Clock
  readonly log: Logger
  readonly words: MessageReader
  readonly promptHash: PromptHash
  /** Local ones first. */
  readonly planners: readonly Planner[]
  /** Loads the maker of variations; `undefined` where none is set up. */
  readonly variationMaker: (() => Promise<VariationMaker>) | undefined
  /** Reads requests for new images; `undefined` without a source of images. */
  readonly images: ImageWork | undefined
  readonly checks: Checks | undefined
  readonly memories: Memories
  readonly pendingPlans: PendingPlans
  readonly chains: Chains
  readonly readPicture: ReadPicture
  /** What a public demo allows; `undefined` without a lock. */
  readonly playground: Playground | undefined
  /** Whether this service itself serves an address. */
  readonly owns: (address: string) => boolean
  readonly prices: readonly Price[]
  readonly defaultTier: Tier
  readonly usage: UsageLog | undefined
  readonly maxOperations: number
  readonly stepping: ApplySettings
  /** Milliseconds that a message waits for the one before it. */
  readonly longestWaitMs: number
}
