import type { Failures } from './failure.ts'
import { ModelFailure } from './model-failure.ts'
import type { ModelCall, ModelClient, ModelPiece } from './port.ts'

export interface Within {
  readonly timeoutMs: number
  readonly failures: Failures
  /** Makes one call; libraries may end an aborted stream as if the answer were over. */
  call(call: ModelCall, signal: AbortSignal): AsyncIterable<ModelPiece>
  /** Names what a library threw. */
  toFailure(error: unknown): ModelFailure
}

/** Makes calls that end with their time or with the caller, and fail as what ended them. */
export function within({ timeoutMs, failures, call, toFailure }: Within): ModelClient['stream'] {
  return async function* stream(asked, signal) {
    const timeout = AbortSignal.timeout(timeoutMs)
    const either = AbortSignal.any([signal, timeout])
    const ended = (): ModelFailure | undefined =>
      signal.aborted ? failures.aborted() : timeout.aborted ? failures.tookTooLong(timeoutMs) : undefined
    const early = ended()
    if (early) throw early
    try {
      yield* call(asked, either)
    } catch (error) {
      throw ended() ?? (error instanceof ModelFailure ? error : toFailure(error))
    }
  }
}
