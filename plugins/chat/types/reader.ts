import type { Outcome, SourceKind } from './plan.ts'
import type { PlanningInput } from './planner.ts'

/** The planner without a model: pure and fast. */
export type RulesPlanner = (input: PlanningInput) => Outcome

/** Reads messages before they are planned. */
export interface Words {
  /** A message without what older clients append to it. */
  clean(message: string): string
  /** True when the message wants to see a plan before anything changes. */
  wantsPlanFirst(message: string): boolean
  /** True for a message that only says yes. */
  isConfirmation(message: string): boolean
  /** True for a message that only says no. */
  isRefusal(message: string): boolean
  /** True for a message that is only thanks or another courtesy, perhaps with a yes. */
  isCourtesy(message: string): boolean
  /** True for a message that reads as the answer to a question, not as a request. */
  isAnswer(message: string): boolean
  /** True for a message that begins as a request or a question: an open question is dropped. */
  isRequest(message: string): boolean
}

export interface Rules {
  readonly plan: RulesPlanner
  readonly words: Words
}

/** A message that asks for a new image and for nothing else. */
export interface ImageWish {
  readonly source?: SourceKind | undefined
  readonly named?: Named | undefined
  /** The image that link previews show of the page, or the logo of the site. */
  readonly of?: Apart | undefined
  /** More than one image is asked for. */
  readonly isSeveral: boolean
  /** What the image should show, in the words of the message, in small letters. */
  readonly query?: string | undefined
  /** What images of single rows should show, by the place of the row from 1. */
  readonly queries: ReadonlyMap<number, string>
}

/** What an image is for that stands in no block: the link previews of a page, or the header of the site. */
export type Apart = 'page' | 'site'

/** Which blocks or rows words name; nothing of it where they only point at what is selected. */
export interface Named {
  readonly noun?: Noun | undefined
  /** The second one, or -1 for the last. */
  readonly place?: number | undefined
  readonly isEvery: boolean
}

/** What a noun means: blocks of these types, or rows of these lists. */
export interface Noun {
  readonly types: readonly string[]
  readonly lists: readonly (readonly [type: string, listKey: string])[]
  /** It means all rows of a list. */
  readonly isPlural: boolean
}

/** What a message says about images. */
export interface SaidImages {
  /** The addresses that it names. */
  readonly addresses: readonly string[]
  /** It speaks of other images than those that are there. */
  readonly isAsked: boolean
  /** All variations are to have the same new one. */
  readonly isShared: boolean
  /** Where they are to come from. */
  readonly source?: SourceKind | undefined
}
