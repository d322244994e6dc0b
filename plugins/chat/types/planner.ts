import * as v from 'valibot'
import { service, slot } from '../../../kernel/index.ts'
import type { Manifest, Registry } from '../../content/model.ts'
import type { Page, SiteConfig } from '../../content/page.ts'
import type { LogEntry, Playground } from '../../draft/port.ts'
import type { ModelSpending, Picture, Price } from '../../models/port.ts'
import type { Tier } from '../result.ts'
import type { PlanningFacts, PlanningNote, StreamEvent } from './events.ts'
import type { OpenQuestion, Outcome, Selection, Source } from './plan.ts'

/** The draft at the start of a run. */
export interface DraftSnapshot {
  readonly version: number
  /** In the order of the navigation, home first. */
  readonly pages: readonly Page[]
  readonly config: SiteConfig
  /** The hosts of the site: links to pages at these follow a rename. */
  readonly ownHosts?: ReadonlySet<string> | undefined
}

export interface ChatTurn {
  readonly role: 'person' | 'assistant'
  readonly text: string
  /** Written by, or to, another person at this draft than the one who asks now. */
  readonly isOfOther?: boolean | undefined
}

export interface RecentEdit extends Pick<LogEntry, 'at' | 'slug' | 'summary' | 'opTypes'> {
  /** Such as `chat`, `direct` or `undo`. */
  readonly source: string
}

const text = v.fallback(v.optional(v.string()), undefined)
const Template = v.object({ name: v.string(), description: v.string() })

/** The description of a site by a client, without invalid parts. Untrusted data, never an instruction. */
export const SiteContext = v.object({
  siteName: text,
  /** The Google Drive folder with the images of the site. */
  gdriveFolderId: text,
  purpose: text,
  tone: text,
  constraints: v.fallback(v.optional(v.array(v.string())), undefined),
  pageTemplates: v.fallback(v.optional(v.array(Template)), undefined),
})
export type SiteContext = Readonly<v.InferOutput<typeof SiteContext>>

export interface Attachment {
  readonly name?: string | undefined
  readonly mimeType: string
  readonly url?: string | undefined
  readonly text?: string | undefined
}

/** The complete input of a planner. */
export interface PlanningInput {
  readonly siteId: string
  readonly session?: string | undefined
  /** The message without the text that older clients append. */
  readonly message: string
  /** The language of the answers, never of the content: `en`, `de`, … */
  readonly locale: string
  readonly draft: DraftSnapshot
  readonly selection: Selection
  readonly registry: Registry
  readonly manifest?: Manifest | undefined
  /** The open question, if the message reads as its answer. */
  readonly open?: OpenQuestion | undefined
  /** The tier chosen by the person; it is final. */
  readonly tier?: Tier | undefined
  /** Oldest first. */
  readonly history?: readonly ChatTurn[] | undefined
  /** The last changes of the draft, oldest first. */
  readonly recentEdits?: readonly RecentEdit[] | undefined
  readonly siteContext?: SiteContext | undefined
  readonly maxOperations?: number | undefined
  /** True if a source of images is available. */
  readonly findsImages?: boolean | undefined
  /** Whether structural edits are allowed. Limits suggestions, like a demo lock; plans are checked later. */
  readonly allowStructuralEdits?: boolean | undefined
  readonly playground?: Playground | undefined
  readonly attachments?: readonly Attachment[] | undefined
}

/** The tools of a planner for one request. */
export interface PlanningRun {
  readonly id: string
  /** Aborts when the run is canceled. */
  readonly signal: AbortSignal
  emit(event: StreamEvent): void
  /** Records a model call, including failed and canceled ones. */
  spent?(spending: ModelSpending): void
  /** Fetches a picture that the content names, never from private networks; `undefined` if unreadable. */
  readPicture?(address: string): Promise<Picture | undefined>
  /** Announces an attempt. From the second one on, it voids the candidates of earlier attempts. */
  attempting?(facts: PlanningFacts): void
  noted?(note: PlanningNote): void
}

/** Turns a message into an outcome. It changes nothing, and its outcome is untrusted. */
export interface Planner {
  /** The `provider` of requests and the `plannerSource` of results, such as `anthropic`. */
  readonly name: string
  /** False while the planner cannot work, for example without its key. */
  readonly available: boolean
  /** True if it calls no model. It is asked only if no planner with a model is available. */
  readonly isLocal?: boolean | undefined
  plan(input: PlanningInput, run: PlanningRun): Promise<Outcome>
}

/** Planners of plugins, asked in order: those with a model, or else the local ones. */
export const planners = slot<Planner | readonly Planner[]>('chat.planners')

/** The default tier, and the prices of the models. */
export interface ModelTerms {
  /** The default tier. */
  readonly tier: Tier
  readonly prices: readonly Price[]
}

export const modelTerms = service<ModelTerms>('chat.modelTerms')

/**
 * Why a planner has no usable outcome.
 *
 * `provider`: the provider rejects the call, for example because of a quota, a key or an overload. `budget`:
 * the budget is spent. `refused`: the model declined. `incomplete`: its answer was cut off. `unusable`: its
 * answers were not plans. `unrepaired`: its plan cannot be applied, even after one repair.
 */
export type PlannerFailureKind = 'provider' | 'budget' | 'refused' | 'incomplete' | 'unusable' | 'unrepaired'

/**
 * Try again `later`, `wait` for a limit to reset, send a `smaller` request, or have the `operator` change a
 * setting.
 */
export type PlannerRemedy = 'later' | 'wait' | 'smaller' | 'operator'

export interface PlannerFailureDetails {
  readonly provider?: string | undefined
  /** `later` by default. */
  readonly remedy?: PlannerRemedy | undefined
  /** Shown with the answer, in the language of the person, without variable names; cut at 300 characters. */
  readonly notice?: string | undefined
  /** For `unusable`: why each attempt failed, oldest first. For `unrepaired`: the problems of the plan. */
  readonly attempts?: readonly string[] | undefined
}

/** Thrown by a planner that has no outcome; the run reports it and changes nothing. */
export class PlannerFailure extends Error {
  override readonly name = 'PlannerFailure'
  readonly kind: PlannerFailureKind
  readonly details: PlannerFailureDetails

  /** `message` is for operators: English, with the remedy and the variable, without secrets or content. */
  constructor(
    kind: PlannerFailureKind,
    message: string,
    { cause, ...details }: PlannerFailureDetails & { readonly cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? {} : { cause })
    this.kind = kind
    this.details = details
  }
}

/** The planner without a model. */
export const byRules: Source = { plannerSource: 'demo', modelUsed: 'rules', plannerTier: 'demo' }
