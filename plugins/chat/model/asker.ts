import { ModelFailure, type ModelCall } from '../../llm/port.ts'
import type { PlanningRun } from '../types/planner.ts'
import type { RoutingDecision } from '../types/events.ts'
import type { Tier } from '../result.ts'
import { askAside, type AsideMeans } from './aside.ts'
import { ask, type ModelAnswer } from './ask.ts'
import { attachedPictures } from './attached.ts'
import { categoryOf, givenUp } from './attempt.ts'
import type { Subject } from './checks/check.ts'
import { modesOf } from './modes.ts'
import { planToolName, type PlanTools } from './plan-tool.ts'
import { promptFor } from './prompt/prompt.ts'
import { taskText, type Feedback } from './prompt/task.ts'
import { rulesVersion } from './prompt/rules.ts'
import { complexityIn, isForRouter, routerCall } from './router.ts'
import type { ModelSettings } from './settings.ts'
import { textsFor } from './texts.ts'
import { efforts, isWorthThinking } from './thinking.ts'
import { routed, tierFor, type Complexity } from './tier.ts'
import { createTeller } from './told.ts'

export interface AskerMeans extends AsideMeans {
  readonly settings: ModelSettings
  readonly waits: readonly number[]
  readonly tools: PlanTools
}

/** Asks a model for the plan of one request, with the prompt, the context and the tier that suit it. */
export interface Asker {
  /** How many calls were begun. */
  readonly tries: number
  /** Asks the router, whose verdict may choose a smaller model and nothing else. A tier that a person chose needs none. */
  route(): Promise<void>
  /** One call for a plan. */
  ask(feedback: Feedback | undefined): Promise<ModelAnswer>
  /** From here on a model of a higher tier is asked, unless a person chose one. */
  upgrade(): void
}

const maxTokens = 8192
/** Room for the plan itself, beside what may be thought. */
const planTokens = 4096

/** Makes what asks for one request. */
export function createAsker(means: AskerMeans, subject: Subject, run: PlanningRun): Asker {
  const { client, settings, log } = means
  const { input, words, context } = subject
  const modes = modesOf(words, input.selection)
  const prompt = promptFor(input, modes, { tool: input.findsImages ? means.tools.withImages : means.tools.plain, oneOperationOnly: settings.oneOperationOnly })
  const begin = settings.streamsPlan ? createTeller(run, subject) : undefined
  let tries = 0
  let tier: Tier = tierFor(input, words, settings.tier)
  let routing: RoutingDecision | undefined
  let complexity: Complexity | undefined
  let reading: ReturnType<typeof attachedPictures> | undefined

  async function askForPlan(feedback: Feedback | undefined): Promise<ModelAnswer> {
    const model = client.modelOf(tier)
    log.info({ run: run.id, model, tier, bytes: context.bytes, partly: context.partly.length, rules: rulesVersion }, 'model asked for a plan')
    const { thinkingTokens: tokens } = settings
    const thinks = complexity !== 'simple' && (tier === 'reasoning' || isWorthThinking(input, words))
    const thinking = tokens !== undefined && thinks ? { tokens, effort: efforts[tier] } : undefined
    const pictures = await (reading ??= attachedPictures(input, run))
    const call: ModelCall = {
      model,
      maxTokens: Math.max(maxTokens, thinking ? thinking.tokens + planTokens : 0),
      tools: prompt.tools,
      ...(thinking ? { thinking } : { forcedTool: planToolName }),
      system: prompt.system,
      messages: [...prompt.history, { role: 'user', ...(pictures.length > 0 && { pictures }), texts: [{ text: taskText(input, context.text, feedback) }] }],
    }
    return asked(call)
  }

  async function asked(call: ModelCall): Promise<ModelAnswer> {
    const beginTry = () => {
      tries += 1
      run.attempting?.({ model: call.model, tier, attempt: tries, routing, contextBytes: context.bytes })
      return begin?.()
    }
    try {
      return await ask({ client, call, tool: planToolName, run, waits: means.waits, begin: beginTry, repeating: failed, waiting })
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error
      failed(error)
      throw givenUp(error)
    }
  }

  const waiting = (seconds: number): void => run.emit({ type: 'status', message: textsFor(input.locale).waiting(seconds) })

  function failed(failure: ModelFailure): void {
    log.warn({ run: run.id, ...failure.toLog() }, 'model gave no answer')
    run.noted?.({ type: 'attempt_failed', attempt: tries, category: categoryOf(failure), reason: failure.reason })
  }

  return {
    get tries() {
      return tries
    },
    async route() {
      if (!settings.router || !isForRouter(input, words, modes)) return
      const answer = input.tier === undefined ? await askAside(means, routerCall(input, client.modelOf('fast')), run) : undefined
      complexity = answer && complexityIn(answer.prose)
      routing = routed(tier, input, complexity)
      tier = routing.to
    },
    ask: askForPlan,
    upgrade() {
      if (input.tier !== undefined) return
      const to = settings.tier === 'fast' ? 'balanced' : settings.tier
      if (to !== tier) routing = { from: tier, to, reason: 'complex_upgrade' }
      tier = to
    },
  }
}
