import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '../../../../kernel/index.ts'
import { Canceled, PlannerFailure, type PlannerRemedy, type PlanningRun } from '../../port.ts'
import {
  type ModelCall,
  type ModelClient,
  ModelFailure,
  type Thought,
  type TokenUsage,
} from '../../../models/port.ts'
import type { ModelSettings } from '../settings.ts'
import { texts } from '../texts.ts'

/** A call of another tool than the first, with its input as JSON text. */
export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly json: string
}

/** The answer of a model to one call. */
export interface ModelAnswer {
  /** The input of the first tool, as JSON text; `undefined` when it was not called. */
  readonly plan: string | undefined
  readonly prose: string
  readonly thoughts: readonly Thought[]
  readonly toolCalls: readonly ToolCall[]
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
}

export interface AskOptions extends Pick<ModelDeps, 'client' | 'log' | 'waits'> {
  /** The input of its first tool is the answer. */
  readonly call: ModelCall
  readonly run: PlanningRun
  /** Called before each attempt; returns a listener for its plan as it is written. */
  begin?(): ((json: string) => void) | undefined
  /** Called for each failed attempt. */
  failed?(failure: ModelFailure): void
  /** The log message for a failed attempt. */
  readonly failure?: string | undefined
}

/**
 * Asks a model, with retries; `undefined` for an endless answer. Where the provider asks to wait, it waits once,
 * if that ends before the deadline. Throws `PlannerFailure` or `Canceled`.
 */
export async function ask(options: AskOptions): Promise<ModelAnswer | undefined> {
  const { client, log, run, waits = usualWaits, failed, failure = 'model gave no answer' } = options
  const deadline = performance.now() + client.timeoutMs
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
      const hasRetryAfter = retryAfterMs !== undefined && (status === 429 || kind === 'overload')
      const wait = hasRetryAfter
        ? retryAfterMs
        : kind === 'overload' || kind === 'network'
          ? waits[tries]
          : undefined
      const isTooLong = hasRetryAfter && (hasWaited || performance.now() + (wait ?? 0) >= deadline)
      if (wait === undefined || isTooLong) throw toPlannerFailure(error)
      hasWaited ||= hasRetryAfter
      if (hasRetryAfter) run.emit({ type: 'status', message: texts.waiting(Math.ceil(wait / 1000)) })
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
  const remedy =
    remedies[status ?? 0] ?? (kind === 'provider' || kind === 'uninstalled' ? 'operator' : 'later')
  return new PlannerFailure('provider', reason, { cause: failure, provider, remedy })
}

/** Makes one call, and emits its text and its thinking. */
async function askOnce({ client, call, run, begin }: AskOptions): Promise<ModelAnswer | undefined> {
  const { emit } = run
  const listen = begin?.()
  let beganThinking: number | undefined
  const endThinking = (): void => {
    if (beganThinking === undefined) return
    emit({ type: 'thinking_end', durationMs: Math.round(performance.now() - beganThinking) })
    beganThinking = undefined
  }
  const thoughts: Thought[] = []
  /** All tool calls; of several plans only the first counts. */
  const uses: (ToolCall & { json: string })[] = []
  let usage: TokenUsage | undefined
  let prose = ''
  let length = 0
  const planName = call.tools[0]?.name
  const isPlan = ({ name }: ToolCall): boolean => name === planName
  try {
    for await (const piece of client.stream(call, run.signal)) {
      if (piece.type === 'thinking') {
        if (beganThinking === undefined) emit({ type: 'thinking_start' })
        beganThinking ??= performance.now()
        emit({ type: 'thinking_token', text: piece.text })
      } else if (piece.type !== 'usage') endThinking()
      if (piece.type === 'usage') usage = piece.usage
      if (piece.type === 'thought') thoughts.push(piece.thought)
      if (piece.type === 'text') {
        prose += piece.text
        length += piece.text.length
        emit({ type: 'token', text: piece.text })
      }
      if (piece.type === 'tool_start')
        uses.push({ id: piece.id ?? `call_${uses.length}`, name: piece.name, json: '' })
      const use = uses.at(-1)
      if (piece.type === 'tool_input' && use) {
        use.json += piece.json
        length += piece.json.length
        if (uses.find(isPlan) === use) listen?.(piece.json)
      }
      if (length > mostCharacters) return undefined
    }
  } finally {
    endThinking()
    if (usage) run.spent?.({ model: call.model, ...usage })
  }
  return { plan: uses.find(isPlan)?.json, prose, thoughts, toolCalls: uses.filter((use) => !isPlan(use)) }
}

/** Returns a run that emits only status events, not the arriving answer. */
export const quiet = (run: PlanningRun): PlanningRun => ({
  ...run,
  emit: (event) => void (event.type === 'status' && run.emit(event)),
})

/** Asks up to three times, passing the last problem. Throws `PlannerFailure` if no answer is usable. */
export async function askUntilUsable<T>(
  attempt: (
    problem: string | undefined,
    attempts: number,
  ) => Promise<{ readonly value: T } | { readonly problem: string }>,
  reason: 'noPlan' | 'noVariation',
): Promise<T> {
  const problems: string[] = []
  while (problems.length < mostAttempts) {
    const read = await attempt(problems.at(-1), problems.length + 1)
    if ('value' in read) return read.value
    problems.push(read.problem)
  }
  const notice = texts[reason](problems.length)
  throw new PlannerFailure('unusable', notice, { attempts: problems, notice })
}
