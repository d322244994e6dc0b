import { slot } from '../../kernel/index.ts'
import type { Manifest, Registry } from '../content/model.ts'
import type { Page, SiteConfig } from '../content/page.ts'
import type { OpenQuestion, Outcome } from './plan.ts'
import type { RunEvent } from './run-event.ts'

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
  /** What was asked last and is still open. */
  readonly open?: OpenQuestion | undefined
  /** The last messages of the session, oldest first. */
  readonly history?: readonly ChatTurn[] | undefined
  /** The last changes of the draft, oldest first. */
  readonly recentEdits?: readonly RecentEdit[] | undefined
}

/** What a planner may use and tell while it works. */
export interface PlanningRun {
  readonly id: string
  /** Aborts when the run is canceled. */
  readonly signal: AbortSignal
  emit(event: RunEvent): void
}

/** Turns words into a plan. It changes nothing, and what it gives is checked like anything from outside. */
export interface Planner {
  /** Told as `plannerSource`, such as `anthropic`. */
  readonly name: string
  /** False while it cannot work, such as without its key. */
  readonly available: boolean
  plan(input: PlanningInput, run: PlanningRun): Promise<Outcome>
}

/** Planners beside the one that goes by rules, asked in the order in which they were given. */
export const planners = slot<Planner>('chat.planners')
