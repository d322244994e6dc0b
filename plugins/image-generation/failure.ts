import { Refusal, type Logger } from '../../kernel/index.ts'
import { ModelFailure } from '../llm/port.ts'
import { refusals } from './refusals.ts'

/** What the checks of uploads refuse: of a generated picture it is the provider's fault. */
const unfit: ReadonlySet<string> = new Set(['content_mismatch', 'image_dimensions', 'file_damaged'])

/** The refusal for a picture that could not be made; whatever has another reason stays as it is. Operators find what the provider called it in the log. */
export function toRefusal(error: unknown, { signal, log }: { readonly signal: AbortSignal; readonly log: Logger }): unknown {
  if (signal.aborted) return refusals.canceled()
  if (error instanceof Refusal && unfit.has(error.code)) return refusals.noData()
  if (!(error instanceof ModelFailure)) return error
  const { kind, status, reason, retryAfterMs, provider, said: { type, requestId } } = error
  log.warn({ kind, status, provider, type, requestId }, 'a picture could not be made')
  if (kind === 'refused') return refusals.refused(reason)
  if (kind === 'timeout') return refusals.timedOut(reason)
  return status === 429 ? refusals.busy(reason, retryAfterMs) : refusals.failed(reason)
}
