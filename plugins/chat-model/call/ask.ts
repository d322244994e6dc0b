import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '../../../kernel/index.ts'
import { Canceled, PlannerFailure, type PlannerRemedy, type PlanningRun } from '../../chat/port.ts'
import { type ModelCall, type ModelClient, ModelFailure, type ModelTool, type Picture, type TokenUsage } from '../../llm/port.ts'
import type { ModelSettings } from '../settings.ts'
import { textsFor } from '../texts.ts'

/** The answer of a model to one call. */
export interface ModelAnswer {
  /** The input of the tool, as JSON text; `undefined` when no tool was called. */
  readonly plan: string | undefined
  readonly prose: string
}

/** A longer answer counts as endless, and its connection is closed. */
const mostCharacters = 1_000_000
/** The number of unusable answers after which the request fails. */
const mostAttempts = 3
/** Retry delays after overload and broken connections. */
const usualWaits: readonly number[] = [500, 2000]

/** The shared dependencies of model calls. */
export interface ModelDeps {
  readonly client: ModelClient
  readonly settings: ModelSettings
  readonly log: Logger
  /** Delays before each retry after overload or a broken connection, in milliseconds. */
  readonly waits?: readonly number[] | undefined
  /** Milliseconds allowed for an answer in addition to the plan: a person is waiting for the plan. */
  readonly quietMs?: number
}

export interface AskOptions extends Pick<ModelDeps, 'client' | 'log' | 'waits'> {
  /** With at most one tool, whose input is the plan. */
  readonly call: ModelCall
  readonly run: PlanningRun
  /** Called before each attempt; returns a listener for its plan as it is written. */
  begin?(): ((json: string) => void) | undefined
  /** The status text if the provider asks to wait. The run waits once, if that ends before the deadline. */
  waiting?(seconds: number): string
  /** Milliseconds from now; by default the time limit of a complete call. */
  readonly deadlineMs?: number
  /** Called for each failed attempt. */
  failed?(failure: ModelFailure): void
  /** The log message for a failed attempt. */
  readonly failure?: string | undefined
}

/** Asks a model, with retries; `undefined` for an endless answer. Throws `PlannerFailure` or `Canceled`. */
export async function ask(options: AskOptions): Promise<ModelAnswer | undefined> {
  const { client, log, run, waits = usualWaits, waiting, failed, failure = 'model gave no answer' } = options
  const deadline = performance.now() + (options.deadlineMs ?? client.timeoutMs)
  let hasWaited = false
  for (let tries = 0; ; tries += 1) {
    try {
      return await askOnce(options)
    } catch (error) {
      if (run.signal.aborted) throw new Canceled()
      if (!(error instanceof ModelFailure)) throw error
      log.warn({ run: run.id, ...error.toLog() }, failure)
      failed?.(error)
      const { retryAfterMs, kind, status } = error
      const isAsked = retryAfterMs !== undefined && (status === 429 || kind === 'overload')
      const wait = isAsked ? retryAfterMs : kind === 'overload' || kind === 'network' ? waits[tries] : undefined
      if (wait === undefined || (isAsked && (hasWaited || performance.now() + wait >= deadline))) throw toPlannerFailure(error)
      hasWaited ||= isAsked
      if (isAsked && waiting) run.emit({ type: 'status', message: waiting(Math.ceil(wait / 1000)) })
      await pause(wait, undefined, { signal: run.signal }).catch(() => {
        throw new Canceled()
      })
    }
  }
}

function toPlannerFailure(failure: ModelFailure): PlannerFailure {
  const { kind, reason, provider, status } = failure
  if (kind === 'refused') return new PlannerFailure('refused', reason, { cause: failure })
  if (kind === 'truncated') return new PlannerFailure('incomplete', reason, { cause: failure })
  const remedies: Readonly<Record<number, PlannerRemedy>> = { 413: 'smaller', 429: 'wait' }
  const remedy = remedies[status ?? 0] ?? (kind === 'provider' || kind === 'uninstalled' ? 'operator' : 'later')
  return new PlannerFailure('provider', reason, { cause: failure, provider, remedy })
}

