import type { Clock } from '../../kernel/index.ts'
import { type Planner, PlannerFailure, withAnswered } from '../chat/port.ts'
import type { Budget } from '../usage/port.ts'
import type { ModelDeps } from './call/ask.ts'
import { textsFor } from './texts.ts'

export interface ModelPlannerOptions extends ModelDeps {
  readonly clock: Clock
  /** The daily budget; unlimited by default. */
  readonly budget?: (() => Promise<Budget | undefined>) | undefined
}

/** A longer message is not split: it is planned as one, or the person is asked to shorten it. */
const longestSplit = 8_000

/**
 * Creates the planner that asks a language model.
 *
 * It throws a `PlannerFailure` if provider, model or answers leave no outcome, and `Canceled` when canceled.
 */
export function createModelPlanner({ clock, budget, ...deps }: ModelPlannerOptions): Planner {
  let loading: ReturnType<typeof load> | undefined
  return {
    name: deps.client.provider,
    available: true,
    async plan(input, run) {
      refuseSpent(await budget?.(), input.locale)
      const { tools, planRequest, describeImage } = await (loading ??= load())
      // The words of both messages determine prompt and model.
      const asked = { ...input, message: withAnswered(input) }
      return (await describeImage(deps, asked, run)) ?? planRequest({ ...deps, tools, now: clock.now() }, asked, run)
    },
    async split(input, run) {
      if (input.open !== undefined || input.message.length > longestSplit || isSpent(await budget?.())) return undefined
      const { split } = await import('./split.ts')
      return split(deps, input, run)
    },
  }
}

/** Loaded with the first plan that needs a model. */
async function load() {
  const [{ planRequest }, { planTools }, { describeImage }] = await Promise.all([import('./session.ts'), import('./prompt/tool.ts'), import('./alt-text.ts')])
  return { planRequest, describeImage, tools: await planTools() }
}

const isSpent = (budget: Budget | undefined): budget is Budget => budget !== undefined && budget.spentUsd >= budget.perDayUsd

/** Throws a `PlannerFailure` if the daily budget is spent. */
export function refuseSpent(budget: Budget | undefined, locale: string): void {
  if (!isSpent(budget)) return
  throw new PlannerFailure('budget', textsFor('en').spent(budget), { notice: textsFor(locale).spent(budget) })
}
