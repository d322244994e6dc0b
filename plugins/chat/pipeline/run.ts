import type { Clock, Logger } from '../../../kernel/index.ts'
import { builtinRegistry } from '../../content/registry.ts'
import type { Drafts, Playground } from '../../draft/port.ts'
import type { Media } from '../../media/port.ts'
import type { Outbound } from '../../outbound/port.ts'
import type { DraftId, Scope } from '../../scope/port.ts'
import type { Sites } from '../../sites/port.ts'
import type { UsageLog } from '../../models/usage/port.ts'
import type { PlacedRequest } from '../request.ts'
import type { Tier } from '../result.ts'
import type { ChatMemory, Memories } from '../sessions/memory.ts'
import type { PendingPlans } from '../sessions/pending-plans.ts'
import type { RunObserver } from '../types/events.ts'
import type { ImageWork, Searching } from '../types/images.ts'
import type { PendingPlan, Selection } from '../types/plan.ts'
import type { DraftSnapshot, ModelTerms, Planner, PlanningInput, SiteContext } from '../types/planner.ts'
import type { RunRecord } from '../types/record.ts'
import { Canceled, type DeclaredSite, type Ending, type RunOptions } from '../types/run.ts'
import type { VariationMaker } from '../types/variations.ts'
import type { WholeDrafts } from '../whole-drafts.ts'

/** The services and settings that all runs share. */
export interface Chat {
  readonly clock: Clock
  readonly drafts: Drafts
  readonly sites: Sites
  readonly scope: Scope
  readonly outbound: Outbound
  readonly log: Logger
  readonly images: ImageWork | undefined
  readonly maker: VariationMaker | undefined
  readonly usage: UsageLog | undefined
  readonly media: Media | undefined
  readonly planners: readonly Planner[]
  readonly observers: readonly RunObserver[]
  readonly terms: ModelTerms
  readonly memories: Memories
  readonly pendingPlans: PendingPlans
  readonly wholeDrafts: WholeDrafts
  /** The edits that a public demo allows; `undefined` without a lock. */
  readonly playground: Playground | undefined
  readonly maxOperations: number
  readonly longestWaitMs: number
  readonly longestImageMs: number
  promptHash(message: string): string
}

/** One message being processed: the parsed request, and the tools of the run. */
export interface MessageRun {
  readonly chat: Chat
  readonly request: PlacedRequest
  readonly how: RunOptions
  readonly id: DraftId
  /** Who sent it, as `personOf` returns it. */
  readonly person: string | undefined
  readonly message: string
  readonly promptHash: string
  /** True if the plan needs approval: because of the mode, the wording, or a caller who may only propose. */
  readonly isPlanFirst: boolean
  readonly locale: string
  readonly tier: Tier
  readonly site: DeclaredSite
  /** The description of the site from the request, for planners. */
  readonly siteContext: SiteContext
  readonly record: RunRecord
  /** The run in the history that the changes are steps of. */
  readonly changeRun: string
}

/** The state of a session at the start of a run. */
export interface SessionState {
  readonly memory: ChatMemory
  /** Not set for the run that approves it. */
  readonly pending?: PendingPlan | undefined
}

/** The session and the draft that a run works on; read again if the draft changes concurrently. */
export interface RunContext extends SessionState {
  readonly draft: DraftSnapshot
  readonly selection: Selection
}

export interface EndedRun {
  readonly ending: Ending
  /** Where the run ended; without pages if it did not read the draft. */
  readonly context: RunContext
  /** The site as declared with an approved plan. */
  readonly site?: DeclaredSite
}

/** Throws `Canceled` if the run was canceled. */
export function checkpoint({ how }: MessageRun): void {
  if (how.signal.aborted) throw new Canceled()
}

/** The parts of a run that a search for images needs. */
export const searchingOf = ({ chat, id, how, record, siteContext }: MessageRun): Searching => ({
  ...how,
  spent: record.spent,
  siteId: id.siteId,
  folder: siteContext.gdriveFolderId,
  longestMs: chat.longestImageMs,
})

/** The input of every planner. */
export function inputOf(run: MessageRun, { draft, selection, memory }: RunContext): PlanningInput {
  const { chat, message, locale, site, siteContext, request } = run
  const { playground, maxOperations } = chat
  return {
    message,
    locale,
    draft,
    selection,
    siteContext,
    playground,
    maxOperations,
    registry: builtinRegistry,
    ...site,
    ...run.id,
    open: memory.openQuestion?.question,
    history: memory.history,
    tier: request.modelKey,
    attachments: request.attachments,
  }
}
