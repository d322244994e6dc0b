import type { Clock } from '../../../kernel/index.ts'
import { type Planner, PlannerFailure, withAnswered } from '../port.ts'
import type { ToolExecutor } from '../../tools/port.ts'
import type { Budget } from '../../models/usage/port.ts'
import type { ModelDeps } from './call/ask.ts'
import type { createPlanTool } from './prompt/tool.ts'
import { texts } from './texts.ts'

export interface ModelPlannerOptions extends ModelDeps {
  readonly clock: Clock
  /** The daily budget; unlimited by default. */
  readonly budget?: (() => Promise<Budget | undefined>) | undefined
  /** The tools of other services; those that only read are offered to the model. */
  readonly executor?: ToolExecutor | undefined
}

/**
 * Creates the planner that asks a language model.
 *
 * It throws a `PlannerFailure` if provider, model or answers leave no outcome, and `Canceled` when canceled.
 */
export function createModelPlanner({ clock, budget, ...deps }: ModelPlannerOptions): Planner {
  let planTool: ReturnType<typeof createPlanTool> | undefined
  return {
    name: deps.client.provider,
    available: true,
    async plan(input, run) {
      refuseSpent(await budget?.())
      // Loaded with the first plan that needs a model.
      const { createPlanTool, planRequest } = await import('./session.ts')
      const session = { ...deps, planTool: await (planTool ??= createPlanTool()), now: clock.now() }
      return planRequest(session, { ...input, message: withAnswered(input) }, run)
    },
  }
}

/** Throws a `PlannerFailure` if the daily budget is spent. */
export function refuseSpent(budget: Budget | undefined): void {
  if (budget === undefined || budget.spentUsd < budget.perDayUsd) return
  throw new PlannerFailure('budget', texts.spent(budget), { notice: texts.spent(budget) })
}
