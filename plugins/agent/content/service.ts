import type { Ids, Logger } from '../../../kernel/index.ts'
import type { Drafts, Playground } from '../../draft/port.ts'
import { ModelFailure, type TokenUsage } from '../../llm/port.ts'
import type { Sites } from '../../sites/port.ts'
import type { ToolExecutor } from '../../tools/port.ts'
import type { AgentLoop, LoopEvent, LoopResult, ToolCallRecord } from '../loop-types.ts'
import type { ContentAgent, ContentOutcome } from '../port.ts'
import type { AgentModel } from '../provider.ts'
import { follow } from './following.ts'
import { mediaTools } from './media-tools.ts'
import { system, taskTexts } from './prompt.ts'
import { readTools } from './read-tools.ts'
import { openSession, type Session } from './session.ts'
import { variationTool } from './variations.ts'
import { splitSuggestions, thinkingFor } from './wording.ts'
import { writeTools } from './write-tools.ts'

/** What the variables of the agent say. */
export interface ContentLimits {
  readonly maxTokens: number
  readonly maxToolCalls: number
  readonly deadlineMs: number
  readonly budgetUsd: number | undefined
  readonly thinkingTokens: number
  readonly temperature: number
}

export interface ContentParts {
  readonly loop: AgentLoop
  readonly drafts: Drafts
  readonly sites: Pick<Sites, 'registered'>
  readonly playground: Playground | undefined
  readonly executor: ToolExecutor
  readonly ids: Ids
  readonly log: Logger
  readonly limits: ContentLimits
  model(): AgentModel
}

const nothing: TokenUsage = { inputTokens: 0, outputTokens: 0, cacheCreationInputTokens: 0, cacheReadInputTokens: 0 }
const nothingSpent: number | null = 0

/** Makes the content agent. */
export function createContentAgent({ loop, limits, model: modelOf, ids, log, executor, ...parts }: ContentParts): ContentAgent {
  return {
    check: () => void modelOf(),
    async run(run) {
      const { client, model: usual } = modelOf()
      const model = run.model ?? usual
      run.signal.throwIfAborted()
      const traceId = run.traceId ?? ids.uuid()
      const session = await openSession(run, { ...parts, traceId })
      const tools = [...writeTools(session, ids), ...readTools(session), variationTool(session), ...(await mediaTools(session, executor))]
      const texts = await taskTexts(session)
      const outcome = (result: Pick<LoopResult, 'toolCalls' | 'usage' | 'costUsd'>, said: Pick<ContentOutcome, 'status' | 'summary' | 'suggestions' | 'limitReached'>): ContentOutcome => {
        const { changes, slugs, opCount, previewVersion, focusBlockId, variations } = session.done
        const { toolCalls, usage, costUsd } = result
        return { ...said, changes, slugs: [...slugs], opCount, previewVersion, focusBlockId, variations, toolCalls, usage, costUsd, modelUsed: model, provider: client.provider, traceId }
      }
      const soFar = { toolCalls: new Array<ToolCallRecord>(), usage: nothing, costUsd: nothingSpent }
      const onEvent = (event: LoopEvent): void => {
        if (event.type === 'spent') Object.assign(soFar, { usage: event.usage, costUsd: event.costUsd })
        if (event.type === 'tool_end') soFar.toolCalls.push(event.record)
        follow(event, run)
      }
      try {
        const result = await loop.run({
          of: run.id,
          client,
          model,
          system,
          messages: [{ role: 'user', texts, ...(run.pictures && { pictures: run.pictures }) }],
          tools,
          limits: { ...limits, maxTurns: limits.maxToolCalls + 1 },
          thinking: thinkingFor(run.message, { budget: limits.thinkingTokens, maxTokens: limits.maxTokens }),
          temperature: limits.temperature,
          onEvent,
          signal: run.signal,
        })
        return outcome(result, inWords(result, session, limits))
      } catch (error) {
        if (!(error instanceof ModelFailure)) throw error
        log.warn({ run: traceId, ...error.toLog() }, 'model of the agent gave no answer')
        return outcome(soFar, { status: 'error', summary: withChanges(error.reason, session), suggestions: [] })
      }
    },
  }
}

/** How a run ended, in words. */
function inWords({ ended, text, turns }: LoopResult, session: Session, limits: ContentLimits): Pick<ContentOutcome, 'status' | 'summary' | 'suggestions' | 'limitReached'> {
  if (ended === 'end') {
    const { summary, suggestions } = splitSuggestions(text)
    return { status: 'applied', summary: summary || session.done.changes.join(' ') || 'Nothing was changed.', suggestions }
  }
  const reasons = {
    tool_limit: `The run stopped at its limit of ${limits.maxToolCalls} calls of tools.`,
    turn_limit: 'The run stopped at its limit of turns.',
    budget: turns === 0 ? 'The budget for language models is spent for today. Try again tomorrow, or raise CHAT_BUDGET_USD_PER_DAY.' : 'The run stopped: its budget is spent.',
    deadline: `The run stopped after ${Math.round(limits.deadlineMs / 1000)} seconds, which is its limit.`,
  }
  return { status: turns === 0 ? 'error' : 'applied', summary: withChanges(reasons[ended], session), suggestions: [], limitReached: ended }
}

const withChanges = (sentence: string, { done }: Session): string =>
  done.opCount === 0 ? sentence : `${sentence} What was changed before stays and can be undone: ${done.changes.join(' ')}`
