import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '../../../kernel/index.ts'
import { Canceled, type PlanningRun } from '../../chat/port.ts'
import { type ModelCall, type ModelClient, ModelFailure, type TokenUsage } from '../../llm/port.ts'

/** What a model said in one call. */
export interface ModelAnswer {
  /** The input of the tool, as JSON text; `undefined` when no tool was called. */
  readonly plan: string | undefined
  readonly prose: string
}

/** Thrown where an answer has more characters than any plan needs; the connection is closed. */
export class EndlessAnswer extends Error {
  override readonly name = 'EndlessAnswer'
}

const mostCharacters = 1_000_000
/** Overload and broken connections may pass: how long to wait before each further try. */
export const retryWaits: readonly number[] = [500, 2000]
/** How long an answer beside the plan may take: a person is waiting for the plan. */
export const quietMs = 10_000

export interface AskOptions {
  readonly client: ModelClient
  readonly call: ModelCall
  /** The tool whose input is the plan. */
  readonly tool?: string | undefined
  readonly run: PlanningRun
  /** Called before each try; gives what hears the plan of that try as it is written. */
  begin?(): ((json: string) => void) | undefined
  /** How long to wait before each further try, in milliseconds; without it there is one try. */
  readonly waits?: readonly number[]
  /** Called for a try that failed and will be repeated. */
  repeating?(failure: ModelFailure): void
  /** Called when the provider asks to wait this long; it is waited for once, where that ends before the deadline. */
  waiting?(seconds: number): void
  /** Milliseconds from now on; without it those of a whole call. */
  readonly deadlineMs?: number
}

/** Asks a model, again after a transient failure. Throws a `ModelFailure`, or `Canceled`. */
export async function ask(options: AskOptions): Promise<ModelAnswer> {
  const { client, run, waits = [], repeating, waiting } = options
  const deadline = performance.now() + (options.deadlineMs ?? client.timeoutMs)
  let hasWaited = false
  for (let tries = 0; ; tries += 1) {
    try {
      return await askOnce(options)
    } catch (error) {
      if (run.signal.aborted) throw new Canceled()
      if (!(error instanceof ModelFailure)) throw error
      const { retryAfterMs, kind, status } = error
      const isAsked = retryAfterMs !== undefined && (status === 429 || kind === 'overload')
      const wait = isAsked ? retryAfterMs : kind === 'overload' || kind === 'network' ? waits[tries] : undefined
      if (wait === undefined || (isAsked && (hasWaited || performance.now() + wait >= deadline))) throw error
      hasWaited ||= isAsked
      repeating?.(error)
      if (isAsked) waiting?.(Math.ceil(wait / 1000))
      await pause(wait, undefined, { signal: run.signal }).catch(() => {
        throw new Canceled()
      })
    }
  }
}

/** One call; what the model thinks is reported and not stored. */
async function askOnce({ client, call, tool, run, begin }: AskOptions): Promise<ModelAnswer> {
  const hear = begin?.()
  let beganThinking: number | undefined
  const endThinking = (): void => {
    if (beganThinking !== undefined) run.emit({ type: 'thinking_end', durationMs: Math.round(performance.now() - beganThinking) })
    beganThinking = undefined
  }
  let usage: TokenUsage | undefined
  let prose = ''
  let plan: string | undefined
  /** Of several calls of the tool the first one counts. */
  let isReading = false
  try {
    for await (const piece of client.stream(call, run.signal)) {
      if (piece.type === 'thinking') {
        if (beganThinking === undefined) run.emit({ type: 'thinking_start' })
        beganThinking ??= performance.now()
        run.emit({ type: 'thinking_token', text: piece.text })
      } else if (piece.type !== 'usage') endThinking()
      if (piece.type === 'usage') usage = piece.usage
      if (piece.type === 'text') {
        prose += piece.text
        run.emit({ type: 'token', text: piece.text })
      }
      if (piece.type === 'tool_start') isReading = piece.name === tool && plan === undefined
      if (piece.type === 'tool_input' && isReading) {
        plan = (plan ?? '') + piece.json
        hear?.(piece.json)
      }
      if (piece.type === 'tool_end') isReading = false
      if (prose.length + (plan?.length ?? 0) > mostCharacters) throw new EndlessAnswer('the answer does not end')
    }
  } finally {
    endThinking()
    if (usage) run.spent?.({ model: call.model, ...usage })
  }
  return { plan, prose }
}

export interface QuietDeps {
  readonly client: ModelClient
  readonly log: Logger
  /** Milliseconds that the answer may take. */
  readonly quietMs: number
}

/**
 * Asks a model something beside the plan, once. What it says is not reported, but what it took is counted.
 *
 * A run goes on without the answer where there is none in time; only a run that is canceled makes this throw.
 */
export async function askQuietly({ client, log, quietMs }: QuietDeps, call: ModelCall, run: PlanningRun): Promise<ModelAnswer | undefined> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), quietMs)
  const quiet: PlanningRun = {
    id: run.id,
    signal: AbortSignal.any([run.signal, late.signal]),
    emit: () => undefined,
    spent: (spending) => run.spent?.(spending),
  }
  try {
    return await ask({ client, call, tool: call.forcedTool, run: quiet, deadlineMs: quietMs })
  } catch (error) {
    if (run.signal.aborted) throw new Canceled()
    const why = error instanceof ModelFailure ? error.toLog() : { kind: 'no answer in time' }
    log.warn({ run: run.id, ...why }, 'model gave no answer beside the plan')
    return undefined
  } finally {
    clearTimeout(timer)
  }
}
