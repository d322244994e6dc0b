/** The door to chat: what planners are asked and give, and where they are added. */
export type { OpenQuestion, Outcome, Plan } from './plan.ts'
export { planners, type ChatTurn, type DraftSnapshot, type Planner, type PlanningInput, type PlanningRun, type RecentEdit, type Selection } from './planner.ts'
export { PlannerFailure, type PlannerFailureDetails, type PlannerFailureKind } from './planner-failure.ts'
export type { RunEvent } from './run-event.ts'
