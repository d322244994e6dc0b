import type { Ids, Logger } from '../../../kernel/index.ts'
import type { PlanProposals } from '../../chat/port.ts'
import type { Drafts, Playground } from '../../draft/port.ts'
import { ModelFailure } from '../../models/port.ts'
import type { Sites } from '../../sites/port.ts'
import type { ToolExecutor } from '../../tools/port.ts'
import { answers, questionOf } from './approval.ts'
import { noUsage } from './loop.ts'
import type { AgentLoop, LoopEvent, LoopResult, ToolCallRecord } from './loop-types.ts'
import type { ContentAgent, ContentOutcome, ContentRun } from './port.ts'
import { system, taskTexts } from './prompt.ts'
import { readTools } from './read-tools.ts'
import { openSession, type Session } from './session.ts'
import type { ContentLimits, createAgentModel } from './settings.ts'
import { mediaTools, variationTool } from './suggest-tools.ts'
import { splitSuggestions, thinkingFor } from './wording.ts'
import { writeTools } from './write-tools.ts'

const noCost: number | null = 0

interface ContentParts {
  readonly loop: AgentLoop
  readonly drafts: Drafts
  readonly sites: Pick<Sites, 'registered' | 'blocks'>
  readonly playground: Playground | undefined
  readonly proposals: PlanProposals | undefined
  readonly executor: ToolExecutor
  readonly ids: Ids
  readonly log: Logger
  readonly limits: ContentLimits
  readonly model: ReturnType<typeof createAgentModel>
}

/** Creates the content agent. */
export function createContentAgent({
  loop,
  limits,
  model: modelOf,
  ids,
  log,
  executor,
  ...parts
}: ContentParts): ContentAgent {
  return {
    check: () => void modelOf(),
    async run(run) {
      const { client, model: usual } = modelOf()
      const model = run.model ?? usual
      run.signal.throwIfAborted()
      const traceId = run.traceId ?? ids.uuid()
      const planSource = { plannerSource: client.provider, modelUsed: model }
      const session = await openSession(run, { ...parts, traceId, source: planSource })
      const tools = [
        ...writeTools(session, ids),
        ...readTools(session),
        variationTool(session),
        ...mediaTools(session, executor),
      ]
      const texts = await taskTexts(session)
      const outcome = (
        result: Pick<LoopResult, 'toolCalls' | 'usage' | 'costUsd'>,
        ending: Pick<ContentOutcome, 'status' | 'summary' | 'suggestions' | 'limitReached'>,
      ): ContentOutcome => {
        const { slugs, ...done } = session.done
        const pending = session.pending()
        const { toolCalls, usage, costUsd } = result
        const source = { modelUsed: model, provider: client.provider, traceId }
        const counts = { toolCalls, usage, costUsd }
        const all = { ...ending, ...done, slugs: [...slugs], ...counts, ...source, pending }
        if (!pending) return all
        return { ...all, summary: `${ending.summary} ${questionOf(pending)}`, suggestions: answers }
      }
      const soFar = { toolCalls: new Array<ToolCallRecord>(), usage: noUsage, costUsd: noCost }
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
        return outcome(result, describeEnd(result, session, limits))
      } catch (error) {
        if (!(error instanceof ModelFailure)) throw error
        log.warn({ run: traceId, ...error.toLog() }, 'the model of the agent did not answer')
        return outcome(soFar, {
          status: 'error',
          summary: withChanges(error.reason, session),
          suggestions: [],
        })
      } finally {
        if (session.done.opCount > 0) await parts.drafts.endRun(run.id, traceId)
      }
    },
  }
}

/** Describes the end of a run for people. */
function describeEnd(
  { ended, text, turns }: LoopResult,
  session: Session,
  limits: ContentLimits,
): Pick<ContentOutcome, 'status' | 'summary' | 'suggestions' | 'limitReached'> {
  if (ended === 'end') {
    const { summary, suggestions } = splitSuggestions(text)
    return {
      status: 'applied',
      summary: summary || session.done.changes.join(' ') || (session.pending() ? '' : 'Nothing has changed.'),
      suggestions,
    }
  }
  const reasons = {
    tool_limit: `The run stopped at its limit of ${limits.maxToolCalls} tool calls.`,
    turn_limit: 'The run stopped at its limit of turns.',
    budget:
      turns === 0
        ? "Today's budget for language models is spent. Try again tomorrow, or raise CHAT_BUDGET_USD_PER_DAY."
        : 'The run stopped because its budget is spent.',
    deadline: `The run stopped at its time limit of ${Math.round(limits.deadlineMs / 1000)} seconds.`,
  }
  return {
    status: turns === 0 ? 'error' : 'applied',
    summary: withChanges(reasons[ended], session),
    suggestions: [],
    limitReached: ended,
  }
}

const withChanges = (sentence: string, { done }: Session): string =>
  done.opCount === 0
    ? sentence
    : `${sentence} Earlier changes stay and can be undone: ${done.changes.join(' ')}`

/** The labels shown while a tool runs. */
const labels: ReadonlyMap<string, string> = new Map(
  Object.entries({
    get_page: 'Reading a page',
    list_pages: 'Listing the pages',
    get_block_schema: 'Looking up a block type',
    get_site_config: 'Reading the site settings',
    update_site_config: 'Changing the site settings',
    unsplash_search: 'Looking for photos',
    unsplash_get_by_id: 'Getting a photo',
    image_generate: 'Making an image',
    generate_variations: 'Writing variations',
    create_page: 'Creating a page',
    rename_page: 'Renaming a page',
    remove_page: 'Removing a page',
    move_page: 'Moving a page',
    duplicate_page: 'Copying a page',
    update_page_meta: 'Changing what search engines see',
    add_block_with_content: 'Adding a block',
    remove_block: 'Removing a block',
    move_block: 'Moving a block',
    duplicate_block: 'Copying a block',
  }),
)

const labelOf = (tool: string): string => labels.get(tool) ?? 'Changing the page'

/** Forwards events of the loop to the followers of a run. */
function follow(event: LoopEvent, { onEvent, at }: ContentRun): void {
  switch (event.type) {
    case 'turn':
      return at?.('thinking', 'Thinking')
    case 'text':
      at?.('responding', 'Writing the answer')
      return onEvent?.({ type: 'summary_token', text: event.text })
    case 'tool_start':
      at?.('tool', labelOf(event.name))
      return onEvent?.({ type: 'status', message: labelOf(event.name) })
    case 'tool_end':
      if (event.isError)
        onEvent?.({ type: 'tool_error', toolName: event.name.slice(0, 80), error: event.text.slice(0, 240) })
  }
}
