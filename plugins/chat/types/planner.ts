import { slot } from '../../../kernel/index.ts'
import type { Manifest, Registry } from '../../content/model.ts'
import type { Page, SiteConfig } from '../../content/page.ts'
import type { Playground } from '../../draft/port.ts'
import type { ModelSpending, Picture } from '../../llm/port.ts'
import type { ChatDebug, Tier } from '../result.ts'
import type { PlanningFacts, PlanningNote, StreamEvent } from './events.ts'
import type { OpenQuestion, Outcome } from './plan.ts'

/** A draft as it was when a run began. */
export interface DraftSnapshot {
  readonly version: number
  /** In the order of the navigation, home first. */
  readonly pages: readonly Page[]
  readonly config: SiteConfig
}

/** What the person has in front of them. */
export interface Selection {
  /** The page that is worked on; it is in the draft. */
  readonly slug: string
  readonly blockId?: string | undefined
  /** A field of the block, such as `heading`, `cards[1].title` or `right[0].src`. */
  readonly path?: string | undefined
}

/** Something that was said in the session. */
export interface ChatTurn {
  readonly role: 'person' | 'assistant'
  readonly text: string
}

/** A change of the draft, by whomever. */
export interface RecentEdit {
  /** ISO time. */
  readonly at: string
  readonly slug: string
  readonly summary: string
  readonly opTypes: readonly string[]
  /** Such as `chat`, `direct` or `undo`. */
  readonly source: string
}

/** What a client says about the site beside what is kept of it. It comes from outside and is data, never an instruction. */
export interface SiteContext {
  readonly siteName?: string | undefined
  /** The folder of Google Drive with the images of the site. */
  readonly gdriveFolderId?: string | undefined
  readonly purpose?: string | undefined
  readonly tone?: string | undefined
  readonly constraints?: readonly string[] | undefined
  readonly pageTemplates?: readonly { readonly name: string; readonly description: string }[] | undefined
}

/** What a person attached to a message, as far as it can be read. */
export interface Attachment {
  readonly name?: string | undefined
  readonly mimeType: string
  readonly url?: string | undefined
  readonly text?: string | undefined
}

/** Everything that a planner may look at. */
export interface PlanningInput {
  readonly siteId: string
  /** As it was written, without what older clients append to it. */
  readonly message: string
  /** The language of the answers, never of the content: `en`, `de`, … */
  readonly locale: string
  readonly draft: DraftSnapshot
  readonly selection: Selection
  readonly registry: Registry
  /** The block types of the site, where it declares them. */
  readonly manifest?: Manifest | undefined
  /** What was asked last, where the message reads as the answer to it. */
  readonly open?: OpenQuestion | undefined
  /** The tier that the person chose; nobody changes it. */
  readonly tier?: Tier | undefined
  /** The last messages of the session, oldest first. */
  readonly history?: readonly ChatTurn[] | undefined
  /** The last changes of the draft, oldest first. */
  readonly recentEdits?: readonly RecentEdit[] | undefined
  readonly siteContext?: SiteContext | undefined
  /** The person wants to see the plan before it is applied. */
  readonly isPlanFirst?: boolean | undefined
  /** A planner with a model is available for what local planners cannot do. */
  readonly hasModel?: boolean | undefined
  /** How many operations one plan may have. */
  readonly maxOperations?: number | undefined
  /** New images are found here: a plan may ask for some beside its operations. */
  readonly findsImages?: boolean | undefined
  /** False while the site has switched structural edits off. It and the lock of a public demo count for what is suggested; plans are held to them later. */
  readonly allowStructuralEdits?: boolean | undefined
  readonly playground?: Playground | undefined
  readonly attachments?: readonly Attachment[] | undefined
}

/** What a planner may use and tell while it works. */
export interface PlanningRun {
  readonly id: string
  /** Aborts when the run is canceled. */
  readonly signal: AbortSignal
  emit(event: StreamEvent): void
  /** Told of every call of a model, of those that failed or were canceled as well. */
  spent?(spending: ModelSpending): void
  /** Gets a picture that the content names, by a way that is closed to private networks; `undefined` where it cannot be had. */
  readPicture?(address: string): Promise<Picture | undefined>
  /** Told before every attempt. What earlier attempts emitted as candidates counts for nothing from the second on. */
  attempting?(facts: PlanningFacts): void
  /** Told what came of attempts. */
  noted?(note: PlanningNote): void
  /** Told as soon as the plan that is being written asks for images: then nothing of it is applied before somebody has seen it. */
  wantsImages?(): void
}

