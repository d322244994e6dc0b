import { toSwitch, type Clock, type Ids } from '../../../kernel/index.ts'
import {
  type AgentLoop,
  excerptOf,
  type LoopEvent,
  type LoopResult,
  type RunHandle,
  splitSuggestions,
} from '../loop/port.ts'
import type { Bus } from '../../bus/port.ts'
import type { LoopClient } from '../../models/port.ts'
import type { Store } from '../../store/port.ts'
import { runCli } from './cli-backend.ts'
import { sentenceOf } from './problem.ts'
import { Progress } from './progress.ts'
import { type Helper, systemPrompt } from './prompts.ts'
import { type Approvals, createApprovals } from './run/approvals.ts'
import type { Mode, RunResult, RunUsage, SiteEvent } from './run/events.ts'
import { refusals } from './run/refusals.ts'
import { RunCopies } from './run/run-copies.ts'
import { allowLeft, type RunAccess, type SiteParts, type SiteRun } from './run/site-run.ts'
import { Scraper } from './scrape/website.ts'
import type { SitesAgentVariables } from './settings.ts'
import { createSubagents } from './subagents.ts'
import { toolsOf } from './toolset.ts'
import { triage } from './triage.ts'

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
  readonly store: Store
  readonly bus: Bus
  /** `undefined` without a key. */
  readonly client: LoopClient | undefined
  readonly env: SitesAgentVariables
  /** The id of this process in the log. */
  readonly owner: string
}

/** The state of a run besides its stream. */
export interface RunInfo {
  /** The mode of the request; `progress` has the mode of the work. */
  readonly mode: Mode
  readonly backend: 'api' | 'cli'
  approvals?: Approvals
  progress?: Progress
  sitesCreated: readonly string[]
  state?: 'done' | 'error' | 'canceled'
  costUsd?: number
}

type Handle = RunHandle<SiteEvent>

/** A run that works, with what its end reports. */
interface SiteRunWork {
  readonly parts: AgentParts
  readonly request: StartRequest
  readonly info: RunInfo
  readonly run: SiteRun
  readonly progress: Progress
  readonly at: Handle['at']
  readonly toolCalls: { readonly name: string; readonly durationMs: number; readonly isError: boolean }[]
  usage: RunUsage
}

const noUsage: RunUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadInputTokens: 0,
  cacheCreationInputTokens: 0,
  totalCostUsd: 0,
  numTurns: 0,
}

/** The last event of a failed run. */
export const failed = (summary: string): SiteEvent => ({
  type: 'error',
  result: { status: 'error', summary },
})

/** Runs a request to its end, and logs the run. */
export async function work(
  parts: AgentParts,
  request: StartRequest,
  info: RunInfo,
  handle: Handle,
): Promise<SiteEvent> {
  const { clock, agentLog, owner } = parts
  const { id, signal: canceled } = handle
  const startedAt = clock.now().getTime()
  const stop = new AbortController()
  const started = begin(parts, request, info, handle, stop)
  await agentLog.append({ stream: id, kind: 'run_started', owner, mode: info.mode, backend: info.backend })
  const {
    run: { copies },
    progress,
  } = started
  try {
    const result = await (info.backend === 'cli' ? byCli(started) : byLoop(started))
    if (result.status === 'applied') await copies.settleAll()
    progress.end()
    info.state = result.status === 'applied' ? 'done' : 'error'
    return { type: 'final', result }
  } catch (error) {
    info.state = canceled.aborted ? 'canceled' : 'error'
    // An unanswered question ends the run with the reason of its signal; other failures have their own.
    const sentence = sentenceOf(stop.signal.aborted ? stop.signal.reason : error)
    if (!canceled.aborted && sentence !== undefined) return failed(sentence)
    throw error
  } finally {
    await end(started, clock.now().getTime() - startedAt)
  }
}

/** Prepares a run; `stop` ends it with a reason. */
function begin(
  parts: AgentParts,
  request: StartRequest,
  info: RunInfo,
  { id, signal: canceled, emit, at }: Handle,
  stop: AbortController,
): SiteRunWork {
  const { workspace, journals, servers, clock, ids } = parts
  const signal = AbortSignal.any([canceled, stop.signal])
  const progress = new Progress(emit, () => clock.now().getTime(), info.mode)
  const approvals = createApprovals({ emit, signal, clock, ids, giveUp: (why) => stop.abort(why) })
  const run: SiteRun = {
    ...parts,
    streamId: id,
    session: request.session,
    access: request,
    signal,
    approvals,
    emit,
    launcher: parts.launchers.forRun(() => allowLeft(run)),
    copies: new RunCopies({ workspace, journals, servers, streamId: id, approvals, clock }),
    ready: new Set(),
    created: [],
    allowed: new Set(),
    isPlanApproved: false,
    get mode() {
      return progress.mode
    },
    begin: (phase) => progress.begin(phase),
    outcome: (phase, text) => progress.outcome(phase, text),
  }
  Object.assign(info, { approvals, progress })
  return { parts, request, info, run, progress, at, toolCalls: [], usage: noUsage }
}

