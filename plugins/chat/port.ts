/** The public interface of chat: planners and their outcomes, slots, and the message runner. */
import { service } from '../../kernel/index.ts'
import type { ChatRunner, PlanPreviews, PlanProposals } from './types/run.ts'

export { promptExcerpt } from './message.ts'
export { draftTooLarge, tooManyDrafts } from './refusals.ts'
export { ChatRequest, mostRequestBytes, StartRequest, VariationRequest } from './request.ts'
export { ChatResult, type Variation } from './result.ts'
export {
  phases,
  runObservers,
  type PlanningNote,
  type RunEvent,
  type RunFollower,
  type RunObserver,
  type RunResult,
  type RunStart,
  type RunWork,
  StreamEvent,
} from './types/events.ts'
export { imageWork, type Finding, type ImageScene, type ImageWork, type Searching } from './types/images.ts'
export {
  longestSuggestion,
  mostImages,
  WantedImage,
  withAnswered,
  type ImageChoice,
  type OpenQuestion,
  type Outcome,
  type Plan,
  type PlannedImage,
  type Selection,
} from './types/plan.ts'
export { destructiveReasons } from './pipeline/approval.ts'
export {
  modelTerms,
  PlannerFailure,
  planners,
  type Attachment,
  type ChatTurn,
  type DraftSnapshot,
  type ModelTerms,
  type Planner,
  type PlannerFailureDetails,
  type PlannerFailureKind,
  type PlannerRemedy,
  type PlanningInput,
  type PlanningRun,
  type RecentEdit,
} from './types/planner.ts'
export { changeLines } from './texts/changes.ts'
export { timed } from './types/record.ts'
export {
  Canceled,
  type ChatRunner,
  type PlanPreviews,
  type PlanProposals,
  type RunEnd,
  type RunOptions,
} from './types/run.ts'
export { mostVariations, variationMaker, type VariationAsk, type VariationMaker } from './types/variations.ts'

/** Runs messages. */
export const chatRunner = service<ChatRunner>('chat.runner')

/** Drafts with their pending plan applied. */
export const planPreviews = service<PlanPreviews>('chat.plan-previews')

/** Plans of other plugins, held and approved like those of chat. */
export const planProposals = service<PlanProposals>('chat.plan-proposals')
