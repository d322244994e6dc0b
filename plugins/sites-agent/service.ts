import { rm } from 'node:fs/promises'
import { Refusal, toSwitch, type Clock, type Ids } from '../../kernel/index.ts'
import { createRunStreams, excerptOf, splitSuggestions } from '../agent/port.ts'
import type { AgentLoop, LoopResult, RunHandle, RunState } from '../agent/port.ts'
import type { LoopClient } from '../llm/port.ts'
import { type Approvals, createApprovals } from './run/approvals.ts'
import { runCli } from './cli-backend.ts'
import { Progress } from './progress.ts'
import { systemPrompt } from './prompts.ts'
import { refusals } from './run/refusals.ts'
import { createRunCopies } from './run/run-copies.ts'
import { createScraper } from './scrape/website.ts'
import type { Mode, RunResult, RunUsage, SiteEvent } from './run/events.ts'
import type { RunStatus } from './schemas.ts'
import type { SitesAgentVariables } from './settings.ts'
import type { RunAccess, SiteParts, SiteRun } from './run/site-run.ts'
import { createTeam } from './team.ts'
import { toolsOf } from './toolset.ts'
import { guessMode, triage } from './triage.ts'

export interface StartRequest extends RunAccess {
  readonly message: string
  readonly session: string
  readonly locale: string | undefined
  readonly mode: Mode | undefined
  readonly useCli: boolean
  readonly signal: AbortSignal
}

export interface AgentParts extends SiteParts {
  readonly loop: AgentLoop
  readonly ids: Ids
  readonly clock: Clock
  /** `undefined` without a key. */
  readonly client: LoopClient | undefined
  readonly env: SitesAgentVariables
  /** The id of this process in the log. */
  readonly owner: string
}

/** The state of a run besides its stream. */
interface RunInfo {
  /** The mode of the request; `progress` has the mode of the work. */
  readonly mode: Mode
  readonly backend: 'api' | 'cli'
  approvals?: Approvals
  progress?: Progress
  sitesCreated: readonly string[]
  state?: 'done' | 'error' | 'canceled'
  costUsd?: number
}

const noUsage = { inputTokens: 0, outputTokens: 0, cacheReadInputTokens: 0, cacheCreationInputTokens: 0 }

