import * as v from 'valibot'
import { Refusal, type Logger } from '../../kernel/index.ts'
import { PublishOutcome, type Publication, type PublishTarget } from './port.ts'
import { failed } from './targets/outcome.ts'

/** Lets a target publish; an error or an invalid outcome is a failed publish. */
export async function attempt(
  target: PublishTarget,
  publication: Publication,
  log: Logger,
): Promise<PublishOutcome> {
  try {
    return completed(readOutcome(target, await target.publish(publication)))
  } catch (err) {
    log.error({ err, target: target.name }, 'publish target failed')
    if (publication.signal.aborted)
      return failed(502, 'The service was stopped while it published. Publish again.')
    if (!(err instanceof Refusal))
      return failed(500, 'The publish failed inside the service. Its log says why.')
    const status = err.status === 502 ? 502 : err.status < 500 ? 400 : 500
    return failed(status, err.reason, { code: err.code })
  }
}

/** Targets of in-house plugins may be written without types, and what they answer is kept for good. */
function readOutcome({ name }: PublishTarget, answer: unknown): PublishOutcome {
  const parsed = v.safeParse(PublishOutcome, answer)
  if (parsed.success) return parsed.output
  const place = v.getDotPath(parsed.issues[0]) ?? 'what it answered'
  throw new Error(`publish target '${name}' returned an invalid outcome: ${place} is missing or of the wrong type`)
}

/** A failure says so in words and in a verdict, except that a site's own refusal is passed on as it is. */
function completed(outcome: PublishOutcome): PublishOutcome {
  const { ok, httpStatus, body } = outcome
  if (ok) return outcome
  const reason = body.reason ?? body.error ?? 'The publish failed. The log of the service may say why.'
  const verdict = httpStatus === 409 ? {} : { code: body.code ?? 'publish_failed' }
  return { ...outcome, body: { ...body, ...verdict, error: body.error ?? reason, reason } }
}
