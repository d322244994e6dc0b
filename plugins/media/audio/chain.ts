import type { Logger } from '../../../kernel/index.ts'
import { TranscriptionFailure, type Recording, type Transcriber } from '../../models/port.ts'
import { refusals } from './refusals.ts'
import type { Transcript } from './routes.ts'

const maxDetailCharacters = 1200

/**
 * Creates the function that transcribes a recording with the first model that succeeds.
 *
 * Refuses with 502 `transcription_failed` if all models fail, 504 `transcription_timeout` if all time out,
 * and 503 `transcription_busy` if the recordings in progress exceed `maxBytes`.
 */
export function createChain(context: {
  readonly transcribers: readonly Transcriber[]
  /** The time limit per model. */
  readonly timeoutMs: number
  /** The maximum total size of the recordings in progress, in bytes. */
  readonly maxBytes: number
  readonly log: Logger
}): (recording: Recording, signal: AbortSignal) => Promise<Transcript> {
  const { transcribers, timeoutMs, maxBytes, log } = context
  let held = 0

  const run = async (recording: Recording, signal: AbortSignal): Promise<Transcript> => {
    const { size: bytes, type: mimeType } = recording.file
    const failures: { readonly model: string; readonly message: string; readonly timedOut: boolean }[] = []
    for (const transcriber of transcribers) {
      for (const model of transcriber.models) {
        const timeout = AbortSignal.timeout(timeoutMs)
        try {
          const text = await transcriber.transcribe(recording, model, AbortSignal.any([signal, timeout]))
          return { text, model, bytes, mimeType, fallbackUsed: failures.length > 0 }
        } catch (error) {
          if (signal.aborted) throw signal.reason
          const timedOut = timeout.aborted
          if (!timedOut && !(error instanceof TranscriptionFailure)) throw error
          const message =
            error instanceof TranscriptionFailure && !timedOut
              ? error.message
              : `It did not answer within ${timeoutMs / 1000} seconds.`
          failures.push({ model, message, timedOut })
          log.warn({ model, reason: message, err: timedOut ? undefined : error }, 'transcription failed')
          if (!timedOut && error instanceof TranscriptionFailure && error.isFinal) break
        }
      }
    }
    const detail = failures
      .map(({ model, message }) => `${model}: ${message}`)
      .join(' ')
      .slice(0, maxDetailCharacters)
    throw failures.every(({ timedOut }) => timedOut) ? refusals.timedOut(detail) : refusals.failed(detail)
  }

  return async (recording, signal) => {
    const { size } = recording.file
    if (held + size > maxBytes) throw refusals.busy()
    held += size
    try {
      return await run(recording, signal)
    } finally {
      held -= size
    }
  }
}