/** Creates the service of onboarding runs. */
export function createSitesAgent(parts: AgentParts) {
  const { workspace, journals, clock, ids, log, agentLog, loop, client, env } = parts
  const failed = (summary: string): SiteEvent => ({ type: 'error', result: { status: 'error', summary } })
  const limits = { active: env.SITES_AGENT_MAX_CONCURRENT }
  const streams = createRunStreams<SiteEvent>({ clock, ids, log, limits, prefix: 'sites-agent', failed })
  const known = new Map<string, RunInfo>()
  const now = (): number => clock.now().getTime()

  /** Finds the run of a stream. Refuses with 403 `not_the_starter`, 410 `stream_gone`. */
  const find = (streamId: string): RunInfo => {
    const found = known.get(streams.idOf(streamId))
    if (!found) throw refusals.streamGone()
    return found
  }

  async function work(request: StartRequest, about: RunInfo, { id, signal: canceled, emit, at }: RunHandle<SiteEvent>): Promise<SiteEvent> {
    const begun = now()
    const stop = new AbortController()
    const signal = AbortSignal.any([canceled, stop.signal])
    const progress = new Progress(emit, now, about.mode)
    const approvals = createApprovals({ emit, signal, clock, ids, giveUp: (why) => stop.abort(why) })
    const copies = createRunCopies({ workspace, journals, servers: parts.servers, streamId: id, approvals, clock })
    const run: SiteRun = {
      ...parts, streamId: id, session: request.session, access: request, signal, approvals, copies, emit,
      ready: new Set(), created: [], allowed: new Set(), isPlanApproved: false,
      get mode() {
        return progress.mode
      },
      begin: (phase) => progress.begin(phase),
      outcome: (phase, text) => progress.outcome(phase, text),
    }
    Object.assign(about, { approvals, progress })
    await agentLog.append({ stream: id, kind: 'run_started', owner: parts.owner, mode: about.mode, backend: about.backend })
    const toolCalls: { readonly name: string; readonly durationMs: number; readonly isError: boolean }[] = []
    let usage: RunUsage = { ...noUsage, totalCostUsd: 0, numTurns: 0 }
    try {
      const ended = about.backend === 'cli' ? await byCli() : await byLoop()
      const open = ended.status === 'applied' ? await copies.unsettled() : []
      for (const siteId of open) await copies.settle(siteId)
      progress.end()
      about.state = ended.status === 'applied' ? 'done' : 'error'
      return { type: 'final', result: ended }
    } catch (error) {
      about.state = canceled.aborted ? 'canceled' : 'error'
      // An unanswered question ends the run with the reason of its signal; other failures have their own.
      const sentence = stop.signal.aborted ? stop.signal.reason : error
      if (!canceled.aborted && sentence instanceof Refusal) return failed(sentence.reason)
      throw error
    } finally {
      about.sitesCreated = run.created.map((site) => site.id)
      about.costUsd = usage.totalCostUsd
      await copies.close()
      for (const name of ['runs', 'homes', 'cli']) await rm(await workspace.own(name, id), { recursive: true, force: true })
      await agentLog.append({
        stream: id, kind: 'run', status: about.state ?? 'error', durationMs: now() - begun,
        numTurns: usage.numTurns, usage, sitesCreated: about.sitesCreated, toolCallCount: progress.calls,
        toolsUsed: [...new Set(toolCalls.map(({ name }) => name))], toolDetails: toolCalls,
        userMessage: toSwitch(env.TELEMETRY_EXCERPTS) === false ? '' : excerptOf(request.message, 200),
      })
    }

    async function byLoop(): Promise<RunResult> {
      if (!client) throw refusals.notConfigured('The onboarding agent has no model.')
      at('thinking', 'Reading the request')
      const of = parts.scope.draft({ session: request.session })
      const { message, locale } = request
      const base = { of, client, signal, model: env.SITES_AGENT_MODEL_FAST }
      const siteIds = await workspace.siteIds()
      const triaged = await triage(loop, { ...base, message, mode: about.mode, siteIds })
      if (triaged.answer !== undefined) {
        usage = { ...usageOf(triaged.result), triageOnly: true }
        emit({ type: 'summary_token', text: triaged.answer })
        return result('applied', triaged.answer)
      }
      const { mode } = triaged
      progress.mode = mode
      const { SITES_AGENT_MODEL_BALANCED: balanced, SITES_AGENT_MODEL_POWERFUL: powerful = balanced } = env
      const team = createTeam({
        loop, of, client,
        model: mode === 'migrate' ? powerful : balanced,
        budgetUsd: env.SITES_AGENT_MAX_BUDGET_USD,
        onEvent(event, helper) {
          // Text of a helper is only for the main agent.
          if (event.type === 'text' && !helper) emit({ type: 'summary_token', text: event.text })
          if (event.type === 'turn') at('thinking', helper ? `Thinking: ${helper}` : 'Thinking')
          if (event.type === 'tool_start') {
            at('tool', event.name)
            progress.tool(event.name, helper)
          }
          if (event.type === 'tool_end') {
            const { name, durationMs, isError, text } = event
            toolCalls.push({ name, durationMs, isError })
            const error = text.replaceAll(/<\/?untrusted_data[^>]{0,60}>\n?/g, '').slice(0, 1_000)
            if (isError) emit({ type: 'tool_error', toolName: name, error })
          }
          usage = team.usage()
        },
      })
      const tools = toolsOf(run, createScraper(parts.outbound), (errand) => team.run(errand))
      const inLanguage = locale === undefined ? '' : `\n\nAnswer in the language ${locale}.`
      const asking = { system: systemPrompt(mode), message: message + inLanguage }
      const outcome = await team.run({ ...asking, tools, maxTurns: 60, signal })
      signal.throwIfAborted()
      if (outcome.ended === 'end') return result('applied', outcome.text)
      return result('error', `${endings[outcome.ended]} ${outcome.text}`.trim())
    }

    async function byCli(): Promise<RunResult> {
      const { AGENT_CLI_COMMAND: command, SITES_AGENT_MODEL_BALANCED: model } = env
      const outcome = await runCli(run, { progress, message: request.message, command, model })
      usage = { ...outcome.usage, totalCostUsd: 0, numTurns: outcome.turns, cliMode: true }
      return result(outcome.isDone ? 'applied' : 'error', outcome.summary)
    }

    function result(status: RunResult['status'], text: string): RunResult {
      const { summary, suggestions } = splitSuggestions(text)
      return { status, summary, suggestions: [...suggestions], toolCallCount: progress.calls, sitesCreated: run.created.map((site) => site.id), usage }
    }
  }

  return {
    /** Parks a request, and returns the id of its stream, which its caller keeps secret. Refuses with 429 `too_many_runs`. */
    start(request: StartRequest): string {
      const about: RunInfo = { mode: request.mode ?? guessMode(request.message), backend: request.useCli ? 'cli' : 'api', sitesCreated: [] }
      const { until, signal } = request
      const streamId = streams.start((handle) => work(request, about, handle), { until, signal, forget: () => known.delete(id) })
      const id = streams.idOf(streamId)
      known.set(id, about)
      return streamId
    },
    follow: streams.follow,
    cancel(streamId: string): void {
      const about = find(streamId)
      if (streams.state(streamId)?.phase === 'pending') about.state = 'canceled'
      streams.cancel(streamId)
    },
    respond(streamId: string, answers: Readonly<Record<string, string>>, approvalId: string | undefined): void {
      const { approvals } = find(streamId)
      if (!approvals) throw refusals.noPendingApproval()
      approvals.respond(answers, approvalId)
    },
    status(streamId: string): RunStatus {
      const about = find(streamId)
      const state = streams.state(streamId)
      if (!state) throw refusals.streamGone()
      const pending = about.approvals?.pending()
      const time = (at: number | undefined): string | null => (at === undefined ? null : new Date(at).toISOString())
      const finishedAt = time(state.finishedAt)
      return {
        streamId,
        state: stateOf(state.phase, about),
        mode: about.progress?.mode ?? about.mode,
        backend: about.backend,
        phase: about.progress?.phase ?? null,
        lastSeq: state.lastSeq,
        startedAt: time(state.startedAt),
        ...(finishedAt !== null && { finishedAt }),
        ...(pending && { pendingApproval: pending }),
        sitesCreated: [...about.sitesCreated],
        toolCallCount: about.progress?.calls ?? 0,
        ...(about.costUsd !== undefined && { costUsd: about.costUsd }),
      }
    },
    active: () => streams.counts().active,
    close: streams.close,
  }
}

const stateOf = (phase: RunState['phase'], { state = 'error', approvals }: RunInfo): RunStatus['state'] => {
  if (phase === 'active' && approvals?.pending()) return 'waiting'
  return phase === 'done' ? state : phase
}

const endings = {
  tool_limit: 'The run stopped at its limit of tool calls.',
  turn_limit: 'The run stopped at its limit of turns.',
  budget: 'The run stopped because its budget is spent. Raise SITES_AGENT_MAX_BUDGET_USD, or start a new run with a smaller request.',
  deadline: 'The run stopped at its time limit of 30 minutes.',
} as const

function usageOf(result: LoopResult | undefined): RunUsage {
  return { ...noUsage, ...result?.usage, totalCostUsd: result?.costUsd ?? 0, numTurns: result?.turns ?? 0 }
}
