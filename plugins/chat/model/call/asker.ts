import type { PlanningInput, PlanningRun } from '../../port.ts'
import type { ModelMessage, ModelTool, Picture } from '../../../models/port.ts'
import { createPlanStream } from '../answer/stream.ts'
import type { Subject } from '../prompt/context.ts'
import { type Feedback, planCall, rulesVersion } from '../prompt/prompt.ts'
import { texts } from '../texts.ts'
import { ask, type ModelAnswer, type ModelDeps } from './ask.ts'
import type { Lookups } from './lookups.ts'

/** The categories of failed calls. */
const categories = { refused: 'planner_refusal', truncated: 'incomplete_output' } as const

/** The maximum number of answers of one request that call other tools instead of handing in a plan. */
const mostToolTurns = 6

interface AskerDeps extends ModelDeps {
  readonly planTool: ModelTool
  /** The tools with which a model may look things up. */
  readonly lookups: Lookups
}

/** Creates the asker for the plan of one request. */
export function createAsker(deps: AskerDeps, subject: Subject, run: PlanningRun) {
  const { client, settings, log, planTool, lookups } = deps
  const { input, context } = subject
  const beginStream = settings.streamsPlan ? createPlanStream(run, subject) : undefined
  const tier = input.tier ?? settings.tier
  const model = client.modelOf(tier)
  const { thinkingTokens: tokens, oneOperationOnly } = settings
  const thinks = tier === 'reasoning' && tokens !== undefined
  const tools = [planTool, ...lookups.tools]
  let tries = 0
  let remainingToolTurns = lookups.tools.length > 0 ? mostToolTurns : 0
  let pictures: Promise<readonly Picture[]> | undefined

  /** Makes one call. Once no tool may be called any more, and without other tools, the plan tool is forced. */
  async function askOnce(feedback: Feedback | undefined, toolTurns: readonly ModelMessage[]) {
    const isForced = remainingToolTurns === 0 && (toolTurns.length > 0 || !thinks)
    const call = planCall(subject, {
      model,
      tools,
      forcedTool: isForced ? planTool.name : undefined,
      thinking: thinks && !isForced ? { tokens, effort: 'high' } : undefined,
      oneOperationOnly,
      pictures: await (pictures ??= attachedPictures(input, run)),
      feedback,
      toolTurns,
    })
    let isAnnounced = toolTurns.length > 0
    return ask({
      ...deps,
      call,
      run,
      begin() {
        if (!isAnnounced) {
          tries += 1
          run.attempting?.({ model, tier, attempt: tries, contextBytes: context.bytes })
        }
        isAnnounced = false
        return beginStream?.()
      },
      failed({ kind, reason }) {
        const category = kind === 'refused' || kind === 'truncated' ? categories[kind] : 'internal_error'
        run.noted?.({ type: 'attempt_failed', attempt: tries, category, reason })
      },
    })
  }

  return {
    /** The number of calls that were started, without those that continue one. */
    get tries() {
      return tries
    },
    /** Asks for a plan; returns `undefined` for an endless answer. */
    async ask(feedback: Feedback | undefined): Promise<ModelAnswer | undefined> {
      const { bytes, partly } = context
      log.debug(
        { run: run.id, model, tier, bytes, partly: partly.length, rules: rulesVersion },
        'model asked for a plan',
      )
      const toolTurns: ModelMessage[] = []
      for (;;) {
        const answer = await askOnce(feedback, toolTurns)
        if (!answer || answer.plan !== undefined || answer.toolCalls.length === 0 || remainingToolTurns === 0)
          return answer
        remainingToolTurns -= 1
        run.emit({ type: 'status', message: texts.lookingUp })
        toolTurns.push(...(await lookups.answered(answer)))
      }
    },
  }
}

/** The readable pictures among the attachments of a message, in order. */
async function attachedPictures(
  { attachments = [] }: PlanningInput,
  run: PlanningRun,
): Promise<readonly Picture[]> {
  const addresses = attachments.flatMap(({ mimeType, url }) =>
    mimeType.startsWith('image/') && url !== undefined ? [url] : [],
  )
  const pictures = await Promise.all(addresses.map((address) => run.readPicture?.(address)))
  return pictures.filter((picture) => picture !== undefined)
}
