/** The door to chat: what planners are asked and give, where they are added, and what runs a message. */
import { service } from '../../kernel/index.ts'
import type { ChatRunner } from './run/runner.ts'
import type { PlanPreviews } from './sessions/waiting-plans.ts'
import type { VariationRunner } from './variations/runner.ts'

export type { WantedImage } from './images/wanted.ts'
export { imageSources, type FoundImage, type ImageCredit, type ImageRequest, type ImageSource, type SourceKind } from './images/source.ts'
export type { OpenQuestion, Outcome, Plan } from './planners/plan.ts'
export { planners, type ChatTurn, type DraftSnapshot, type Planner, type PlanningInput, type PlanningNote, type PlanningRun, type RecentEdit, type RequestStep, type Selection } from './planners/planner.ts'
export { PlannerFailure, type PlannerFailureDetails, type PlannerFailureKind } from './planners/planner-failure.ts'
export { ChatRequest, mostRequestBytes } from './request.ts'
export { ChatResult } from './result.ts'
export type { RunEvent } from './run/event.ts'
export { runObservers, type RunFact, type RunFollower, type RunObserver, type RunResult, type RunStart, type ToldWork } from './run/observer.ts'
export { Canceled, type ChatRunner, type RunContext, type RunEnd } from './run/runner.ts'
export type { PlanPreviews } from './sessions/waiting-plans.ts'
export { changeLines } from './texts/change-lines.ts'
export { VariationRequest } from './variations/request.ts'
export type { Variation } from './variations/result.ts'
export type { VariationEnd, VariationListener, VariationRunner } from './variations/runner.ts'

/** Turns a message into a run, whichever route it came by. */
export const chatRunner = service<ChatRunner>('chat.runner')

/** Writes variations of a block. */
export const variationRunner = service<VariationRunner>('chat.variations')

/** What plans that wait for approval would make of their drafts. */
export const planPreviews = service<PlanPreviews>('chat.plan-previews')
