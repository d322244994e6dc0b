import * as v from 'valibot'
import { type Logger, Refusal, runWithTimeout } from '../../kernel/index.ts'
import { notStored, readBack } from '../content/arrival.ts'
import {
  type Publication,
  type PublishCheck,
  PublishOutcome,
  type PublishTarget,
  type Snapshots,
} from './port.ts'
import { failed, refused, withNotes } from './outcome.ts'

const stopped = (): PublishOutcome =>
  failed(
    502,
    'The service was stopped while it published, or paused so long that others took over. Publish again.',
  )

/** Asks a check, which may be written without types: only `undefined` accepts a publish. */
export async function ask(
  check: PublishCheck,
  publication: Publication,
  timeoutMs: number,
  log: Logger,
): Promise<PublishOutcome | undefined> {
  const late = new Error('the check took too long')
  const limits = { canceled: publication.signal, overdue: () => late }
  try {
    const run = async (signal: AbortSignal): Promise<unknown> => check.check({ ...publication, signal })
    const answer = await runWithTimeout(timeoutMs, run, limits)
    if (answer === undefined) return undefined
    if (typeof answer === 'string' && answer.trim() !== '')
      return refused(answer, check.code ?? 'check_refused')
    throw new Error(`publish check '${check.name}' gave neither a sentence nor undefined`)
  } catch (err) {
    log.error({ err, check: check.name }, 'publish check failed')
    if (publication.signal.aborted) return stopped()
    const why = err === late ? `took longer than ${timeoutMs / 1000} s` : 'failed'
    const reason = `The check '${check.name}' ${why}, so nothing was published. The log of the service may say why.`
    return failed(500, reason, { code: 'check_failed' })
  }
}

/** Calls a target; what is read later is stored before, as long as the publish does not fail. */
export async function attemptStored(
  target: PublishTarget,
  publication: Publication,
  { snapshots, log }: { readonly snapshots: Snapshots; readonly log: Logger },
): Promise<PublishOutcome> {
  if (!target.readsLater) return attempt(target, publication, log)
  const { id, pages, siteConfig, publishId, publishedAt: at } = publication
  await snapshots.keepAhead(id, { pages, siteConfig }, { publishId, at })
  const outcome = await attempt(target, publication, log)
  if (!outcome.ok) await snapshots.dropAhead(publishId)
  return outcome
}

/** Calls a target; an error or an invalid outcome is a failed publish. */
async function attempt(
  target: PublishTarget,
  publication: Publication,
  log: Logger,
): Promise<PublishOutcome> {
  try {
    publication.signal.throwIfAborted()
    return completed(await publishTo(target, publication))
  } catch (err) {
    log.error({ err, target: target.name }, 'publish target failed')
    if (publication.signal.aborted) return stopped()
    if (!(err instanceof Refusal))
      return failed(500, 'The publish failed inside the service. Its log says why.')
    if (err.status === 409) return refused(err.reason, err.code)
    const status = err.status === 502 ? 502 : err.status < 500 ? 400 : 500
    return failed(status, err.reason, { code: err.code })
  }
}

/** Calls a target, and reads back what it has stored. */
function publishTo(target: PublishTarget, publication: Publication): Promise<PublishOutcome> {
  const publish = async () => readOutcome(target, await target.publish(publication))
  if (!target.stored) return publish()
  return readBack<PublishOutcome>(publication.entries, {
    before: async () => target.stored?.(),
    publish,
    after: async (outcome) => target.stored?.(outcome),
    isDone: ({ ok }) => ok,
    lost: (slugs) => failed(502, notStored(slugs), { code: 'not_stored' }),
    inPart: (outcome, note) => withNotes(outcome, [note]),
  })
}

/** Validates an outcome: in-house targets may have no types, and outcomes are stored permanently. */
function readOutcome({ name }: PublishTarget, answer: unknown): PublishOutcome {
  const parsed = v.safeParse(PublishOutcome, answer)
  if (parsed.success) return parsed.output
  const place = v.getDotPath(parsed.issues[0]) ?? 'what it answered'
  throw new Error(
    `publish target '${name}' returned an invalid outcome: ${place} is missing or of the wrong type`,
  )
}

/** Adds a reason and a code to a failure; a site's own refusal keeps its code. */
function completed(outcome: PublishOutcome): PublishOutcome {
  const { ok, httpStatus, body } = outcome
  if (ok) return outcome
  const reason = body.reason ?? body.error ?? 'The publish failed. The log of the service may say why.'
  const verdict = httpStatus === 409 ? {} : { code: body.code ?? 'publish_failed' }
  return { ...outcome, body: { ...body, ...verdict, error: body.error ?? reason, reason } }
}