/** Makes one call; the thinking of the model is reported but not stored. */
async function askOnce({ client, call, run, begin }: AskOptions): Promise<ModelAnswer | undefined> {
  const { emit } = run
  const listen = begin?.()
  let beganThinking: number | undefined
  const endThinking = (): void => {
    if (beganThinking === undefined) return
    emit({ type: 'thinking_end', durationMs: Math.round(performance.now() - beganThinking) })
    beganThinking = undefined
  }
  let usage: TokenUsage | undefined
  let prose = ''
  let plan: string | undefined
  /** Only the first of several tool calls counts. */
  let isReading = false
  try {
    for await (const piece of client.stream(call, run.signal)) {
      if (piece.type === 'thinking') {
        if (beganThinking === undefined) emit({ type: 'thinking_start' })
        beganThinking ??= performance.now()
        emit({ type: 'thinking_token', text: piece.text })
      } else if (piece.type !== 'usage') endThinking()
      if (piece.type === 'usage') usage = piece.usage
      if (piece.type === 'text') {
        prose += piece.text
        emit({ type: 'token', text: piece.text })
      }
      if (piece.type === 'tool_start') isReading = piece.name === call.tools[0]?.name && plan === undefined
      if (piece.type === 'tool_input' && isReading) {
        plan = (plan ?? '') + piece.json
        listen?.(piece.json)
      }
      if (prose.length + (plan?.length ?? 0) > mostCharacters) return undefined
    }
  } finally {
    endThinking()
    if (usage) run.spent?.({ model: call.model, ...usage })
  }
  return { plan, prose }
}

/** Returns a run that emits only status events, not the arriving answer. */
export const quiet = (run: PlanningRun): PlanningRun =>
  ({ ...run, emit: (event) => void (event.type === 'status' && run.emit(event)) })

/** A question to a model in addition to the plan, answered by tool input, prose, or JSON of a given shape. */
export interface QuietTask extends Pick<ModelCall, 'model' | 'maxTokens' | 'answer'> {
  readonly rules: string
  readonly text: string
  readonly picture?: Picture
  readonly tool?: ModelTool
  /** The log message if no answer arrives. */
  readonly failure?: string
}

/**
 * Asks a model something in addition to the plan, once. The answer is not reported, but its usage is counted.
 *
 * Returns `undefined` without an answer in time: the run continues. Throws only if the run is canceled.
 */
export async function askQuietly(
  { client, log, quietMs = 10_000 }: Pick<ModelDeps, 'client' | 'log' | 'quietMs'>, task: QuietTask, run: PlanningRun,
): Promise<ModelAnswer | undefined> {
  const { rules, text, picture, tool, failure = 'model gave no answer in addition to the plan', ...rest } = task
  const messages = [{ role: 'user', ...(picture && { pictures: [picture] }), texts: [{ text }] }] as const
  const tools = tool ? [tool] : []
  const call = { ...rest, tools, forcedTool: tool?.name, system: [{ text: rules }], messages }
  const limited = { ...quiet(run), signal: AbortSignal.any([run.signal, AbortSignal.timeout(quietMs)]) }
  const options = { client, log, call, run: limited, waits: [], deadlineMs: quietMs, failure }
  const given = await ask(options).catch((error: unknown) => {
    if (run.signal.aborted) throw new Canceled()
    return error instanceof PlannerFailure ? error : undefined
  })
  if (!given) log.warn({ run: run.id, kind: 'no answer in time' }, failure)
  return given instanceof PlannerFailure ? undefined : given
}

/** Asks up to three times, passing the last problem. Throws `PlannerFailure` if no answer is usable. */
export async function askUntilUsable<T>(
  attempt: (problem: string | undefined, attempts: number) => Promise<{ readonly value: T } | { readonly problem: string }>,
  { what, locale }: { readonly what: 'noPlan' | 'noVariation'; readonly locale: string },
): Promise<T> {
  const problems: string[] = []
  while (problems.length < mostAttempts) {
    const read = await attempt(problems.at(-1), problems.length + 1)
    if ('value' in read) return read.value
    problems.push(read.problem)
  }
  const text = (language: string): string => textsFor(language)[what](problems.length)
  throw new PlannerFailure('unusable', text('en'), { attempts: problems, notice: text(locale) })
}
