import type { Page } from '../../content/page.ts'
import { ModelFailure, type ModelCall } from '../../llm/port.ts'
import type { PlanningInput, PlanningRun, RoutingDecision } from '../planners/planner.ts'
import type { Tier } from '../result.ts'
import { askAside, type AsideMeans } from './aside.ts'
import { ask, type ModelAnswer } from './ask.ts'
import { categoryOf, givenUp } from './attempt.ts'
import { fitted, type Feedback } from './context/fit.ts'
import { levelFor } from './context/levels.ts'
import { modesOf } from './modes.ts'
import { planToolName, type PlanTools } from './plan-tool.ts'
import { promptFor } from './prompt/prompt.ts'
import { rulesVersion } from './prompt/rules.ts'
import { complexityIn, isForRouter, routerCall } from './router.ts'
import type { ModelSettings } from './settings.ts'
import { isWorthThinking } from './thinking.ts'
import { routed, tierFor, type Complexity } from './tier.ts'
import { createTeller } from './told.ts'
import type { Words } from './words.ts'

export interface AskerMeans extends AsideMeans {
  readonly settings: ModelSettings
  readonly waits: readonly number[]
  readonly tools: PlanTools
}

/** What is planned: the request, its words, and the time of the run. */
export interface Subject {
  readonly input: PlanningInput
  readonly words: Words
  readonly now: Date
}

/** Asks a model for the plan of one request, with the prompt, the context and the tier that suit it. */
export interface Asker {
  /** How many calls were begun. */
  readonly tries: number
  /** Asks the router, whose verdict may choose a smaller model and nothing else. A tier that a person chose needs none. */
  route(): Promise<void>
  /** One call for a plan; `undefined` when the message is too long to ask at all. */
  ask(feedback: Feedback | undefined): Promise<ModelAnswer | undefined>
  /** From here on a model of a higher tier is asked, unless a person chose one. */
  upgrade(): void
}

const maxTokens = 8192
/** Room for the plan itself, beside what may be thought. */
const planTokens = 4096

/** Makes what asks for one request. */
export function createAsker(means: AskerMeans, subject: Subject, run: PlanningRun): Asker {
  const { client, settings, log } = means
  const { input, words } = subject
  const modes = modesOf(words, input.selection)
  const page = pageOf(input)
  const prompt = promptFor(input, modes, { tool: input.findsImages ? means.tools.withImages : means.tools.plain, oneOperationOnly: settings.oneOperationOnly })
  const begin = settings.streamsPlan ? createTeller(run, subject) : undefined
  const level = levelFor(input, words, modes, settings.levels)
  let tries = 0
  let tier: Tier = tierFor(input, words, settings.tier)
  let routing: RoutingDecision | undefined
  let complexity: Complexity | undefined

  async function askForPlan(feedback: Feedback | undefined): Promise<ModelAnswer | undefined> {
    const request = fitted(input, page, words, { level, budget: settings.requestBytes, feedback })
    if (!request) return undefined
    const model = client.modelOf(tier)
    log.info({ run: run.id, model, tier, level: request.level, bytes: request.bytes, rules: rulesVersion }, 'model asked for a plan')
    const thinks = settings.thinkingTokens !== undefined && complexity !== 'simple' && (tier === 'reasoning' || isWorthThinking(input, words))
    const call: ModelCall = {
      model,
      maxTokens: thinks ? Math.max(maxTokens, (settings.thinkingTokens ?? 0) + planTokens) : maxTokens,
      tools: prompt.tools,
      ...(thinks ? { thinkingTokens: settings.thinkingTokens } : { forcedTool: planToolName }),
      system: prompt.system,
      messages: [...prompt.history, { role: 'user', texts: [{ text: request.text }] }],
    }
    return asked(call, request.bytes)
  }

  async function asked(call: ModelCall, contextBytes: number): Promise<ModelAnswer> {
    const beginTry = () => {
      tries += 1
      run.attempting?.({ model: call.model, tier, attempt: tries, routing, contextBytes })
      return begin?.()
    }
    try {
      return await ask({ client, call, tool: planToolName, run, waits: means.waits, begin: beginTry, repeating: failed })
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error
      failed(error)
      throw givenUp(error, input.locale)
    }
  }

  function failed(failure: ModelFailure): void {
    log.warn({ run: run.id, kind: failure.kind, status: failure.status }, 'model gave no answer')
    run.noted?.({ kind: 'attempt_failed', attempt: tries, category: categoryOf(failure), reason: failure.reason })
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

/** The page that is worked on; the first one where the selection names none of the draft. */
function pageOf({ draft, selection }: PlanningInput): Page {
  const page = draft.pages.find(({ slug }) => slug === selection.slug) ?? draft.pages[0]
  return page ?? { id: '', slug: selection.slug, title: '', updatedAt: '', blocks: [] }
}
