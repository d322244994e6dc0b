import type { Logger } from '../../kernel/index.ts'
import { TranscriptionFailure, type Recording, type Transcriber } from './port.ts'
import { refusals } from './refusals.ts'
import type { Transcript } from './routes.ts'

export interface ChainContext {
  readonly transcribers: readonly Transcriber[]
  /** For each model. */
  readonly timeoutMs: number
  /** Bytes of recordings that models work on at the same time. */
  readonly mostBytes: number
  readonly log: Logger
}

/** Characters of `detail`. */
const longestDetail = 1200

/**
 * Makes the function that asks one model after the other for the text of a recording, until one gives it.
 *
 * Refuses with 502 `transcription_failed` where none does, 504 `transcription_timeout` where all took too long, and 503
 * `transcription_busy` where more recordings are under way than memory is meant for.
 */
export function createChain({ transcribers, timeoutMs, mostBytes, log }: ChainContext): (recording: Recording, signal: AbortSignal) => Promise<Transcript> {
  let held = 0

  const run = async (recording: Recording, signal: AbortSignal): Promise<Transcript> => {
    const { size: bytes, type: mimeType } = recording.file
    const failures: { readonly model: string; readonly message: string; readonly isLate: boolean }[] = []
    for (const transcriber of transcribers) {
      for (const model of transcriber.models) {
        const timeout = AbortSignal.timeout(timeoutMs)
        try {
          const text = await transcriber.transcribe(recording, model, AbortSignal.any([signal, timeout]))
          return { text, model, bytes, mimeType, fallbackUsed: failures.length > 0 }
        } catch (error) {
          if (signal.aborted) throw signal.reason
          const isLate = timeout.aborted
          if (!isLate && !(error instanceof TranscriptionFailure)) throw error
          const message = error instanceof TranscriptionFailure && !isLate ? error.message : `It did not answer within ${timeoutMs / 1000} seconds.`
          failures.push({ model, message, isLate })
          log.warn({ model, reason: message, err: isLate ? undefined : error }, 'a recording could not be written down')
          if (!isLate && error instanceof TranscriptionFailure && error.isFinal) break
        }
      }
    }
    const detail = failures.map(({ model, message }) => `${model}: ${message}`).join(' ').slice(0, longestDetail)
    throw failures.every(({ isLate }) => isLate) ? refusals.tookTooLong(detail) : refusals.failed(detail)
  }

  return async (recording, signal) => {
    const { size } = recording.file
    if (held + size > mostBytes) throw refusals.busy()
    held += size
    try {
      return await run(recording, signal)
    } finally {
      held -= size
    }
  }
}
