import type { Manifest } from '../../content/model.ts'
import type { DraftId } from '../../scope/port.ts'
import type { DraftSnapshot, Selection, SiteContext } from '../planners/planner.ts'
import type { PlacedRequest } from '../request.ts'
import type { Tier } from '../result.ts'
import type { ChatMemory } from '../sessions/memory.ts'
import type { PendingPlan } from '../sessions/pending-plan.ts'
import type { PlanningRecord } from './planning-record.ts'
import { Canceled, type RunContext } from './runner.ts'
import type { Timeline } from './timeline.ts'

/** One message on its way to an answer: what was asked, read once, and the means of the run. */
export interface Run {
  readonly request: PlacedRequest
  readonly how: RunContext
  readonly id: DraftId
  /** As it was meant. */
  readonly message: string
  readonly promptHash: string
  /** As the session remembers it: of a request in several steps, the whole of it with the first one. */
  readonly said: string
  /** What the person has in front of them, as the request says it. */
  readonly at: Whereabouts
  /** It is one step of a request that was split already. */
  readonly isStep: boolean
  /** Asked for by the mode or by the wording, or because the caller may not edit: nothing is applied before a person has seen it. */
  readonly isPlanFirst: boolean
  readonly locale: string
  /** Where a model would begin. */
  readonly tier: Tier
  readonly site: DeclaredSite
  /** What the request says of the site, for planners. */
  readonly siteContext: SiteContext
  readonly timeline: Timeline
  readonly record: PlanningRecord
}

/** What somebody has in front of them. */
export type Whereabouts = Pick<PlacedRequest, 'slug' | 'activeBlockId' | 'activeEditablePath'>

/** What the request declares about the site. */
export interface DeclaredSite {
  readonly manifest: Manifest | undefined
  readonly allowStructuralEdits: boolean | undefined
}

/** What a session has been through when a run begins. */
export interface Before {
  readonly memory: ChatMemory
  readonly pending: PendingPlan | undefined
}

/** What a run looks at; nothing in it changes while it runs. */
export interface Scene {
  readonly draft: DraftSnapshot
  readonly selection: Selection
  readonly memory: ChatMemory
}

/** Stops a run that was canceled, between two stages. */
export function checkpoint({ how }: Run): void {
  if (how.signal.aborted) throw new Canceled()
}

/** True when every plan of a run has to wait, because its caller may propose and not edit. */
export const mayOnlyPropose = ({ limits }: Pick<RunContext, 'limits'>): boolean => limits?.may('edit') === false
