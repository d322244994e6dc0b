import type { PlanningInput, PlanningRun, RoutingDecision } from '../../chat/port.ts'
import type { ModelTier, Picture, Thinking } from '../../llm/port.ts'
import { createPlanStream } from '../answer/stream.ts'
import { isLight, isWorthThinking } from '../language.ts'
import type { Subject } from '../prompt/context.ts'
import { type Feedback, planCall, rulesVersion } from '../prompt/prompt.ts'
import { planToolName, type PlanTools } from '../prompt/tool.ts'
import type { ModelSettings } from '../settings.ts'
import { askFor, askQuietly, type ModelAnswer, type QuietDeps } from './ask.ts'
import { complexityIn, isForRouter, routerCall } from './router.ts'

export interface AskerDeps extends QuietDeps {
  readonly settings: ModelSettings
  readonly waits: readonly number[]
  readonly tools: PlanTools
}

/** How hard a model of each tier thinks. */
const efforts: Readonly<Record<ModelTier, Thinking['effort']>> = { fast: 'low', balanced: 'medium', reasoning: 'high', codex: 'high' }

/** What a call that failed is counted under. */
const categories = { refused: 'planner_refusal', truncated: 'incomplete_output' } as const

/** Makes what asks a model for the plan of one request, with the prompt, the context and the tier that suit it. */
export function createAsker(deps: AskerDeps, subject: Subject, run: PlanningRun) {
  const { client, settings, log, tools, waits } = deps
  const { input, words, context } = subject
  const beginStream = settings.streamsPlan ? createPlanStream(run, subject) : undefined
  let tries = 0
  let tier: ModelTier = input.tier ?? (isLight(input, words) ? 'fast' : settings.tier)
  let routing: RoutingDecision | undefined
  let isSimple = false
  let pictures: Promise<readonly Picture[]> | undefined

  return {
    /** How many calls were begun. */
    get tries() {
      return tries
    },
    /** Asks the router, whose verdict may choose a smaller model and nothing else. A tier that a person chose needs none. */
    async route(): Promise<void> {
      if (!settings.router || !isForRouter(input, words)) return
      if (input.tier !== undefined) return void (routing = { from: tier, to: tier, reason: 'user_override' })
      const answer = await askQuietly(deps, routerCall(input, client.modelOf('fast')), run)
      const complexity = answer && complexityIn(answer.prose)
      isSimple = complexity === 'simple'
      const isSmaller = isSimple && tier !== 'fast'
      routing = { from: tier, to: isSmaller ? 'fast' : tier, reason: isSmaller ? 'simple_downgrade' : 'shadow', ...(complexity && { complexity }) }
      tier = routing.to
    },
    /** One call for a plan; `undefined` for an answer without an end. */
    async ask(feedback: Feedback | undefined): Promise<ModelAnswer | undefined> {
      const model = client.modelOf(tier)
      log.info({ run: run.id, model, tier, bytes: context.bytes, partly: context.partly.length, rules: rulesVersion }, 'model asked for a plan')
      const { thinkingTokens: tokens, oneOperationOnly } = settings
      const isWorthIt = !isSimple && (tier === 'reasoning' || isWorthThinking(input, words))
      const thinking = tokens !== undefined && isWorthIt ? { tokens, effort: efforts[tier] } : undefined
      const tool = input.findsImages ? tools.withImages : tools.plain
      const call = planCall(subject, { model, tool, oneOperationOnly, thinking, pictures: await (pictures ??= attachedPictures(input, run)), feedback })
      return askFor({
        client,
        log,
        call,
        tool: planToolName,
        run,
        waits,
        locale: input.locale,
        begin() {
          tries += 1
          run.attempting?.({ model, tier, attempt: tries, routing, contextBytes: context.bytes })
          return beginStream?.()
        },
        failed({ kind, reason }) {
          const category = kind === 'refused' || kind === 'truncated' ? categories[kind] : 'internal_error'
          run.noted?.({ type: 'attempt_failed', attempt: tries, category, reason })
        },
      })
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