/** Removes the folders of a run, and logs it. */
async function end(
  { parts, request, info, run, progress, toolCalls, usage }: SiteRunWork,
  durationMs: number,
): Promise<void> {
  const { workspace, agentLog, env } = parts
  const { streamId, copies, created } = run
  info.sitesCreated = created.map((site) => site.id)
  info.costUsd = usage.totalCostUsd
  await copies.close()
  await workspace.removeRun(streamId)
  await agentLog.append({
    stream: streamId,
    kind: 'run',
    status: info.state ?? 'error',
    durationMs,
    numTurns: usage.numTurns,
    usage,
    sitesCreated: info.sitesCreated,
    toolCallCount: progress.calls,
    toolsUsed: [...new Set(toolCalls.map(({ name }) => name))],
    toolDetails: toolCalls,
    userMessage: toSwitch(env.TELEMETRY_EXCERPTS) === false ? '' : excerptOf(request.message, 200),
  })
}

/** Lets a model work with the tools, after a small one has classified the request. */
async function byLoop(work: SiteRunWork): Promise<RunResult> {
  const { parts, request, info, run, progress, at } = work
  const { loop, client, env, workspace, scope, outbound } = parts
  if (!client) throw refusals.notConfigured('The onboarding agent has no model.')
  at('thinking', 'Reading the request')
  const of = scope.draft({ session: request.session })
  const { message, locale } = request
  const { signal } = run
  const classifying = { of, client, signal, model: env.SITES_AGENT_MODEL_FAST }
  const siteIds = await workspace.siteIds()
  const { mode, answer, result } = await triage(loop, { ...classifying, message, mode: info.mode, siteIds })
  if (answer !== undefined) {
    work.usage = { ...usageOf(result), triageOnly: true }
    run.emit({ type: 'summary_token', text: answer })
    return toResult(work, 'applied', answer)
  }
  progress.mode = mode
  const { SITES_AGENT_MODEL_BALANCED: balanced, SITES_AGENT_MODEL_POWERFUL: powerful = balanced } = env
  const agents = createSubagents({
    loop,
    of,
    client,
    model: mode === 'migrate' ? powerful : balanced,
    budgetUsd: env.SITES_AGENT_MAX_BUDGET_USD,
    onEvent(event, helper) {
      report(work, event, helper)
      work.usage = agents.usage()
    },
  })
  const tools = toolsOf(run, new Scraper(outbound), (task) => agents.run(task))
  const inLanguage = locale === undefined ? '' : `\n\nAnswer in the language ${locale}.`
  const task = { system: systemPrompt(mode), message: message + inLanguage, tools, maxTurns: 60, signal }
  const outcome = await agents.run(task)
  signal.throwIfAborted()
  if (outcome.ended === 'end') return toResult(work, 'applied', outcome.text)
  return toResult(work, 'error', `${endings[outcome.ended]} ${outcome.text}`.trim())
}

/** Reports an event of an agent. The text of a helper is only for the main agent. */
function report(
  { run: { emit }, progress, at, toolCalls }: SiteRunWork,
  event: LoopEvent,
  helper: Helper | undefined,
): void {
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
}

/** Lets an external program work. */
async function byCli(work: SiteRunWork): Promise<RunResult> {
  const {
    run,
    progress,
    request: { message },
    parts: { env },
  } = work
  const { AGENT_CLI_COMMAND: command, SITES_AGENT_MODEL_BALANCED: model } = env
  const outcome = await runCli(run, { progress, message, command, model })
  work.usage = { ...noUsage, ...outcome.usage, numTurns: outcome.turns, cliMode: true }
  return toResult(work, outcome.isDone ? 'applied' : 'error', outcome.summary)
}

function toResult(
  { run, progress, usage }: SiteRunWork,
  status: RunResult['status'],
  text: string,
): RunResult {
  const { summary, suggestions } = splitSuggestions(text)
  const sitesCreated = run.created.map((site) => site.id)
  return {
    status,
    summary,
    suggestions: [...suggestions],
    toolCallCount: progress.calls,
    sitesCreated,
    usage,
  }
}

const endings = {
  tool_limit: 'The run stopped at its limit of tool calls.',
  turn_limit: 'The run stopped at its limit of turns.',
  budget:
    'The run stopped because its budget is spent. Raise SITES_AGENT_MAX_BUDGET_USD, or start a new run ' +
    'with a smaller request.',
  deadline: 'The run stopped at its time limit of 30 minutes.',
} as const

const usageOf = (result: LoopResult | undefined): RunUsage => ({
  ...noUsage,
  ...result?.usage,
  totalCostUsd: result?.costUsd ?? 0,
  numTurns: result?.turns ?? 0,
})