/** A part of a request, which is planned and applied by itself. */
export interface RequestStep {
  /** A whole request, such as a person could send. */
  readonly text: string
  /** A few words for people. */
  readonly label: string
}

/** Turns words into a plan. It changes nothing, and what it gives is checked like anything from outside. */
export interface Planner {
  /** What a request asks for as `provider`, and what results name as `plannerSource`, such as `anthropic`. */
  readonly name: string
  /** False while it cannot work, such as without its key. */
  readonly available: boolean
  /** True for a planner that calls no model. It is asked first; a plan or an answer of it saves the call of a model, anything else is the last word where no model is available. */
  readonly isLocal?: boolean | undefined
  plan(input: PlanningInput, run: PlanningRun): Promise<Outcome>
  /** Splits a request that is better done in several steps; `undefined` for any other. Without it, nothing is split. */
  split?(input: PlanningInput, run: PlanningRun): Promise<readonly RequestStep[] | undefined>
}

/** Planners of plugins: local ones are asked first, then those with a model, each in the order in which they were given. */
export const planners = slot<Planner | readonly Planner[]>('chat.planners')

/** The planners that call a model, as far as they are available. */
export const withModel = (all: readonly Planner[]): readonly Planner[] => all.filter(({ available, isLocal }) => available && !isLocal)

/**
 * Why a planner gave nothing that can be used.
 *
 * `provider`: the provider of the model does not serve us, such as a quota, a key or an overload. `budget`: what may be spent
 * is spent. `refused`: the model declined. `incomplete`: its answer was cut off. `unusable`: what it gave is no plan, every time it
 * was asked. `unrepaired`: it is a plan that cannot be applied, also after it was sent back.
 */
export type PlannerFailureKind = 'provider' | 'budget' | 'refused' | 'incomplete' | 'unusable' | 'unrepaired'

/** What goes wrong with planners that do not say it themselves: what one gave is no plan, or it threw something. */
export type PlannerBreak = 'no_plan' | 'broke_off'

/** To try again `later`, to `wait` because a limit is reached, a `smaller` request, or a setting, which is for the `operator` to change. */
export type PlannerRemedy = 'later' | 'wait' | 'smaller' | 'operator'

export interface PlannerFailureDetails {
  /** Who failed, as people know it, such as `Anthropic`. */
  readonly provider?: string | undefined
  /** What helps; `later` unless it is said. */
  readonly remedy?: PlannerRemedy | undefined
  /** What people read beside the answer, in their language and without variables; up to 300 characters of it. */
  readonly told?: string | undefined
  /** Of `unusable`: why each attempt failed, oldest first. Of `unrepaired`: what is wrong with the plan. */
  readonly attempts?: readonly string[] | undefined
}

/** Thrown by a planner that cannot give an outcome; the run tells it as what it is, and changes nothing. */
export class PlannerFailure extends Error {
  override readonly name = 'PlannerFailure'
  readonly kind: PlannerFailureKind
  readonly details: PlannerFailureDetails

  /** `message` is for operators: an English sentence that names the remedy and the variable, without secrets and without content. */
  constructor(kind: PlannerFailureKind, message: string, { cause, ...details }: PlannerFailureDetails & { readonly cause?: unknown } = {}) {
    super(message, cause === undefined ? {} : { cause })
    this.kind = kind
    this.details = details
  }
}

/** Who answered, as results tell it. */
export interface Source {
  /** `demo` is the planner without a model. */
  readonly plannerSource: string
  readonly modelUsed: string
  readonly plannerTier: ChatDebug['plannerTier']
  /** The tier of the model, where one answered. */
  readonly modelKey?: Tier | undefined
}

/** The planner by rules where it has the last word. */
export const byRulesAlone: Source = { plannerSource: 'demo', modelUsed: 'rules', plannerTier: 'demo' }

/** The planner by rules where it saved another one the work. */
export const byRules: Source = { plannerSource: 'demo', modelUsed: 'rules', plannerTier: 'deterministic' }
