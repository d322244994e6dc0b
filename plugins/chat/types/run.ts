import type { CallerLimits } from '../../../kernel/index.ts'
import type { SiteContent } from '../../content/adapter.ts'
import type { Manifest } from '../../content/model.ts'
import type { Actor, Playground } from '../../draft/port.ts'
import type { ModelSpending } from '../../llm/port.ts'
import type { DraftId } from '../../scope/port.ts'
import type { PricedCall } from '../../usage/port.ts'
import type { ChatRequest, PlacedRequest } from '../request.ts'
import type { ChatResult, Tier } from '../result.ts'
import type { Milestone, PlanningFacts, PlanningNote, RunEvent, RunUsage } from './events.ts'
import type { PendingPlan } from './pending-plan.ts'
import type { ImageChoice, OpenQuestion } from './plan.ts'
import type { ChatTurn, DraftSnapshot, Selection, SiteContext } from './planner.ts'

/** One message on its way to an answer: the request, read once, and the tools of the run. */
export interface Run {
  readonly request: PlacedRequest
  readonly how: RunOptions
  readonly id: DraftId
  readonly message: string
  readonly promptHash: string
  /** As the session remembers it: the first step of a chain stands for the complete request. */
  readonly said: string
  /** What the editor shows, as the request says. */
  readonly at: EditorContext
  /** The run is one step of a chain. */
  readonly isStep: boolean
  /** The plan needs approval, because of the mode, the wording, or a caller who may only propose. */
  readonly isPlanFirst: boolean
  readonly locale: string
  readonly tier: Tier
  readonly site: DeclaredSite
  /** What a public demo allows; `undefined` without a lock. */
  readonly playground: Playground | undefined
  readonly maxOperations: number
  readonly hasModel: boolean
  /** What the request says of the site, for planners. */
  readonly siteContext: SiteContext
  readonly timeline: Timeline
  readonly record: PlanningRecord
}

export type EditorContext = Pick<PlacedRequest, 'slug' | 'activeBlockId' | 'activeEditablePath'>

/** What the request declares about the site. */
export interface DeclaredSite {
  readonly manifest: Manifest | undefined
  readonly allowStructuralEdits: boolean | undefined
}

/** The state of a session at the start of a run. */
export interface SessionState {
  readonly memory: ChatMemory
  readonly pending: PendingPlan | undefined
}

/** What a run looks at; it does not change during the run. */
export interface RunContext {
  readonly draft: DraftSnapshot
  readonly selection: Selection
  readonly memory: ChatMemory
}

/** Throws `Canceled` where the run was canceled. */
export function checkpoint({ how }: Run): void {
  if (how.signal.aborted) throw new Canceled()
}

/** True when the caller may propose but not edit, so that every plan needs approval. */
export const mayOnlyPropose = ({ limits }: Pick<RunOptions, 'limits'>): boolean => limits?.may('edit') === false

export interface RunEnd {
  /** The HTTP status that goes with the result. */
  readonly status: 200 | 400 | 409 | 500 | 503
  readonly result: ChatResult
}

/** What a run is started with. */
export interface RunOptions {
  readonly id: string
  /** Aborts when the run is canceled: its changes are rolled back, and `Canceled` is thrown. */
  readonly signal: AbortSignal
  emit(event: RunEvent): void
  /** True while a client follows the run, so that a plan may be applied step by step. */
  readonly isStreamed: boolean
  /** Who asks; an unnamed person by default. */
  readonly actor?: Actor | undefined
  /** The caller that image limits count towards, as `shareHolder` names it; unknown callers share one limit. */
  readonly holder?: string | undefined
  /** What a restricted caller may do: without `edit` every plan needs approval, and without `approve` none is applied. */
  readonly limits?: Pick<CallerLimits, 'may' | 'ask'> | undefined
}

/** Thrown by a run that was canceled, after its changes were rolled back. */
export class Canceled extends Error {
  override readonly name = 'Canceled'
  /** Shown to people where something could not be rolled back. */
  readonly notice: string | undefined

  constructor(message?: string, { notice }: { readonly notice?: string } = {}) {
    super(message)
    this.notice = notice
  }
}

/**
 * Runs one message. Emits what happens, except the events that end a run: its caller emits those. Refusals without a
 * result are thrown.
 */
export interface ChatRunner {
  run(request: ChatRequest, context: RunOptions): Promise<RunEnd>
  /** The result of a run that threw. */
  resultOf(request: ChatRequest, context: Pick<RunOptions, 'id'>, error: unknown): Promise<ChatResult>
}

export interface PlacedRunner {
  run(request: PlacedRequest, context: RunOptions): Promise<RunEnd>
}

export interface Asked {
  readonly question: OpenQuestion
  readonly askedAt: string
  /** Messages since that have not answered it. */
  readonly failures: number
}

/** The memory of one session, as it is stored. */
export interface ChatMemory {
  /** Oldest first. */
  readonly history: readonly ChatTurn[]
  readonly asked?: Asked | undefined
  readonly images?: { readonly choice: ImageChoice; readonly chosenAt: string } | undefined
}

/** When a run reached its milestones, in milliseconds after its start. */
export interface Timeline {
  /** Records a milestone; only the first time counts. */
  reached(stage: Milestone): void
  read(): { stage: Milestone; atMs: number }[]
}

/** What planners reported about one run. */
export interface PlanningRecord {
  readonly meter: Meter
  /** The last attempt; `undefined` where no planner works in attempts. */
  facts(): PlanningFacts | undefined
  spent(spending: ModelSpending): void
  attempting(facts: PlanningFacts): void
  noted(note: PlanningNote): void
  /** Stops the early application of a plan that asks for images. */
  wantsImages?(): void
  /** True when a plan was sent back for a repair. */
  wasRepaired(): boolean
}

/** Adds up the model calls of a run. */
export interface Meter {
  add(spending: ModelSpending): void
  total(): RunUsage
  /** Every call with its price. */
  calls(): readonly PricedCall[]
}

export interface PlanPreviews {
  /**
   * The draft with the pending plan applied, and the message that asked for it; `content` is `undefined` where the plan no
   * longer fits the draft. `undefined` where this plan is not pending. Refuses with 413 and 429 as chat does.
   */
  read(id: DraftId, planId: string): Promise<{ readonly message: string; readonly content: SiteContent | undefined } | undefined>
}
