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
import type { DestructiveReason, ImageChoice, OpenQuestion, PlannedImage, Remark, Step } from './plan.ts'
import type { ChatTurn, DraftSnapshot, Selection, SiteContext, Source } from './planner.ts'

/** One message on its way to an answer: what was asked, read once, and the means of the run. */
export interface Run {
  readonly request: PlacedRequest
  readonly how: RunOptions
  readonly id: DraftId
  /** As it was meant. */
  readonly message: string
  readonly promptHash: string
  /** As the session remembers it: of a request in several steps, the whole of it with the first one. */
  readonly said: string
  /** What the person has in front of them, as the request says it. */
  readonly at: EditorContext
  /** It is one step of a request that was split already. */
  readonly isStep: boolean
  /** Asked for by the mode or by the wording, or because the caller may not edit: nothing is applied before a person has seen it. */
  readonly isPlanFirst: boolean
  readonly locale: string
  /** Where a model would begin. */
  readonly tier: Tier
  readonly site: DeclaredSite
  /** What a public demo lets through; `undefined` while there is no lock. */
  readonly playground: Playground | undefined
  /** How many operations one plan may have. */
  readonly maxOperations: number
  /** A planner with a model is available. */
  readonly hasModel: boolean
  /** What the request says of the site, for planners. */
  readonly siteContext: SiteContext
  readonly timeline: Timeline
  readonly record: PlanningRecord
}

/** What somebody has in front of them. */
export type EditorContext = Pick<PlacedRequest, 'slug' | 'activeBlockId' | 'activeEditablePath'>

/** What the request declares about the site. */
export interface DeclaredSite {
  readonly manifest: Manifest | undefined
  readonly allowStructuralEdits: boolean | undefined
}

/** What a session has been through when a run begins. */
export interface SessionState {
  readonly memory: ChatMemory
  readonly pending: PendingPlan | undefined
}

/** What a run looks at; nothing in it changes while it runs. */
export interface RunContext {
  readonly draft: DraftSnapshot
  readonly selection: Selection
  readonly memory: ChatMemory
}

/** Stops a run that was canceled, between two stages. */
export function checkpoint({ how }: Run): void {
  if (how.signal.aborted) throw new Canceled()
}

/** True when every plan of a run has to wait, because its caller may propose and not edit. */
export const mayOnlyPropose = ({ limits }: Pick<RunOptions, 'limits'>): boolean => limits?.may('edit') === false

/** How a run ended. */
export interface RunEnd {
  /** The HTTP status that goes with the result. */
  readonly status: 200 | 400 | 409 | 500 | 503
  readonly result: ChatResult
}

/** The means of one run. */
export interface RunOptions {
  readonly id: string
  /** Aborts when the run is canceled: what it applied is taken back, and `Canceled` is thrown. */
  readonly signal: AbortSignal
  emit(event: RunEvent): void
  /** True while somebody follows the run, so that a plan may be applied step by step. */
  readonly isStreamed: boolean
  /** Who asks; somebody, where nobody says. */
  readonly actor?: Actor | undefined
  /** Whose share of the limits on images the run uses, as `shareHolder` names it; a share that all unknown callers have together, without it. */
  readonly holder?: string | undefined
  /** What the caller may do, where that is not everything: without `edit` every plan waits, and without `approve` none is applied. */
  readonly limits?: Pick<CallerLimits, 'may' | 'ask'> | undefined
}

/** Thrown by a run that was canceled, after everything it did was taken back. */
export class Canceled extends Error {
  override readonly name = 'Canceled'
  /** What people are told where something could not be taken back. */
  readonly told: string | undefined

  constructor(message?: string, { told }: { readonly told?: string } = {}) {
    super(message)
    this.told = told
  }
}

/**
 * Runs one message from words to an applied, held or refused plan. Emits what happens, but none of the events that end a
 * run: whoever runs it knows best how it ended. Refusals that carry no result are thrown.
 */
export interface ChatRunner {
  run(request: ChatRequest, context: RunOptions): Promise<RunEnd>
  /** The result of a run that threw, for clients that read every end from a result. */
  resultOf(request: ChatRequest, context: Pick<RunOptions, 'id'>, error: unknown): Promise<ChatResult>
}

/** Runs messages whose page is known. */
export interface PlacedRunner {
  run(request: PlacedRequest, context: RunOptions): Promise<RunEnd>
}

/** A plan that waits for a person to approve it, as it is stored: JSON, so that nobody changes it meanwhile. */
export interface PendingPlan {
  readonly id: string
  /** ISO times. */
  readonly createdAt: string
  readonly expiresAt: string
  readonly promptHash: string
  /** At most 2,000 characters of it. */
  readonly message: string
  /** The language of its texts. */
  readonly locale: string
  /** The page that the request named; that of the selection is the one that is worked on. */
  readonly requestedSlug: string
  readonly selection: Selection
  /** The planner's sentence, in the future tense. */
  readonly summary: string
  readonly steps: readonly Step[]
  /** Looked for once the operations are applied. */
  readonly images?: readonly PlannedImage[] | undefined
  readonly suggestions: readonly string[]
  /** The pages that it is about, with those that it makes. */
  readonly mentionedSlugs: readonly string[]
  readonly notes: readonly Remark[]
  readonly reasons: readonly DestructiveReason[]
  readonly source: Source
  readonly draftVersion: number
  /** The block types and the switch of the site as they were sent with the request. */
  readonly componentsManifest?: unknown
  readonly allowStructuralEdits?: boolean | undefined
}

/** A question that was asked and not answered yet. */
export interface Asked {
  readonly question: OpenQuestion
  readonly askedAt: string
  /** How many messages since have not answered it. */
  readonly failures: number
}

/** What is remembered of the talk in one session, as it is stored. */
export interface ChatMemory {
  /** Oldest first. */
  readonly history: readonly ChatTurn[]
  readonly asked?: Asked | undefined
  readonly images?: { readonly choice: ImageChoice; readonly chosenAt: string } | undefined
}

/** When a run reached what, in milliseconds after it began. */
export interface Timeline {
  /** Only the first time counts. */
  reached(stage: Milestone): void
  /** In the order of the stages; those that were not reached are left out. */
  read(): { stage: Milestone; atMs: number }[]
}

/** What planners told of their work on one run. */
export interface PlanningRecord {
  /** What models took, failed attempts included. */
  readonly meter: Meter
  /** The last attempt that a planner told of; `undefined` where none works in attempts. */
  facts(): PlanningFacts | undefined
  spent(spending: ModelSpending): void
  attempting(facts: PlanningFacts): void
  noted(note: PlanningNote): void
  /** Heard by whoever applies operations of a plan that is still being written. */
  wantsImages?(): void
  /** True when a plan was sent back to be mended. */
  wasRepaired(): boolean
}

/** Adds up the calls of a run: every attempt, the router and repairs. */
export interface Meter {
  add(spending: ModelSpending): void
  total(): RunUsage
  /** Every call with its price. */
  calls(): readonly PricedCall[]
}

/** What plans that wait would make of their drafts, for other plugins. */
export interface PlanPreviews {
  /**
   * The draft as it would be with a plan that waits in this session, and what was asked for; `content` is `undefined` where
   * the plan no longer fits the draft. `undefined` where it does not wait. Refuses as chat does with 413 and 429.
   */
  read(id: DraftId, planId: string): Promise<{ readonly message: string; readonly content: SiteContent | undefined } | undefined>
}
