import { type Logger, runWithTimeout } from '../../kernel/index.ts'
import type { Drafts } from '../draft/port.ts'
import type { Publication, PublishCheck, PublishOutcome } from './port.ts'
import { failed, refused } from './targets/outcome.ts'

/** Resolves with the refusal of a publish, or `undefined` if all checks accept it and the draft still has this version. */
export type PublishChecks = (publication: Publication, version: number) => Promise<PublishOutcome | undefined>

/** Runs the checks in order, each with its time limit, until one refuses. */
export function createPublishChecks({
  checks,
  longestCheckMs,
  drafts,
  log,
}: {
  readonly checks: readonly PublishCheck[]
  /** The time limit of each check. */
  readonly longestCheckMs: number
  readonly drafts: Pick<Drafts, 'head'>
  readonly log: Logger
}): PublishChecks {
  const ask = async (check: PublishCheck, publication: Publication): Promise<PublishOutcome | undefined> => {
    const late = new Error('the check took too long')
    const limits = { canceled: publication.signal, overdue: () => late }
    try {
      const run = async (signal: AbortSignal): Promise<unknown> => check.check({ ...publication, signal })
      return toOutcome(check, await runWithTimeout(longestCheckMs, run, limits))
    } catch (err) {
      log.error({ err, check: check.name }, 'publish check failed')
      if (publication.signal.aborted)
        return failed(502, 'The service was stopped while it published. Publish again.')
      const why = err === late ? `took longer than ${longestCheckMs / 1000} s` : 'failed'
      const reason = `The check '${check.name}' ${why}, so nothing was published. The log of the service may say why.`
      return failed(500, reason, { code: 'check_failed' })
    }
  }

  return async (publication, version) => {
    if (checks.length === 0) return undefined
    for (const check of checks) {
      const objection = await ask(check, publication)
      if (objection) return objection
    }
    return (await drafts.head(publication.id)).version === version
      ? undefined
      : refused(draftChanged, 'draft_changed')
  }
}

const draftChanged = 'The draft was changed while it was checked, so nothing was published. Publish again.'

/** Checks of in-house plugins may be written without types: only `undefined` accepts a publish. */
function toOutcome(
  { name, code = 'check_refused' }: PublishCheck,
  answer: unknown,
): PublishOutcome | undefined {
  if (answer === undefined) return undefined
  if (typeof answer !== 'string' || answer.trim() === '')
    throw new Error(`publish check '${name}' gave neither a sentence nor undefined`)
  return refused(answer, code)
}
