import type { PlanningInput, PlanningRun, RoutingDecision } from '../../chat/port.ts'
import { type ModelCall, ModelFailure, type ModelTier, type Picture, type Thinking } from '../../llm/port.ts'
import { createPlanStream } from '../answer/stream.ts'
import { categoryOf, givenUp } from '../failures.ts'
import { isLight, isWorthThinking, modesOf } from '../language.ts'
import type { Subject } from '../prompt/context.ts'
import { type Feedback, promptFor, taskText } from '../prompt/prompt.ts'
import { rulesVersion } from '../prompt/rules.ts'
import { planToolName, type PlanTools } from '../prompt/tool.ts'
import type { ModelSettings } from '../settings.ts'
import { textsFor } from '../texts.ts'
import { ask, askQuietly, type ModelAnswer, type QuietDeps } from './ask.ts'
import { complexityIn, isForRouter, routerCall } from './router.ts'

export interface AskerDeps extends QuietDeps {
  readonly settings: ModelSettings
  readonly waits: readonly number[]
  readonly tools: PlanTools
}

const maxTokens = 8192
/** Room for the plan itself, beside what may be thought. */
const planTokens = 4096
/** How hard a model of each tier thinks. */
const efforts: Readonly<Record<ModelTier, Thinking['effort']>> = { fast: 'low', balanced: 'medium', reasoning: 'high', codex: 'high' }

/** Makes what asks a model for the plan of one request, with the prompt, the context and the tier that suit it. */
export function createAsker(deps: AskerDeps, subject: Subject, run: PlanningRun) {
  const { client, settings, log, tools } = deps
  const { input, words, context } = subject
  const modes = modesOf(words, input.selection)
  const prompt = promptFor(input, modes, { tool: input.findsImages ? tools.withImages : tools.plain, oneOperationOnly: settings.oneOperationOnly })
  const begin = settings.streamsPlan ? createPlanStream(run, subject) : undefined
  let tries = 0
  let tier: ModelTier = input.tier ?? (isLight(input, words) ? 'fast' : settings.tier)
  let routing: RoutingDecision | undefined
  let isSimple = false
  let pictures: Promise<readonly Picture[]> | undefined

  function thinkingFor(): Thinking | undefined {
    const { thinkingTokens: tokens } = settings
    const thinks = !isSimple && (tier === 'reasoning' || isWorthThinking(input, words))
    return tokens !== undefined && thinks ? { tokens, effort: efforts[tier] } : undefined
  }

  async function callFor(model: string, feedback: Feedback | undefined): Promise<ModelCall> {
    const thinking = thinkingFor()
    const shown = await (pictures ??= attachedPictures(input, run))
    return {
      model,
      maxTokens: Math.max(maxTokens, thinking ? thinking.tokens + planTokens : 0),
      tools: prompt.tools,
      ...(thinking ? { thinking } : { forcedTool: planToolName }),
      system: prompt.system,
      messages: [...prompt.history, { role: 'user', ...(shown.length > 0 && { pictures: shown }), texts: [{ text: taskText(input, context.text, feedback) }] }],
    }
  }

  const waiting = (seconds: number): void => run.emit({ type: 'status', message: textsFor(input.locale).waiting(seconds) })

  function failed(failure: ModelFailure): void {
    log.warn({ run: run.id, ...failure.toLog() }, 'model gave no answer')
    run.noted?.({ type: 'attempt_failed', attempt: tries, category: categoryOf(failure), reason: failure.reason })
  }

  return {
    /** How many calls were begun. */
    get tries() {
      return tries
    },
    /** Asks the router, whose verdict may choose a smaller model and nothing else. A tier that a person chose needs none. */
    async route(): Promise<void> {
      if (!settings.router || !isForRouter(input, words, modes)) return
      if (input.tier !== undefined) return void (routing = { from: tier, to: tier, reason: 'user_override' })
      const answer = await askQuietly(deps, routerCall(input, client.modelOf('fast')), run)
      const complexity = answer && complexityIn(answer.prose)
      isSimple = complexity === 'simple'
      const isSmaller = isSimple && tier !== 'fast'
      routing = { from: tier, to: isSmaller ? 'fast' : tier, reason: isSmaller ? 'simple_downgrade' : 'shadow', ...(complexity && { complexity }) }
      tier = routing.to
    },
    /** One call for a plan. */
    async ask(feedback: Feedback | undefined): Promise<ModelAnswer> {
      const model = client.modelOf(tier)
      log.info({ run: run.id, model, tier, bytes: context.bytes, partly: context.partly.length, rules: rulesVersion }, 'model asked for a plan')
      const call = await callFor(model, feedback)
      const beginTry = () => {
        tries += 1
        run.attempting?.({ model, tier, attempt: tries, routing, contextBytes: context.bytes })
        return begin?.()
      }
      try {
        return await ask({ client, call, tool: planToolName, run, waits: deps.waits, begin: beginTry, repeating: failed, waiting })
      } catch (error) {
        if (!(error instanceof ModelFailure)) throw error
        failed(error)
        throw givenUp(error)
      }
    },
    /** From here on a model of a higher tier is asked, unless a person chose one. */
    upgrade(): void {
      if (input.tier !== undefined) return
      const to = settings.tier === 'fast' ? 'balanced' : settings.tier
      if (to !== tier) routing = { from: tier, to, reason: 'complex_upgrade' }
      tier = to
    },
  }
}

/** The pictures among what was attached to a message, in order, as far as they can be read. */
async function attachedPictures({ attachments = [] }: PlanningInput, run: PlanningRun): Promise<readonly Picture[]> {
  const addresses = attachments.flatMap(({ mimeType, url }) => (mimeType.startsWith('image/') && url !== undefined ? [url] : []))
  const pictures = await Promise.all(addresses.map((address) => run.readPicture?.(address)))
  return pictures.filter((picture) => picture !== undefined)
}
