import type { PublishOutcome } from '../port.ts'

/** A publish that failed, in a sentence that stands in `error`, which editors show, and in `reason`. */
export function failed(httpStatus: 400 | 502, reason: string, tracker: PublishOutcome['tracker'] = { deployStatus: httpStatus }, more: Readonly<Record<string, unknown>> = {}): PublishOutcome {
  return { ok: false, httpStatus, status: 'failed', body: { error: reason, code: 'publish_failed', reason, ...more }, tracker }
}
